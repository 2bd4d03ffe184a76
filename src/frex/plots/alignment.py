"""Coverage of a labelled fit by the topics of models: a curve for each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.plots.style import CYCLE, GREY, calm, dressed, head, legend, name_axes

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from matplotlib.axes import Axes

    from frex.evaluate import Alignment


def coverage_plot_data(found: Mapping[str, Alignment]) -> pd.DataFrame:
    """Return the concatenated coverage tables of several models, with a column `model`.

    Parameters
    ----------
    found
        Results of `frex.evaluate.alignment` by the models' names.
    """
    import pandas as pd  # noqa: PLC0415 - plots of a fit need none

    tables = [aligned.coverage.assign(model=name) for name, aligned in found.items()]
    return pd.concat(tables, ignore_index=True)


def coverage_plot(found: Mapping[str, Alignment], *, ax: Axes | None = None) -> Axes:
    """Draw the share of nodes with a topic within a divergence, against the divergence.

    Parameters
    ----------
    found
        As for `coverage_plot_data`.
    ax
        Where to draw; a new figure by default.

    Returns
    -------
    matplotlib.axes.Axes
        The Axes of the plot.
    """
    rows = coverage_plot_data(found)
    with calm():
        ax = dressed(ax)
        for number, name in enumerate(found):
            own = rows[rows["model"] == name]
            colour = CYCLE[number % len(CYCLE)]
            ax.plot(own["divergence"], own["covered"], color=colour, linewidth=1.6, label=name)
            ax.fill_between(
                own["divergence"], own["low"], own["high"], color=colour, alpha=0.15, linewidth=0
            )
        first = rows[rows["model"] == rows["model"].iloc[0]]
        ax.plot(
            first["divergence"], first["possible"], color=GREY, linewidth=1.0,
            linestyle=(0, (4, 3)), label="the fit's own rates",
        )  # fmt: skip
        ax.set(xlim=(0, 1), ylim=(0, 1.02))
        name_axes(ax, "divergence of the nearest topic, at most", "share of nodes")
        head(ax, "Coverage", "Nodes that a topic of the model is near to; bands are of draws")
        legend(ax, loc="lower right")
    return ax
