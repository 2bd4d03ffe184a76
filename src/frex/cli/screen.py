"""What the command line shows: tables, progress bars, complaints."""

from __future__ import annotations

import json
import math
import re
import textwrap
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_LONGEST_NAME = 60  # characters of a topic's name in a list or a table for people
_NARROW = 40  # no terminal is narrower
_MARGIN = re.compile(r" *(- )?")  # before a line's text
_GAP = 2  # between columns of a table
_SHORTEST = 24  # a text of a table is not shortened to less, so that figures with intervals stay


class Format(StrEnum):
    """How a table is printed."""

    table = "table"
    csv = "csv"
    json = "json"
    markdown = "markdown"


def complain(message: str) -> None:
    """Write an error to standard error, in red where that is a terminal."""
    typer.secho(_folded(f"error: {message}", stderr=True), err=True, fg="red")


def say(message: str = "") -> None:
    """Write a line to standard output."""
    typer.echo(message)


def tell(message: str) -> None:
    """Write sentences to standard output: a terminal gets lines that end between words."""
    say(_folded(message, stderr=False))


def _folded(message: str, *, stderr: bool) -> str:
    """Return text with its long lines folded for a terminal, and as it is for a file or a pipe."""
    lines = message.split("\n")
    if max(map(len, lines)) <= _NARROW:
        return message
    width = terminal_width(stderr=stderr)
    return message if width is None else "\n".join(_fold(line, width) for line in lines)


def _fold(line: str, width: int) -> str:
    """Fold a line between words; what follows stands below its text, not below its mark."""
    if len(line) <= width:
        return line
    blank = " " * len(_MARGIN.match(line)[0])  # type: ignore[index]  # it matches nothing too
    return textwrap.fill(
        line, width, subsequent_indent=blank, break_long_words=False, break_on_hyphens=False
    )


def terminal_width(*, stderr: bool = False) -> int | None:
    """Return the columns of the terminal; None where a file or a pipe is written."""
    from rich.console import Console  # noqa: PLC0415 - keeps `frex --help` quick

    console = Console(stderr=stderr)
    return console.width if console.is_terminal else None


def counted(n: int, noun: str) -> str:
    """Write a number of things: 1 label, 2 labels."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def size(n_bytes: int) -> str:
    """Write the size of a file."""
    kilobytes = n_bytes / 1e3
    return f"{kilobytes / 1e3:,.1f} MB" if kilobytes >= 1000 else f"{max(1, round(kilobytes))} kB"


def share(value: float) -> str:
    """Write a share as a percentage; nothing where there is none."""
    return "" if value != value else f"{100 * value:.1f}"  # noqa: PLR0124 - NaN is not itself


def show_table(
    columns: Mapping[str, Sequence[Any]],
    form: Format,
    *,
    text: Mapping[str, Callable[[Any], str]] | None = None,
    spare: Sequence[str] = (),
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
    spare
        Columns that a narrow terminal goes without, the last one first, if the rest fits then.
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
        _print_rich(list(columns), cells, right, spare)


def _is_not_finite(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _print_markdown(names: list[str], cells: list[list[str]], right: list[bool]) -> None:
    say(f"| {' | '.join(names)} |")
    say(f"|{'|'.join('---:' if r else '---' for r in right)}|")
    for row in cells:
        say(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |")


def _print_rich(
    names: list[str], cells: list[list[str]], right: list[bool], spare: Sequence[str]
) -> None:
    """Print aligned columns; where the terminal is narrow texts are shortened, figures never."""
    from rich.console import Console  # noqa: PLC0415 - keeps `frex --help` quick
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    rows = [names, *cells] if right else [names]
    widths = [max(map(cell_width, column)) for column in zip(*rows, strict=True)]
    console = Console()
    shown = set(range(len(names)))
    wanted = sum(widths) + _GAP * (len(widths) - 1)
    if not console.is_terminal:
        console = Console(width=wanted + 1)  # what goes into a file or a pipe is not cut
    for name in reversed(spare):
        if wanted > console.width:
            column = names.index(name)
            shown.discard(column)
            wanted -= widths[column] + _GAP
    widths = _shortened(widths, right, wanted - console.width)
    wanted = sum(widths[column] + _GAP for column in shown) - _GAP
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in sorted(shown):
        table.add_column(
            Text(names[column], no_wrap=True, overflow="ellipsis"),
            justify="right" if right and right[column] else "left",
            width=widths[column],
            no_wrap=True,
        )
    for row in cells:  # Text: brackets in a name are no markup
        table.add_row(*(Text(cell) for column, cell in enumerate(row) if column in shown))
    # a row that is still too wide is the terminal's to break: rich would cut it
    Console(width=max(console.width, wanted)).print(table)
    gone = [name for column, name in enumerate(names) if column not in shown]
    if gone:
        say(f"\nNo room for {', '.join(gone)}: a wider window, or --format csv.")


def _shortened(widths: Sequence[int], right: Sequence[bool], excess: int) -> list[int]:
    """Return the widths of columns with the excess taken off the widest texts, as far as it can."""
    widths = list(widths)
    texts = [c for c in range(len(widths)) if not (right and right[c]) and widths[c] > _SHORTEST]
    for _ in range(excess):
        widest = max(texts, key=widths.__getitem__, default=None)
        if widest is None or widths[widest] == _SHORTEST:
            break
        widths[widest] -= 1
    return widths


def cell_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a character of Chinese."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len  # noqa: PLC0415 - keeps `frex --help` quick

    return cell_len(text)


def brief(text: str) -> str:
    """Return a shortened name, to leave space for the other columns."""
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1].rstrip()}…"


def padded(text: str, width: int) -> str:
    """Return a text with blanks behind it up to a width in a terminal."""
    return text + " " * (width - cell_width(text))


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
