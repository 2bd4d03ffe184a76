"""Highest ranks of stop words and of other words in any topic, by frequency and exclusivity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from frex.errors import InputError
from frex.plots.style import (
    BLUE,
    GREY,
    VERMILLION,
    calm,
    dressed,
    legend,
    log_axis,
    name_axes,
    new_figure,
)
from frex.plots.topic import display_words
from frex.posterior.words import score
from frex.scores import ecdf
from frex.text.stopwords import smart

if TYPE_CHECKING:
    from typing import Literal

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from frex.posterior import Posterior
    from frex.posterior.compared import Compare


def stopwords_plot_data(posterior: Posterior, *, compare: Compare = None) -> pd.DataFrame:
    """Return a row for each word, in order.

    Columns: `word` (its display form), `stem`, `stop_word` (whether the display form is on the
    SMART list), `frequency` and `exclusivity`: the largest ECDF over topics, that is, the rank in
    the topic in which the word ranks highest.

    Parameters
    ----------
    posterior
        The fit.
    compare
        The comparison set, as for `frex.posterior.words.score`.

    Returns
    -------
    pandas.DataFrame
        The columns named above.

    Examples
    --------
    >>> from frex.plots import stopwords_plot_data
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> stopwords_plot_data(posterior).shape[0]
    25
    """
    words = list(display_words(posterior))
    return pd.DataFrame({
        "word": words,
        "stem": list(posterior.words),
        "stop_word": [word.casefold() in smart() for word in words],
        "frequency": ecdf(score(posterior, by="frequency", of="topic")).max(axis=0),
        "exclusivity": ecdf(
            score(posterior, by="exclusivity", compare=compare, of="topic")
        ).max(axis=0),
    })  # fmt: skip


def stopwords_plot(
    data: pd.DataFrame, by: Literal["frequency", "exclusivity"], *, ax: Axes | None = None
) -> Axes:
    """Draw the share of words of each kind that rank above a threshold in some topic.

    Parameters
    ----------
    data
        The result of `stopwords_plot_data`.
    by
        ``"frequency"`` or ``"exclusivity"``.
    ax
        The Axes; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Raises
    ------
    InputError
        `by` is not valid.

    Examples
    --------
    >>> from frex.plots import stopwords_plot, stopwords_plot_data
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> ax = stopwords_plot(stopwords_plot_data(posterior), 'frequency')
    """
    n_words = len(data)
    stop = data["stop_word"].to_numpy()
    if stop.all() or not stop.any():
        raise InputError(
            f"{stop.sum()} of {n_words} words of the fit are SMART stop words",
            remedy="Make the corpus without a stop list.",
        )
    # the best word of a topic has an ECDF of 1, and is among the upper 1 / V of V words
    place = 1 - data[by].to_numpy() + 1 / n_words
    with calm():
        ax = dressed(ax, 4.2, 3.6)
        for group, color, name in ((stop, VERMILLION, "stop words"), (~stop, BLUE, "other words")):
            count = int(group.sum())
            shares = np.arange(1, count + 1) / count
            steps = np.sort(place[group])
            ax.step([*steps, 1], [*shares, 1], where="post", color=color, linewidth=1.4,
                    label=f"{count:,} {name}")  # fmt: skip
        ax.set_xlim(1 / n_words, 1)
        log_axis(ax, "x", percent=True)
        ax.set_ylim(0, 1.02)
        ax.yaxis.set_major_formatter(lambda y, _: f"{100 * y:g} %")
        most = "most frequent" if by == "frequency" else "most exclusive"
        name_axes(ax, f"among this share of a topic's {most} words", "share of words")
        ax.set_title(f"by {by}", loc="left", fontsize=9, color=GREY)
        legend(ax, loc="lower right")
    return ax


def stopwords_figure(posterior: Posterior, *, compare: Compare = None) -> Figure:
    """Draw two panels, for frequency and exclusivity.

    Parameters
    ----------
    posterior, compare
        As in `stopwords_plot_data`.

    Returns
    -------
    matplotlib.figure.Figure
        The figure, which `write_figure` writes.

    Examples
    --------
    >>> from frex.plots import stopwords_figure
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> figure = stopwords_figure(posterior)
    """
    data = stopwords_plot_data(posterior, compare=compare)
    with calm():
        figure = new_figure(7.6, 3.6)
        left, right = figure.subplots(1, 2, sharey=True)
        stopwords_plot(data, "frequency", ax=left)
        stopwords_plot(data, "exclusivity", ax=right).set_ylabel("")
        figure.suptitle(
            "How high words come, each in the topic where it comes highest",
            x=0.01, ha="left", fontsize=10.5, fontweight="bold",
        )  # fmt: skip
    return figure
