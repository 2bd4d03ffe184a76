"""Tables as CSV, for spreadsheets, and as Parquet, for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.errors import require
from frex.export.tables import fit_tables
from frex.storage import FolderWriter
from frex.storage.lines import csv_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from os import PathLike
    from pathlib import Path

    from frex.export.tables import Chunk, Table
    from frex.posterior import Posterior

KIND, VERSION = "frex-tables", 1


def write_csv(
    posterior: Posterior,
    path: str | PathLike[str],
    *,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> None:
    """Write the tables of a fit into a folder, as CSV files in UTF-8.

    All text is quoted. Spreadsheets interpret a text that begins with ``=``, ``+``, ``-`` or ``@``
    as a formula, so an apostrophe is put before it, also at the start of a line within the text;
    `frex.storage.lines.unguarded` removes it. Unknown values are empty cells.

    Parameters
    ----------
    posterior
        The fit.
    path
        The folder to make.
    overwrite
        Whether to replace an existing folder of tables.
    progress
        Called with the number of rows written, `n_rows` in all.
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
    """Write the tables of a fit into a folder, as Parquet files.

    Unknown values are null.

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
    """Return the total number of rows of all tables."""
    return sum(table.n_rows for table in fit_tables(posterior, **options))


def _folder(path: str | PathLike[str], *, overwrite: bool) -> FolderWriter:
    return FolderWriter(path, kind=KIND, version=VERSION, overwrite=overwrite)


def _write_csv(table: Table, file: Path, progress: Callable[[int], None] | None) -> None:
    with file.open("w", encoding="utf-8", newline="") as handle:
        handle.write(csv_line(table.types))
        for chunk in table.chunks:
            columns = _columns(table, chunk)
            handle.writelines(map(csv_line, zip(*columns, strict=True)))
            if progress:
                progress(len(columns[0]))


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
