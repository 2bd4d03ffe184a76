"""The FREX plot: every word of a topic by its frequency and exclusivity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from frex.errors import InputError
from frex.plots.labels import draw_labels
from frex.plots.style import (
    BLUE,
    PALE,
    VERMILLION,
    calm,
    dressed,
    head,
    log_axis,
    mark_baseline,
    name_axes,
    shorten,
)
from frex.plots.topic import described, display_words, find_topic
from frex.scores import ecdf, frex_from

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from frex.plots.topic import Topic
    from frex.posterior import Posterior
    from frex.posterior.compared import Compare


def frex_plot_data(
    posterior: Posterior,
    topic: str | int,
    *,
    weight: float = 0.5,
    compare: Compare = None,
) -> pd.DataFrame:
    """Return a row for each word, the highest FREX first.

    Columns: `word` (its display form), `stem`, `frequency` (the typical rate: the expected count of
    the word in a document of mean length), `exclusivity`, `frequency_ecdf` and `exclusivity_ecdf`
    (the share of words that are no higher), `frex`.

    Parameters
    ----------
    posterior
        The fit.
    topic
        A topic's name, title or node.
    weight
        The weight of exclusivity in FREX.
    compare
        The comparison set, as for `frex.posterior.words.score`.

    Returns
    -------
    pandas.DataFrame
        The columns named above.

    Examples
    --------
    >>> from frex.plots import frex_plot_data
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> frex_plot_data(posterior, 'metal')['word'].iloc[0]
    'gold'
    """
    found = find_topic(posterior, topic, compare)
    frame = pd.DataFrame({
        "word": list(display_words(posterior)),
        "stem": list(posterior.words),
        "frequency": found.frequency,
        "exclusivity": found.exclusivity,
        "frequency_ecdf": ecdf(found.frequency),
        "exclusivity_ecdf": ecdf(found.exclusivity),
        "frex": frex_from(found.exclusivity, found.frequency, weight=weight),
    })  # fmt: skip
    return frame.sort_values("frex", ascending=False, kind="stable", ignore_index=True)


def frex_contour(data: pd.DataFrame, level: float, *, weight: float = 0.5) -> NDArray[np.float64]:
    """Return the curve above which FREX reaches a level, as rows of frequency and exclusivity.

    On it w / ECDF(exclusivity) + (1 - w) / ECDF(frequency) = 1 / level; the ECDFs are those of
    the words in `data`, from `frex_plot_data`, so it has steps where words are sparse.

    Parameters
    ----------
    data
        The result of `frex_plot_data`.
    level
        The FREX of the curve.
    weight
        The weight of exclusivity.

    Returns
    -------
    numpy.ndarray
        Points, frequency and exclusivity in columns.

    Examples
    --------
    >>> from frex.plots import frex_contour, frex_plot_data
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> frex_contour(frex_plot_data(posterior, 'metal'), 0.8).shape[1]
    2
    """
    x, y = np.sort(data["frequency"]), np.sort(data["exclusivity"])
    share = np.arange(1, len(x) + 1) / len(x)
    rest = 1 / level - (1 - weight) / share  # w / ECDF(exclusivity), if a word can have that
    reached = rest >= weight - 1e-12
    needed = weight / np.maximum(rest[reached], 1e-12)
    # the first word with that share of words at or below it, robust to rounding
    rank = np.clip(np.ceil(needed * len(y) - 1e-9).astype(int) - 1, 0, len(y) - 1)
    curve = np.column_stack([x[reached], y[rank]])
    start = [[curve[0, 0], y[-1]]] if len(curve) else np.empty((0, 2))
    return np.vstack([start, curve])


def frex_plot(
    posterior: Posterior,
    topic: str | int,
    *,
    n: int = 14,
    weight: float = 0.5,
    compare: Compare = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a topic's words, frequency against exclusivity, with labels of the n best by FREX.

    Parameters
    ----------
    posterior, topic, weight, compare
        As in `frex_plot_data`.
    n
        Number of labelled words.
    ax
        The Axes; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Raises
    ------
    InputError
        `n` is less than 1.

    Examples
    --------
    >>> from frex.plots import frex_plot, write_figure
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> ax = frex_plot(posterior, 'metal', n=5)
    >>> write_figure(ax.figure, 'metal.svg', overwrite=True)
    """
    if n < 1:
        raise InputError(f"n is {n}", remedy="Name at least one word.")
    data = frex_plot_data(posterior, topic, weight=weight, compare=compare)
    data = _in_thousand(posterior, data)
    found = find_topic(posterior, topic, compare)
    best, rest = data.head(n), data.iloc[n:]
    with calm():
        ax = dressed(ax)
        ax.scatter(rest["frequency"], rest["exclusivity"], **_dots(PALE, 5))
        ax.scatter(best["frequency"], best["exclusivity"], zorder=3, **_dots(VERMILLION, 11))
        _set_limits(ax, data)
        mark_baseline(ax, 1 / len(found.compared))
        curve = frex_contour(data, float(best["frex"].iloc[-1]), weight=weight)
        ax.plot(*curve.T, color=BLUE, linewidth=0.8, drawstyle="steps-post", zorder=2)
        beside = described(posterior.tree, found.node, found.compared, found.shown)
        head(ax, f"{_title(posterior, found)}: its words by frequency and exclusivity",
             f"{beside}; the line parts the {len(best)} words of highest FREX")  # fmt: skip
        name_axes(ax, "frequency: times in 1,000 words about the topic", "exclusivity")
        _label(ax, best, np.vstack([data[["frequency", "exclusivity"]], _along(curve)]), n)
    return ax


