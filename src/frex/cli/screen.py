"""What the command line shows: tables, progress bars, complaints."""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_WIDE = 240  # columns of output that goes into a file or a pipe, where nothing should be cut


class Format(StrEnum):
    """How a table is printed."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


def complain(message: str) -> None:
    """Write an error to standard error, in red where that is a terminal."""
    typer.secho(f"error: {message}", err=True, fg="red")


def say(message: str = "") -> None:
    """Write a line to standard output."""
    typer.echo(message)


def share(value: float) -> str:
    """Write a share as a percentage; nothing where there is none."""
    return "" if value != value else f"{100 * value:.1f}"  # noqa: PLR0124 - NaN is not itself


def show_table(
    columns: Mapping[str, Sequence[Any]],
    form: Format,
    *,
    text: Mapping[str, Callable[[Any], str]] | None = None,
) -> None:
    """Print a table.

    Parameters
    ----------
    columns
        Its columns by name.
    form
        Table and markdown are for people, csv and json for programs: there a number that is not
        finite is left empty, or null.
    text
        How to write a column's values for people.
    """
    rows = list(zip(*columns.values(), strict=True))
    if form is Format.csv:
        from frex.storage.lines import csv_line  # noqa: PLC0415 - keeps `frex --help` quick

        say("".join(map(csv_line, [columns, *rows])).removesuffix("\n"))
        return
    if form is Format.json:
        plain = [[None if _is_not_finite(cell) else cell for cell in row] for row in rows]
        named = [dict(zip(columns, row, strict=True)) for row in plain]
        say(json.dumps(named, indent=1, allow_nan=False))
        return
    write = [(text or {}).get(name, str) for name in columns]
    cells = [[f(cell) for f, cell in zip(write, row, strict=True)] for row in rows]
    right = [not rows or not isinstance(cell, str) for cell in rows[0]] if rows else []
    if form is Format.markdown:
        _print_markdown(list(columns), cells, right)
    else:
        _print_rich(list(columns), cells, right)


def _is_not_finite(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _print_markdown(names: list[str], cells: list[list[str]], right: list[bool]) -> None:
    say(f"| {' | '.join(names)} |")
    say(f"|{'|'.join('---:' if r else '---' for r in right)}|")
    for row in cells:
        say(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |")


def _print_rich(names: list[str], cells: list[list[str]], right: list[bool]) -> None:
    from rich.console import Console  # noqa: PLC0415 - keeps `frex --help` quick
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, is_number in zip(names, right, strict=True):
        table.add_column(name, justify="right" if is_number else "left", no_wrap=True)
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))  # Text: brackets in a name are no markup
    console = Console()
    (console if console.is_terminal else Console(width=_WIDE)).print(table)


@contextmanager
def progress(what: str, total: int | None = None, *, unit: str) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error while the block runs; yield its step function.

    Parameters
    ----------
    what
        What is being done.
    total
        How many steps there are; None where that is not known.
    unit
        What a step is: ``"B"`` for bytes, or a word such as ``"documents"``.
    """
    from rich import progress as rich  # noqa: PLC0415 - keeps `frex --help` quick
    from rich.console import Console  # noqa: PLC0415

    in_bytes = unit == "B"
    console = Console(stderr=True)
    columns = [
        rich.TextColumn("{task.description}"),
        *([] if total is None else [rich.BarColumn()]),
        rich.DownloadColumn() if in_bytes else rich.MofNCompleteColumn(),
        rich.TransferSpeedColumn() if in_bytes else rich.TextColumn(unit),
        rich.TimeElapsedColumn(),
        *([] if total is None else [rich.TimeRemainingColumn()]),
    ]
    with rich.Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(what, total=total)
        yield lambda n: bar.advance(task, n)
