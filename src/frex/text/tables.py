"""Documents in the rows of a table: CSV, TSV and Parquet."""

from __future__ import annotations

import csv
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError, require
from frex.storage.packed import most_unpacked
from frex.text.batches import BLOCK, RecordBatch
from frex.text.documents import Broken, Fault, Fields, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from frex.text.batches import Record

LONGEST_FIELD = 32 << 20
"""The longest field in characters; the csv module's own limit of 128 Ki is too small for text."""


DELIMITERS = ",;\t"
"""Possible delimiters of a CSV file; the first wins if several fit a header equally well."""


def read_table(
    path: str,
    blocks: Iterable[tuple[int, bytes | Fault]],
    fields: Fields,
    delimiter: str | None,
    advance: Callable[[], int],
) -> Iterator[RecordBatch]:
    """Yield the records of a CSV or TSV file, whose first row names the columns.

    Parameters
    ----------
    path, blocks
        The file's name, and its bytes in blocks of whole lines.
    fields
        The columns to read.
    delimiter
        Delimiter of fields; None: a comma, a semicolon or a tab, by the first line.
    advance
        Returns the number of bytes of the file that were read since its last call.
    """
    records: list[tuple[int, Record]] = []
    size = 0
    for line, record in _table_records(path, blocks, fields, delimiter):
        records.append((line, record))
        size += 64 if isinstance(record, Broken) else sum(map(len, record.values()))
        if size >= BLOCK:
            yield RecordBatch(path, records, fields, advance())
            records, size = [], 0
    if records:
        yield RecordBatch(path, records, fields, advance())


def _table_records(
    path: str, blocks: Iterable[tuple[int, bytes | Fault]], fields: Fields, delimiter: str | None
) -> Iterator[tuple[int, Record]]:
    lines = _text_lines(blocks)
    try:
        head = _head(lines)
    except Fault as fault:
        raise fault.at(path, 1).error() from None
    delimiter = delimiter or _delimiter(head[-1] if head else "", fields)
    rows = csv.reader(chain(head, lines), delimiter=delimiter, strict=True)
    width = 0
    columns: dict[str, int] | None = None
    while True:
        line = rows.line_num + 1
        try:
            row = _next_row(rows, width)
        except StopIteration:
            return
        except Fault as fault:
            if columns is None:
                raise fault.at(path, line).error() from None
            yield line, fault.at(path, line)
            continue
        if columns is None and not "".join(row).strip():
            continue
        if columns is None:
            columns, width = columns_of(row, fields, path, line), len(row)
        elif row:
            yield line, {name: row[column] for name, column in columns.items()}


def _head(lines: Iterator[str]) -> list[str]:
    """Return the lines up to the first that is not blank."""
    head: list[str] = []
    for line in lines:
        head.append(line)
        if line.strip():
            break
    return head


def _delimiter(line: str, fields: Fields) -> str:
    """Return the delimiter that finds the most wanted columns in a header."""
    wanted = {name.casefold() for name in fields.names()}

    def fit(delimiter: str) -> tuple[int, int]:
        names = [name.strip().strip('"').casefold() for name in line.split(delimiter)]
        return len(wanted.intersection(names)), len(names)

    return max(DELIMITERS, key=fit)


def _next_row(rows: Any, width: int) -> list[str]:
    """Return the next row; a blank line is an empty row.

    The limit of a field is a global setting of the csv module, so it is restored.
    """
    limit = csv.field_size_limit(LONGEST_FIELD)
    try:
        row: list[str] = next(rows)
    except csv.Error as error:
        raise Fault("not valid CSV", str(error)) from None
    finally:
        csv.field_size_limit(limit)
    plain("".join(row), "the row")
    if width and row and len(row) != width:
        more = "Put a text between double quotes that holds what parts fields, or a line break."
        raise Fault("wrong number of fields", f"{len(row)} instead of {width}", more)
    return row


def _text_lines(blocks: Iterable[tuple[int, bytes | Fault]]) -> Iterator[str]:
    """Yield lines; a byte that is not UTF-8 is escaped, and reported when its row is validated."""
    for _, block in blocks:
        if isinstance(block, Fault):
            raise block  # a record may continue on the next line, so the rest cannot be read
        text = block.decode(errors="surrogateescape")
        yield from (f"{line}\n" for line in text.removesuffix("\n").split("\n"))


