"""Quality of summaries against the number of topics, with a line for each strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.plots.style import (
    CYCLE,
    GREY,
    PLAIN,
    calm,
    dressed,
    head,
    legend,
    name_axes,
    new_figure,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, FigureBase


def summaries_plot_data(rows: pd.DataFrame, value: str) -> pd.DataFrame:
    """Return `strategy`, `model`, `ranking`, `topics` and `value`, sorted by strategy.

    Also `words`, `low` and `high`, if the rows have them.

    Parameters
    ----------
    rows
        The result of `frex.evaluate.diversity`, `coherence` or `intrusion`.
    value
        The column to show.
    """
    from frex.evaluate.unsupervised import strategy  # noqa: PLC0415 - plots of a fit need none

    named = rows.rename(columns={value: "value"})
    names = [
        strategy(model, by) for model, by in zip(named["model"], named["ranking"], strict=True)
    ]
    kept = [name for name in ("words", "low", "high") if name in named]
    data = named.assign(strategy=names)
    data = data[["strategy", "model", "ranking", "topics", "value", *kept]]
    return data.sort_values(["topics"], kind="stable").reset_index(drop=True)


def summaries_plot(data: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw a line for each strategy: a colour for each model, dashed for most frequent words.

    Parameters
    ----------
    data
        The result of `summaries_plot_data` for one length of summaries.
    ax
        Where to draw; a new figure if None.
    """
    models = list(dict.fromkeys(data["model"]))
    rankings = list(dict.fromkeys(data["ranking"]))
    topics = sorted(set(data["topics"]))
    with calm():
        ax = dressed(ax, 5.6, 3.8)
        for number, model in enumerate(models):
            for ranking in rankings:
                own = data[(data["model"] == model) & (data["ranking"] == ranking)]
                color, plain = CYCLE[number % len(CYCLE)], ranking == "frequency"
                # offset, so that equal values do not cover one another
                aside = 0.12 * (number + 0.5 * plain - 0.5 * len(models) + 0.25)
                x = np.searchsorted(topics, own["topics"]) + aside
                ax.plot(
                    x, own["value"], color=color, linewidth=1.2, markersize=4.5,
                    marker="so^D"[number % 4], markerfacecolor="white" if plain else color,
                    linestyle=(0, (4, 2)) if plain else "-", label=own["strategy"].iloc[0],
                )  # fmt: skip
                if "low" in own:
                    ax.vlines(x, own["low"], own["high"], color=color, linewidth=0.8)
        ax.set_xticks(range(len(topics)), [str(n) for n in topics], **PLAIN)
        name_axes(ax, "topics", "")
    return ax


def diversity_figure(rows: pd.DataFrame) -> Figure:
    """Draw the share of unique words, a panel for each length of summaries.

    Parameters
    ----------
    rows
        The result of `frex.evaluate.diversity` for one seed; for several seeds, that of
        `frex.evaluate.diversity.over_seeds`.
    """
    data = summaries_plot_data(rows, "unique")
    with calm():
        figure = new_figure(1.6 + 2.6 * data["words"].nunique(), 3.2)
        _draw_panels(figure, data, "Unique words in topic summaries", "share")
    return figure


def coherence_figure(rows: pd.DataFrame) -> Figure:
    """Draw both measures of coherence in rows, with a panel for each length of summaries.

    Parameters
    ----------
    rows
        The result of `frex.evaluate.coherence`.
    """
    from frex.evaluate.coherence import MEASURES  # noqa: PLC0415 - as above

    lengths = list(dict.fromkeys(rows["words"]))
    with calm():
        figure = new_figure(1.6 + 2.6 * len(lengths), 0.8 + 2.5 * len(MEASURES))
        parts = figure.subfigures(len(MEASURES), 1, squeeze=False)[:, 0]
        for part, (value, title) in zip(parts, MEASURES.items(), strict=True):
            _draw_panels(part, summaries_plot_data(rows, value), f"Coherence: {title}", title)
    return figure


def intrusion_plot(rows: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Draw the share of intruders that are found, with intervals.

    Parameters
    ----------
    rows
        The result of `frex.evaluate.intrusion`.
    ax
        Where to draw; a new figure if None.
    """
    from frex.evaluate.intrusion import CHANCE, LEVEL  # noqa: PLC0415 - as above

    with calm():
        ax = summaries_plot(summaries_plot_data(rows, "accuracy"), ax=ax)
        ax.axhline(CHANCE, color=GREY, linewidth=0.7, linestyle=(0, (4, 3)), zorder=1)
        ax.set_ylim(0, 1.02)
        head(ax, "Intruders found", f"intervals of {100 * LEVEL:g} %; dashed in grey: by chance")
        name_axes(ax, "topics", "share of questions")
        legend(ax, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return ax


def _draw_panels(figure: FigureBase, data: pd.DataFrame, title: str, measure: str) -> None:
    """Draw a panel for each length of summaries."""
    lengths = list(dict.fromkeys(data["words"]))
    panels = figure.subplots(1, len(lengths), sharey=True, squeeze=False)[0]
    for ax, n in zip(panels, lengths, strict=True):
        summaries_plot(data[data["words"] == n], ax=ax)
        ax.set_title(f"{n} words", loc="left", fontsize=9, color=GREY, **PLAIN)
    panels[0].set_ylabel(measure, **PLAIN)
    figure.suptitle(title, x=0.01, ha="left", fontsize=10.5, fontweight="bold", **PLAIN)
    legend(panels[-1], loc="center left", bbox_to_anchor=(1.0, 0.5))
