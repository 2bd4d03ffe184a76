"""How the results of a study are shown and drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex import plots
from frex.cli.screen import Format, show_table
from frex.study import MEASURES
from frex.study.plots import study_figure, topic_ratings_figure

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd


def check_plots(*paths: Path | None, overwrite: bool) -> None:
    """Refuse files that cannot be drawn to, before the work is done."""
    for path in filter(None, paths):
        plots.check_file(path, overwrite=overwrite)


def show(results: pd.DataFrame, form: Format) -> None:
    """Print what `analyse` returned."""
    for_people = form in (Format.table, Format.markdown)
    show_table(_for_people(results) if for_people else _long(results), form)


def draw(
    results: pd.DataFrame,
    rows: pd.DataFrame,
    plot: Path | None,
    topics_plot: Path | None,
    *,
    overwrite: bool,
) -> None:
    """Draw the results, and how ratings of topics are distributed, where that was asked for."""
    if plot is not None:
        plots.write_figure(study_figure(results), plot, overwrite=overwrite)
    if topics_plot is not None:
        plots.write_figure(topic_ratings_figure(rows), topics_plot, overwrite=overwrite)


def _long(results: pd.DataFrame) -> dict[str, list[Any]]:
    return {str(name): results[name].tolist() for name in results.columns}


def _for_people(results: pd.DataFrame) -> dict[str, list[Any]]:
    """Return the table with intervals behind estimates, and without a column that says nothing."""
    compared = zip(results["strategy"], results["minus"], strict=True)
    values = zip(results["estimate"], results["low"], results["high"], strict=True)
    columns = {
        "measure": [MEASURES[measure] for measure in results["measure"]],
        "group": results["group"].tolist(),
        "strategy": [f"{first} - {second}" if second else first for first, second in compared],
        "estimate (interval)": [
            f"{value:.2f}" + (f" ({low:.2f} to {high:.2f})" if low == low else "")  # noqa: PLR0124 - NaN
            for value, low, high in values
        ],
    } | {name: results[name].tolist() for name in ("answers", "evaluators", "topics")}
    if not any(columns["group"]):
        del columns["group"]
    return columns
