"""Plots of a study's results: the paper's figures of section 4.6."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError
from frex.plots.style import (
    CYCLE,
    GREY,
    INK,
    PALE,
    PLAIN,
    calm,
    count_axis,
    dressed,
    head,
    legend,
    name_axes,
    new_figure,
    shorten,
)
from frex.study.records import MEASURES, NOBODY, in_order

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

_TITLES = {
    "intrusion": ("Word intrusion", "share of questions in which the intruder was found"),
    "rating": ("Coherence", "mean rating, from 1 to 3"),
    "preference": ("Preference", "share of tasks in which the summary was preferred"),
}
_MARKS = "so^Dv<>p"
_CHANCE = 1 / 6  # of finding the intruder among six words
_BINS = [1 + k / 4 for k in range(9)]


def study_plot_data(results: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Return the estimates of one measure, one row for each group and strategy.

    Parameters
    ----------
    results
        The result of `frex.study.analyse`.
    measure
        ``"intrusion"``, ``"rating"`` or ``"preference"``.
    """
    if measure not in MEASURES:
        raise InputError(
            f"there is no measure {measure!r}", remedy=f"Choose {', '.join(MEASURES)}."
        )
    rows = results[(results["measure"] == measure) & (results["minus"] == "")]
    if rows.empty:
        raise InputError(f"nothing was answered about {measure}", remedy="Choose another measure.")
    return rows.drop(columns=["measure", "minus"]).reset_index(drop=True)


def study_plot(results: pd.DataFrame, measure: str, *, ax: Axes | None = None) -> Axes:
    """Draw a point with its interval for each strategy, by group.

    Parameters
    ----------
    results, measure
        As for `study_plot_data`.
    ax
        Where to draw; a new figure if None.
    """
    data = study_plot_data(results, measure)
    groups, strategies = (in_order(data[name]) for name in ("group", "strategy"))
    with calm():
        ax = dressed(ax, 4.6, 3.4)
        for number, strategy in enumerate(strategies):
            own = data[data["strategy"] == strategy]
            shift = 0.5 * ((number + 0.5) / len(strategies) - 0.5)
            ax.errorbar(
                [groups.index(group) + shift for group in own["group"]], own["estimate"],
                yerr=_whiskers(own), fmt=_MARKS[number % 8], markersize=5, linewidth=1.2,
                color=GREY if strategy == NOBODY else CYCLE[number % 6], label=strategy,
                linestyle=":" if len(groups) > 1 else "none",
            )  # fmt: skip
        ax.set_xticks(range(len(groups)), [shorten(group) for group in groups], **PLAIN)
        ax.set_xlim(-0.5, len(groups) - 0.5)
        ax.grid(visible=False, axis="x")
        if measure == "rating":
            ax.set_ylim(0.95, 3.05)
        else:
            ax.set_ylim(-0.02, 1.02)
        if measure == "intrusion":
            ax.axhline(_CHANCE, color=GREY, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
            ax.annotate(
                "chance", (1, _CHANCE), xycoords=("axes fraction", "data"), xytext=(-2, 2),
                textcoords="offset points", ha="right", fontsize=7, color=GREY, **PLAIN,
            )  # fmt: skip
        head(ax, *_TITLES[measure])
        name_axes(ax, "group" if len(groups) > 1 else "", "")
        legend(ax, loc="upper left", bbox_to_anchor=(0.0, -0.12), ncols=2)
    return ax


def study_figure(results: pd.DataFrame) -> Figure:
    """Return a figure with all measures side by side.

    Parameters
    ----------
    results
        The result of `frex.study.analyse`.
    """
    measured = [name for name in MEASURES if name in set(results["measure"])]
    with calm():
        figure = new_figure(4.2 * len(measured), 3.8)
        axes = figure.subplots(1, len(measured), squeeze=False)[0]
        for ax, measure in zip(axes, measured, strict=True):
            study_plot(results, measure, ax=ax)
    return figure


def topic_ratings_plot_data(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the mean rating of each topic's summary.

    Columns: `group`, `strategy`, `topic`, `rating`, and the number of `answers`.

    Parameters
    ----------
    rows
        The result of `frex.study.answer_table`.
    """
    rated = rows[rows["measure"] == "rating"]
    if rated.empty:
        raise InputError("no summary was rated", remedy="Let evaluators answer coherence tasks.")
    means = rated.groupby(["group", "strategy", "topic"], sort=False, observed=True)["value"]
    return means.agg(rating="mean", answers="size").reset_index()


def topic_ratings_figure(rows: pd.DataFrame) -> Figure:
    """Draw the distribution of topics' mean ratings, groups in rows and strategies in columns.

    Parameters
    ----------
    rows
        As for `topic_ratings_plot_data`.
    """
    data = topic_ratings_plot_data(rows)
    groups, strategies = (in_order(data[name]) for name in ("group", "strategy"))
    with calm():
        figure = new_figure(2.6 * len(strategies), 0.7 + 1.7 * len(groups))
        grid = figure.subplots(
            len(groups), len(strategies), squeeze=False, sharex=True, sharey="row"
        )
        for line, group in zip(grid, groups, strict=True):
            for ax, strategy in zip(line, strategies, strict=True):
                own = data[(data["group"] == group) & (data["strategy"] == strategy)]["rating"]
                dressed(ax).hist(own, bins=_BINS, color=PALE, edgecolor="white")
                count_axis(ax)
                if len(own):
                    ax.axvline(own.mean(), color=INK, linewidth=1)
                if group == groups[0]:
                    head(ax, shorten(strategy))
                if group == groups[-1]:
                    name_axes(ax, "mean rating of a topic", "")
            line[0].set_ylabel(shorten(f"topics, group {group}" if group else "topics"), **PLAIN)
    return figure


def _whiskers(rows: pd.DataFrame) -> NDArray[np.float64]:
    """Return the lengths of intervals below and above the estimates; 0 without an interval."""
    ends = np.stack([rows["estimate"] - rows["low"], rows["high"] - rows["estimate"]])
    return np.asarray(np.nan_to_num(np.maximum(ends, 0)))
