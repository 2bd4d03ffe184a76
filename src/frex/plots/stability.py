"""Exclusivity and variance of words against their counts: the paper's Figures 11 and 12."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from frex.plots.style import (
    BLUE,
    GREY,
    PLAIN,
    VERMILLION,
    calm,
    dressed,
    log_axis,
    name_axes,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

SPAN = 0.2
"""Share of the words in the neighbourhood of the smoother."""

_POINTS = 80
_NEAREST = 1e-6  # least distance of a drawn exclusivity from 0 and 1


def stability_plot_data(words: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return the smoother of one model: `count` and the mean of the measure about it.

    It is loess of degree 0, as in the paper: a mean with tricube weights over the nearest fifth of
    the words, on the scales of the plot: the logarithm of the count; the logit of exclusivity, the
    logarithm of a variance.

    Parameters
    ----------
    words
        The rows of one model from `frex.evaluate.stability_words`.
    measure
        One of `frex.evaluate.stability.MEASURES`.
    """
    x = np.log(words["count"].to_numpy(dtype=np.float64))
    y = _scaled(words[measure].to_numpy(), measure)
    at = np.linspace(x.min(), x.max(), _POINTS)
    last = int(SPAN * (len(x) - 1))
    smooth = []
    for point in at:
        distance = np.abs(x - point)
        reach = 1.001 * max(
            np.partition(distance, last)[last], 1e-9
        )  # so that the last has a positive weight
        weights = np.clip(1 - (distance / reach) ** 3, 0, None) ** 3
        smooth.append(np.average(y, weights=weights))
    return pd.DataFrame({"count": np.exp(at), measure: _unscaled(np.array(smooth), measure)})


def stability_plot(words: pd.DataFrame, measure: str, *, ax: Axes | None = None) -> Axes:
    """Draw a point for each word, and the smoother.

    Parameters
    ----------
    words, measure
        As for `stability_plot_data`.
    ax
        Where to draw; a new figure if None.
    """
    from frex.evaluate.stability import MEASURES  # noqa: PLC0415 - plots of a fit need none of it

    values = words[measure].to_numpy()
    with calm():
        ax = dressed(ax)
        drawn = _unscaled(_scaled(values, measure), measure)
        ax.plot(
            words["count"], drawn, linestyle="none", marker="o", markersize=2, color=BLUE,
            markeredgewidth=0, alpha=0.25, rasterized=True,
        )  # fmt: skip
        line = stability_plot_data(words, measure)
        ax.plot(line["count"], line[measure], color=VERMILLION, linewidth=1.8)
        log_axis(ax, "x")
        if measure == "exclusivity":
            _logit_axis(ax, drawn)
        else:
            log_axis(ax, "y")
        name_axes(ax, "occurrences in the corpus", MEASURES[measure])
    return ax


def stability_figure(words: pd.DataFrame, n_topics: int) -> Figure:
    """Draw all measures in rows and all models in columns.

    Parameters
    ----------
    words
        The result of `frex.evaluate.stability_words`.
    n_topics
        Number of topics of the models.
    """
    from frex.evaluate.stability import MEASURES  # noqa: PLC0415 - as above
    from frex.evaluate.unsupervised import TITLES  # noqa: PLC0415

    models = list(dict.fromkeys(words["model"]))
    with calm():
        figure = new_figure(1.0 + 2.9 * len(models), 0.6 + 2.5 * len(MEASURES))
        grid = figure.subplots(len(MEASURES), len(models), sharex=True, sharey="row", squeeze=False)
        for row, measure in zip(grid, MEASURES, strict=True):
            for ax, model in zip(row, models, strict=True):
                stability_plot(words[words["model"] == model], measure, ax=ax)
        for ax, model in zip(grid[0], models, strict=True):
            ax.set_title(TITLES[model], loc="left", fontsize=9, color=GREY, **PLAIN)
        for ax in grid[:-1].ravel():
            ax.set_xlabel("")
        for ax in grid[:, 1:].ravel():
            ax.set_ylabel("")
        figure.suptitle(
            f"Words of {n_topics} topics: rare ones beside frequent ones",
            x=0.01, ha="left", fontsize=10.5, fontweight="bold", **PLAIN,
        )  # fmt: skip
    return figure


def _scaled(values: NDArray[np.float64], measure: str) -> NDArray[np.float64]:
    if measure == "exclusivity":
        inside = np.clip(values, _NEAREST, 1 - _NEAREST)
        return np.log(inside) - np.log1p(-inside)
    return np.log(np.maximum(values, np.finfo(np.float64).tiny))


def _unscaled(values: NDArray[np.float64], measure: str) -> NDArray[np.float64]:
    return 1 / (1 + np.exp(-values)) if measure == "exclusivity" else np.exp(values)


def _logit_axis(ax: Axes, values: NDArray[np.float64]) -> None:
    """Spread the ends of the unit interval, with plain numbers."""
    ax.set_yscale("logit")
    inside = [0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999]
    ticks = [t for t in inside if values.min() <= t <= values.max()]
    ax.set_yticks(ticks, [f"{t:g}" for t in ticks], **PLAIN)
    ax.set_yticks([], minor=True)