def columns_of(header: list[str], fields: Fields, path: str, line: int = 1) -> dict[str, int]:
    """Return the positions of fields; a file without the text column is an error.

    If no column has exactly the name of a field, a column whose name differs only in case or in
    surrounding white space is used.

    Parameters
    ----------
    header
        The names of all columns.
    fields
        The wanted fields.
    path, line
        Place of the header.
    """
    plain_names = [name.strip().casefold() for name in header]
    columns = {}
    for name in fields.names():
        called = [n for n, other in enumerate(header) if other == name]
        called = called or [n for n, other in enumerate(plain_names) if other == name.casefold()]
        if len(called) > 1:
            raise InputError(
                f"two columns are called {name!r}", path=path, line=line, remedy="Rename one."
            )
        if called:
            columns[name] = called[0]
        elif name in fields.asked:
            options: dict[str | None, str] = {fields.labels: "labels", fields.id: "id"}
            options |= dict.fromkeys(fields.text, "text")
            what = options.get(name, "keep, --title, --url or --date")
            raise InputError(
                f"there is no column {name!r}; the columns are {repr(header[:8])[1:-1]}",
                path=path,
                line=line,
                remedy=f"Name one of them: --{what}, Fields(...).",
            )
    return columns


def read_parquet(path: str, fields: Fields) -> Iterator[RecordBatch]:
    """Yield the records of a Parquet file; the line of a record is its row, counted from 1.

    Equal texts stay dictionary-encoded, as in the file, until they are yielded.
    """
    arrow = require("pyarrow", "parquet", "reading Parquet files")
    parquet = require("pyarrow.parquet", "parquet", "reading Parquet files")
    size = Path(path).stat().st_size
    try:
        with parquet.ParquetFile(path) as file:
            names = file.schema_arrow.names
            columns_of(names, fields, path)
            columns = [name for name in fields.names() if name in names]
            texts = [place for place in _places(file) if place.split(".")[0] in columns]
            _check_growth(file.metadata, columns, size, path)
        with parquet.ParquetFile(path, read_dictionary=texts) as file:
            n_rows = file.metadata.num_rows
            done = 0
            for table in file.iter_batches(batch_size=1000, columns=columns):
                for part in _parts(arrow, table):
                    records = list(enumerate(_rows(part, path, done + 1), start=done + 1))
                    before, done = done, done + len(records)
                    share = size * done // n_rows - size * before // n_rows
                    yield RecordBatch(path, records, fields, share)
    except (arrow.ArrowException, OSError) as error:
        raise InputError(
            f"is not a sound Parquet file: {error}", path=path, remedy="Write it again."
        ) from error


def _places(file: Any) -> Iterator[str]:
    """Yield the paths of columns with bytes or texts, including those within lists."""
    for number in range(len(file.schema.names)):
        column = file.schema.column(number)
        if column.physical_type == "BYTE_ARRAY" and column.logical_type.type in {"STRING", "NONE"}:
            yield column.path


def _check_growth(metadata: Any, columns: Sequence[str], size: int, path: str) -> None:
    """Raise an error for a file that expands more than text does."""
    unpacked = 0
    for group in range(metadata.num_row_groups):
        chunks = metadata.row_group(group)
        for number in range(chunks.num_columns):
            chunk = chunks.column(number)
            if chunk.path_in_schema.split(".")[0] in columns:
                unpacked += max(chunk.total_uncompressed_size, 4 * chunk.num_values)
    if unpacked > most_unpacked(size):
        raise InputError(
            f"is to be unpacked from {size:,} bytes into {unpacked:,}",
            path=path,
            remedy="Check where it comes from.",
        )


def _parts(arrow: Any, table: Any) -> Iterator[Any]:
    """Divide rows into parts of about `BLOCK` bytes of text; a longer row is a part of its own."""
    ends = np.cumsum(np.sum([_row_sizes(arrow, column) for column in table.columns], axis=0))
    first = 0
    while first < table.num_rows:
        before = ends[first - 1] if first else 0
        last = max(int(np.searchsorted(ends, before + BLOCK, side="right")), first + 1)
        yield table.slice(first, last - first)
        first = last


def _row_sizes(arrow: Any, column: Any) -> NDArray[np.int64]:
    """Return the approximate number of bytes of the value in each row."""
    compute = require("pyarrow.compute", "parquet", "reading Parquet files")
    kinds = arrow.types
    if kinds.is_dictionary(column.type):
        lengths = compute.binary_length(column.dictionary).cast("int64")
        return np.asarray(lengths.take(column.indices).fill_null(0))
    if kinds.is_list(column.type) or kinds.is_large_list(column.type):
        inner = np.append(0, np.cumsum(8 + _row_sizes(arrow, column.flatten())))
        ends = np.cumsum(compute.list_value_length(column).fill_null(0))
        sizes: NDArray[np.int64] = np.diff(inner[ends], prepend=0)
        return sizes
    return np.full(len(column), 8)


def _rows(table: Any, path: str, first: int) -> list[dict[str, Any] | Broken]:
    try:
        rows: list[dict[str, Any] | Broken] = table.to_pylist()
    except UnicodeDecodeError as error:  # Arrow does not validate its strings
        if table.num_rows == 1:
            return [Broken("not UTF-8", str(error.reason), path, first)]
        return [
            row
            for number in range(table.num_rows)
            for row in _rows(table.slice(number, 1), path, first + number)
        ]
    return rows
