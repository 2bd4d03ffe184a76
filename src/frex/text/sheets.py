"""Documents in the rows of a spreadsheet: the first sheet of an `.xlsx` file."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.errors import InputError, require
from frex.storage.packed import most_unpacked
from frex.text.batches import BLOCK, RecordBatch
from frex.text.tables import columns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frex.text.batches import Record
    from frex.text.documents import Fields


def read_sheet(path: str, fields: Fields) -> Iterator[RecordBatch]:
    """Yield the records of a spreadsheet, whose first row names the columns.

    Parameters
    ----------
    path
        The file; of several sheets the first is read.
    fields
        The columns to read.
    """
    openpyxl = require("openpyxl", "xlsx", "reading spreadsheets")
    size = Path(path).stat().st_size
    try:
        _check_growth(path, size)
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise InputError(
            f"is not a sound spreadsheet: {error}",
            path=path,
            remedy="Save it again as .xlsx, or as CSV.",
        ) from error
    try:
        yield from _batches(path, book.worksheets[0], fields, size)
    finally:
        book.close()


def _batches(path: str, sheet: Any, fields: Fields, size: int) -> Iterator[RecordBatch]:
    rows = enumerate(sheet.iter_rows(values_only=True), start=1)
    columns: dict[str, int] | None = None
    records: list[tuple[int, Record]] = []
    n_characters = 0
    for line, row in rows:
        if all(cell is None or cell == "" for cell in row):
            continue
        if columns is None:
            header = ["" if cell is None else str(cell).strip() for cell in row]
            columns = columns_of(header, fields, path, line)
            continue
        record: dict[str, Any] = {n: row[c] if c < len(row) else None for n, c in columns.items()}
        texts = {name: "" if record[name] is None else str(record[name]) for name in fields.text}
        records.append((line, record | texts))
        n_characters += 64 + sum(map(len, texts.values()))
        if n_characters >= BLOCK:
            yield RecordBatch(path, records, fields, 0)
            records, n_characters = [], 0
    if columns is None:
        raise InputError("the first sheet is empty", path=path, remedy="Put the documents there.")
    yield RecordBatch(path, records, fields, size)


def _check_growth(path: str, size: int) -> None:
    """Raise an error for a file that expands more than text does."""
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(member.file_size for member in archive.infolist())
    if unpacked > most_unpacked(size):
        raise InputError(
            f"is to be unpacked from {size:,} bytes into {unpacked:,}",
            path=path,
            remedy="Check where it comes from.",
        )
