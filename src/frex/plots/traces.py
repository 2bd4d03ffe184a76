"""Trace and rank plots of a parameter, by chain.

Chains that have converged have overlapping traces, and ranks among all draws that are uniform in
every chain (Vehtari, Gelman, Simpson, Carpenter and Bürkner, 2021).
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd
from scipy.stats import hypergeom, rankdata

from frex.errors import InputError
from frex.plots.style import (
    CYCLE,
    GREY,
    PALE,
    PLAIN,
    calm,
    count_axis,
    dressed,
    name_axes,
    new_figure,
    shorten,
)
from frex.posterior import HYPERPARAMETERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

    from frex.posterior import Posterior

BINS = 20
"""Number of bins of ranks; fewer if a chain has less than 5 draws per bin."""


def trace_plot_data(posterior: Posterior, element: str) -> pd.DataFrame:
    """Return a row for each draw: `chain` and `draw`, counted from 1, `value`, and its `rank`.

    The rank is among the draws of all chains; ties share the average rank.

    Parameters
    ----------
    posterior
        The fit.
    element
        A parameter by its name in the diagnosis: ``dispersion_df``, ``affinity_mean[Sports]``,
        ``log_rates[goal, Sports]``.
    """
    values = _draws(posterior, element)
    n_chains, n_draws = values.shape
    return pd.DataFrame({
        "chain": np.repeat(np.arange(1, n_chains + 1), n_draws),
        "draw": np.tile(np.arange(1, n_draws + 1), n_chains),
        "value": values.ravel(),
        "rank": rankdata(values).ravel(),
    })  # fmt: skip


def rank_plot_data(posterior: Posterior, element: str) -> pd.DataFrame:
    """Return a row for each chain and bin of ranks: `chain`, `low`, `high`, `count`.

    Parameters
    ----------
    posterior, element
        As in `trace_plot_data`.
    """
    data = trace_plot_data(posterior, element)
    n_bins = _n_bins(posterior.n_draws)
    edges = np.linspace(0.5, len(data) + 0.5, n_bins + 1)
    return pd.concat([
        pd.DataFrame({
            "chain": chain, "low": edges[:-1], "high": edges[1:],
            "count": np.histogram(draws["rank"], edges)[0],
        })
        for chain, draws in data.groupby("chain")
    ], ignore_index=True)  # fmt: skip


def trace_plot(posterior: Posterior, element: str, *, ax: Axes | None = None) -> Axes:
    """Draw the trace of a parameter, with a line for each chain.

    Parameters
    ----------
    posterior, element
        As in `trace_plot_data`.
    ax
        Where to draw; a new figure where left out.
    """
    data = trace_plot_data(posterior, element)
    with calm():
        ax = dressed(ax, 5.6, 2.4)
        for chain in range(1, posterior.n_chains + 1):
            draws = data[data["chain"] == chain]
            ax.plot(draws["draw"], draws["value"], linewidth=0.7, alpha=0.85, **_line(chain))
        ax.set_xlim(1, max(posterior.n_draws, 2))
        name_axes(ax, "draw", "")
        ax.set_title(shorten(element, 40), loc="left", fontsize=9, **PLAIN)
    return ax


def rank_plot(posterior: Posterior, element: str, *, ax: Axes | None = None) -> Axes:
    """Draw the distribution of the ranks of a parameter's draws, with a line for each chain.

    The grey band contains nine in ten counts of independent draws.

    Parameters
    ----------
    posterior, element
        As in `trace_plot_data`.
    ax
        Where to draw; a new figure where left out.
    """
    data = rank_plot_data(posterior, element)
    total, n_draws = posterior.n_chains * posterior.n_draws, posterior.n_draws
    in_bin = round(total / _n_bins(n_draws))
    with calm():
        ax = dressed(ax, 5.6, 2.4)
        ax.axhspan(*hypergeom(total, in_bin, n_draws).interval(0.9), color=PALE, alpha=0.35, lw=0)
        ax.axhline(n_draws / _n_bins(n_draws), color=GREY, linewidth=0.7, linestyle=(0, (4, 3)))
        for chain in range(1, posterior.n_chains + 1):
            bins = data[data["chain"] == chain]
            edges = [*bins["low"], bins["high"].iloc[-1]]
            ax.stairs(bins["count"], edges, baseline=None, linewidth=1.2, **_line(chain))
        ax.set_xlim(0.5, total + 0.5)
        ax.set_ylim(0, 1.1 * data["count"].max())
        count_axis(ax)
        name_axes(ax, "rank among all draws", "draws")
        ax.set_title(shorten(element, 40), loc="left", fontsize=9, **PLAIN)
    return ax


def trace_figure(
    posterior: Posterior,
    elements: Sequence[str] | None = None,
    *,
    kind: Literal["trace", "rank"] = "trace",
) -> Figure:
    """Draw a panel for each of several parameters.

    Parameters
    ----------
    posterior
        The fit.
    elements
        The parameters, as in `trace_plot_data`; by default the scalar hyperparameters.
    kind
        ``"trace"`` or ``"rank"``.
    """
    require_draws(posterior)
    names = [name for name in HYPERPARAMETERS if posterior.draws[name].ndim == 2]
    chosen = list(elements) if elements else names
    draw, what = (trace_plot, "Traces") if kind == "trace" else (rank_plot, "Ranks")
    n_columns = min(2, len(chosen))
    n_rows = -(-len(chosen) // n_columns)
    with calm():
        figure = new_figure(3.9 * n_columns, 1.9 * n_rows + 0.4)
        panels = figure.subplots(n_rows, n_columns, squeeze=False).ravel()
        for ax, element in zip(panels, chosen, strict=False):
            draw(posterior, element, ax=ax)
        for ax in panels[len(chosen) :]:
            ax.remove()
        figure.legend(
            *panels[0].get_legend_handles_labels(), loc="outside upper right", frameon=False,
            ncols=min(posterior.n_chains, 4),
        )  # fmt: skip
        counted = f"{posterior.n_chains} chains of {posterior.n_draws:,} draws"
        figure.suptitle(f"{what} of {counted}", x=0.01, ha="left", fontsize=10.5, fontweight="bold")
    return figure


def require_draws(posterior: Posterior) -> None:
    """Raise an error for a fit without draws."""
    if not posterior.n_draws:
        raise InputError(
            "the fit has no draws, so there is no trace of it"
            if posterior.settings.get("method") == "map"
            else "the fit was stopped before its first draw",
            remedy="Fit with --method sample.",
        )


def _draws(posterior: Posterior, element: str) -> NDArray[np.float64]:
    """Return the draws of one element, chains x draws."""
    require_draws(posterior)
    name, draws = element.partition("[")[0], None
    known: list[str] = []
    for variable, array in posterior.draws.items():
        labels = posterior.element_names(variable, array.shape[2:])
        known += labels
        if variable == name and element in labels:
            draws = array.reshape(*array.shape[:2], -1)[..., labels.index(element)]
    if draws is None:
        close = difflib.get_close_matches(element, known, n=3) or known[:3]
        raise InputError(
            f"no draws are kept of {element!r}",
            remedy=f"Choose what was drawn, such as {' or '.join(close)}.",
        )
    return np.asarray(draws)


def _line(chain: int) -> dict[str, Any]:
    return {"color": CYCLE[(chain - 1) % len(CYCLE)], "label": f"chain {chain}"}


def _n_bins(n_draws: int) -> int:
    return max(1, min(BINS, n_draws // 5))
