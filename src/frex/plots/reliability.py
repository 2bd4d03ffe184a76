"""Reliability diagram: observed against expected frequencies of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.plots.style import CYCLE, INK, calm, dressed, head, legend, name_axes

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

FEWEST = 20
"""Least number of labels of a point."""


def reliability_plot_data(bands: pd.DataFrame) -> pd.DataFrame:
    """Return mean probability and share of labels, by tenths of probability.

    Parameters
    ----------
    bands
        The result of `frex.evaluate.summarize_bands`.
    """
    own = bands[(bands["by"] == "probability") & (bands["labels"] >= FEWEST)]
    return own[["model", "low", "high", "labels", "expected", "observed", "error"]]


def reliability_plot(bands: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw the observed frequency of labels against their predicted probability.

    Error bars extend two standard errors to either side.

    Parameters
    ----------
    bands
        As for `reliability_plot_data`.
    ax
        Where to draw; a new figure if None.
    """
    data = reliability_plot_data(bands)
    with calm():
        ax = dressed(ax, 4.8, 4.4)
        ax.plot([0, 1], [0, 1], color=INK, linewidth=0.8, linestyle=":")
        for number, model in enumerate(dict.fromkeys(data["model"])):
            own = data[data["model"] == model]
            ax.errorbar(
                own["expected"], own["observed"], yerr=2.0 * own["error"], markersize=4,
                fmt="so^Dv<>p"[number % 8] + "-", color=CYCLE[number % len(CYCLE)], linewidth=1,
                label=model,
            )  # fmt: skip
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(-0.02, 1.02)
        head(ax, "Probabilities and frequencies", "labels of test documents, by tenths")
        name_axes(ax, "mean probability", "share that are labels")
        legend(ax, loc="upper left")
    return ax
