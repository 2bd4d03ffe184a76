"""Readers of text and tables."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.errors import InputError
from frex.storage.lines import unguarded

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike


def read_text(path: str | PathLike[str]) -> str:
    """Return the text of a UTF-8 file, with or without a byte order mark."""
    try:
        return Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError as error:
        raise InputError("does not exist", path=path, remedy="Check the path.") from error
    except UnicodeDecodeError as error:
        raise InputError("is not UTF-8 text", path=path, remedy="Save it as UTF-8.") from error


def read_rows(path: str | PathLike[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a CSV file with a header, with their last line numbers.

    The apostrophe that guards against formulas is removed.
    """
    reader = csv.DictReader(io.StringIO(read_text(path), newline=""), strict=True)
    try:
        for row in reader:
            yield reader.line_num, {name: _plain(cell) for name, cell in row.items()}
    except csv.Error as error:
        raise InputError(
            f"is not CSV: {error}", path=path, line=reader.line_num, remedy="Correct the line."
        ) from error


def _plain(cell: Any) -> Any:
    return unguarded(cell) if isinstance(cell, str) else cell  # a list, if a row has too many cells