def zoom_plot_data(
    posterior: Posterior,
    topic: str | int,
    *,
    quantile: float = 0.95,
    weight: float = 0.5,
    compare: Compare = None,
) -> pd.DataFrame:
    """Return the rows of `frex_plot_data` that are in the upper tail of both dimensions.

    Parameters
    ----------
    posterior, topic, weight, compare
        As in `frex_plot_data`.
    quantile
        Lower end of the tails.

    Returns
    -------
    pandas.DataFrame
        The columns named above.

    Raises
    ------
    InputError
        `quantile` is not valid, or no word is above it.

    Examples
    --------
    >>> from frex.plots import zoom_plot_data
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> zoom_plot_data(posterior, 'metal', quantile=0.5)['word'].iloc[0]
    'gold'
    """
    if not 0 <= quantile < 1:
        raise InputError(
            f"the quantile is {quantile}", remedy="Choose one from 0 to less than 1, such as 0.95."
        )
    data = frex_plot_data(posterior, topic, weight=weight, compare=compare)
    tail = (data["frequency_ecdf"] > quantile) & (data["exclusivity_ecdf"] > quantile)
    if not tail.any():
        raise InputError(
            f"no word of the topic is above the {quantile:g} quantile of both frequency and "
            "exclusivity",
            remedy="Choose a lower quantile.",
        )
    return data[tail].reset_index(drop=True)


def zoom_plot(
    posterior: Posterior,
    topic: str | int,
    *,
    n: int = 14,
    quantile: float = 0.95,
    weight: float = 0.5,
    compare: Compare = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the upper right corner of the FREX plot, with its words.

    If there is no space for all labels, words with higher FREX come first.

    Parameters
    ----------
    posterior, topic, quantile, weight, compare
        As in `zoom_plot_data`.
    n
        Number of best words with another colour.
    ax
        The Axes; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Examples
    --------
    >>> from frex.plots import zoom_plot
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> ax = zoom_plot(posterior, 'metal', quantile=0.5)
    """
    data = zoom_plot_data(posterior, topic, quantile=quantile, weight=weight, compare=compare)
    data = _in_thousand(posterior, data)
    found = find_topic(posterior, topic, compare)
    best, rest = data.head(n), data.iloc[n:]
    with calm():
        ax = dressed(ax, 6.4, 4.8)
        ax.scatter(rest["frequency"], rest["exclusivity"], zorder=3, **_dots(PALE, 10))
        ax.scatter(best["frequency"], best["exclusivity"], zorder=3, **_dots(VERMILLION, 12))
        _set_limits(ax, data)
        ax.set_ylim(data["exclusivity"].min() / 1.15, min(data["exclusivity"].max() * 1.1, 1.05))
        log_axis(ax, "y")
        beside = described(posterior.tree, found.node, found.compared, found.shown)
        tail = f"the upper {100 * (1 - quantile):.3g} % in both"
        head(ax, f"{_title(posterior, found)}: its most frequent and exclusive words",
             f"{beside}; {tail}, the {len(best)} of highest FREX in colour")  # fmt: skip
        name_axes(ax, "frequency: times in 1,000 words about the topic", "exclusivity")
        _label(ax, data, data[["frequency", "exclusivity"]].to_numpy(), n)
    return ax


def _title(posterior: Posterior, found: Topic) -> str:
    return shorten(posterior.tree.titles[found.node])


def _in_thousand(posterior: Posterior, data: pd.DataFrame) -> pd.DataFrame:
    """Return the data with frequencies per 1,000 words instead of per document."""
    return data.assign(frequency=data["frequency"] * 1000 / posterior.mean_length)


def _label(ax: Axes, named: pd.DataFrame, others: NDArray[np.float64], must: int) -> None:
    """Write words beside their points; the first `must` are always written."""
    texts = [shorten(word, 24) for word in named["word"]]
    draw_labels(ax, named[["frequency", "exclusivity"]].to_numpy(), texts, others=others, must=must)


def _along(curve: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points along a curve, which labels avoid."""
    part = np.linspace(0, 1, 5, endpoint=False)[:, np.newaxis, np.newaxis]
    return ((1 - part) * curve[:-1] + part * curve[1:]).reshape(-1, 2)


def _dots(color: str, size: float) -> dict[str, Any]:
    """Return the style of points; many points are rasterised in a PDF or SVG."""
    return {"s": size, "color": color, "edgecolor": "white", "linewidth": 0.2, "rasterized": True}


def _set_limits(ax: Axes, data: pd.DataFrame) -> None:
    """Set limits with space for words around the points."""
    low, high = data["frequency"].min(), data["frequency"].max()
    pad = max((high / low) ** 0.08, 1.1)
    ax.set_xlim(low / pad, high * pad)
    log_axis(ax, "x")
    low, high = data["exclusivity"].min(), data["exclusivity"].max()
    pad = max(0.08 * (high - low), 0.01)
    ax.set_ylim(max(low - pad, -0.02), min(high + pad, 1.03))
