"""How an export is checked and written, form by form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex import export
from frex.cli.export import To
from frex.cli.screen import progress
from frex.export import netcdf, pyldavis, skos, spreadsheets
from frex.export.spreadsheets import n_rows
from frex.storage import FolderWriter, check_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from frex.posterior import Posterior


def check_place(to: To, out: Path, options: Mapping[str, Any], *, overwrite: bool) -> None:
    """Refuse a bad place, or a bad address, before the work is done."""
    if to in {To.csv, To.parquet}:  # it writes only when it is entered
        FolderWriter(out, kind=spreadsheets.KIND, version=spreadsheets.VERSION, overwrite=overwrite)
        return
    module: Any = {To.netcdf: netcdf, To.skos: skos, To.pyldavis: pyldavis}[to]
    check_file(out, endings=module.ENDINGS, overwrite=overwrite)
    if "base" in options:
        skos.check_base(options["base"])


def write(
    to: To, posterior: Posterior, out: Path, options: dict[str, Any], *, overwrite: bool
) -> None:
    """Write a fit in a form, with a progress bar."""
    match to:
        case To.csv | To.parquet:
            write = export.write_csv if to is To.csv else export.write_parquet
            with progress("writing tables", n_rows(posterior, **options), unit="rows") as step:
                write(posterior, out, overwrite=overwrite, progress=step, **options)
        case To.skos:
            with progress("writing SKOS", posterior.tree.n_topics, unit="topics") as step:
                export.write_skos(posterior, out, overwrite=overwrite, progress=step, **options)
        case To.netcdf:
            with progress("writing netCDF", 1, unit="file"):
                export.write_netcdf(posterior, out, overwrite=overwrite)
        case To.pyldavis:
            with progress("laying out topics", 1, unit="page"):
                export.write_pyldavis(posterior, out, overwrite=overwrite, **options)
