"""Tables as CSV, for spreadsheets and everything else, and as Parquet, for programs."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Any

from frex.errors import require
from frex.export.tables import fit_tables
from frex.storage import FolderWriter

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from pathlib import Path

    from frex.export.tables import Chunk, Table
    from frex.posterior import Posterior

KIND, VERSION = "frex-tables", 1

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


def write_csv(
    posterior: Posterior,
    path: str | PathLike[str],
    *,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> None:
    """Write the tables of a fit into a folder, a CSV file each, in UTF-8.

    A spreadsheet takes a text that begins with ``=``, ``+``, ``-`` or ``@`` for a formula. Such a
    text, or one that begins with a tab, a carriage return or an apostrophe, has an apostrophe put
    before it; take a leading one away to have the text again. What is not known is an empty cell.

    Parameters
    ----------
    posterior
        The fit.
    path
        The folder to make.
    overwrite
        Replace an older folder of tables.
    progress
        Told of rows written, `n_rows` in all.
    **options
        `n`, `weight`, `compare`, `of` and `level` of the words, as for `frex.posterior.top_words`.

    Examples
    --------
    >>> from frex.export import write_csv
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> write_csv(posterior, 'TABLES', overwrite=True)
    """
    with _folder(path, overwrite=overwrite) as folder:
        for table in fit_tables(posterior, **options):
            _write_csv(table, folder.file(f"{table.name}.csv"), progress)


def write_parquet(
    posterior: Posterior,
    path: str | PathLike[str],
    *,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> None:
    """Write the tables of a fit into a folder, a Parquet file each.

    What is not known is null. The parameters are those of `write_csv`.

    Parameters
    ----------
    posterior, path, overwrite, progress, **options
        As for `write_csv`.

    Examples
    --------
    >>> from frex.export import write_parquet
    >>> from frex.posterior import read_posterior
    >>> posterior = read_posterior('FIT')
    >>> write_parquet(posterior, 'PARQUET', overwrite=True)
    """
    require("pyarrow", "parquet", "an export to Parquet")
    with _folder(path, overwrite=overwrite) as folder:
        for table in fit_tables(posterior, **options):
            _write_parquet(table, folder.file(f"{table.name}.parquet"), progress)


def n_rows(posterior: Posterior, **options: Any) -> int:
    """Return how many rows all tables have together."""
    return sum(table.n_rows for table in fit_tables(posterior, **options))


def _folder(path: str | PathLike[str], *, overwrite: bool) -> FolderWriter:
    return FolderWriter(path, kind=KIND, version=VERSION, overwrite=overwrite)


def _write_csv(table: Table, file: Path, progress: Callable[[int], None] | None) -> None:
    texts = [kind is str for kind in table.types.values()]
    with file.open("w", encoding="utf-8", newline="") as handle:
        writer = csv.writer(handle, lineterminator="\n")
        writer.writerow(table.types)
        for chunk in table.chunks:
            columns = [
                [_as_data(cell) for cell in column] if is_text else [_or_empty(c) for c in column]
                for column, is_text in zip(_columns(table, chunk), texts, strict=True)
            ]
            writer.writerows(zip(*columns, strict=True))
            if progress:
                progress(len(columns[0]))


def _as_data(text: str | None) -> str | None:
    return f"'{text}" if text and text.startswith(_FORMULA) else text


def _or_empty(number: float) -> float | None:
    return None if number != number else number  # noqa: PLR0124 - NaN is not itself


def _write_parquet(table: Table, file: Path, progress: Callable[[int], None] | None) -> None:
    import pyarrow as pa  # noqa: PLC0415 - an extra
    import pyarrow.parquet as pq  # noqa: PLC0415

    kinds = {str: pa.string(), int: pa.int64(), float: pa.float64()}
    schema = pa.schema([(name, kinds[kind]) for name, kind in table.types.items()])
    with pq.ParquetWriter(file, schema) as writer:
        for chunk in table.chunks:
            arrays = [
                pa.array(column, kinds[kind], from_pandas=True)  # NaN becomes null
                for column, kind in zip(_columns(table, chunk), table.types.values(), strict=True)
            ]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
            if progress:
                progress(len(arrays[0]))


def _columns(table: Table, chunk: Chunk) -> list[Any]:
    assert list(chunk) == list(table.types), f"{table.name}: {list(chunk)}"
    return list(chunk.values())
