"""Comparison of classifiers by each measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.plots.style import CYCLE, INK, calm, dressed, head, legend, name_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from matplotlib.axes import Axes

SHOWN = (
    "micro_precision", "micro_recall", "micro_f1", "macro_precision", "macro_recall", "macro_f1",
    "hierarchical_f1", "ranking_precision", "precision_at_1",
)  # fmt: skip
"""Measures from 0 to 1; larger is better."""


def classification_plot_data(rows: pd.DataFrame, measures: Sequence[str] = SHOWN) -> pd.DataFrame:
    """Return mean and standard deviation of each measure and model, in the order of measures.

    Parameters
    ----------
    rows
        The result of `frex.evaluate.classification`.
    measures
        Some of `frex.evaluate.MEASURES`.
    """
    from frex.evaluate import summarize  # noqa: PLC0415 - plots of a fit need none of its kernels

    table = summarize(rows)
    order = {name: place for place, name in enumerate(measures)}
    table = table[table["measure"].isin(order)]
    return table.sort_values("measure", key=lambda names: names.map(order), kind="stable")


def classification_plot(
    rows: pd.DataFrame, measures: Sequence[str] = SHOWN, *, ax: Axes | None = None
) -> Axes:
    """Draw a point for each model and measure, with its standard deviation over repeats.

    Parameters
    ----------
    rows, measures
        As for `classification_plot_data`.
    ax
        Where to draw; a new figure if None.
    """
    from frex.evaluate import MEASURES  # noqa: PLC0415 - as above

    data = classification_plot_data(rows, measures)
    models = list(dict.fromkeys(data["model"]))
    with calm():
        ax = dressed(ax, 6.4, 0.9 + 0.5 * len(measures))
        places = np.arange(len(measures), dtype=np.float64)
        for number, model in enumerate(models):
            own = data[data["model"] == model]
            shift = 0.6 * ((number + 0.5) / len(models) - 0.5)
            ax.errorbar(
                own["mean"], places + shift, xerr=own["sd"].fillna(0.0), fmt="so^Dv<>p"[number % 8],
                color=(*CYCLE, INK)[number % 7], markersize=4, linewidth=1, label=model,
            )  # fmt: skip
        ax.set_yticks(places, [MEASURES[name] for name in measures])
        ax.set_ylim(len(measures) - 0.5, -0.5)
        ax.grid(visible=False, axis="y")
        repeats = int(data["repeats"].max())
        times = f"mean and standard deviation of {repeats} repeats" if repeats > 1 else "one repeat"
        head(ax, "Classification", times)
        name_axes(ax, "", "")
        legend(ax, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax
