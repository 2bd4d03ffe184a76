"""The command `export`: a fit in the forms that other programs read."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frex.cli.fits import comparisons
from frex.cli.screen import progress, say
from frex.cli.words import WordsOf  # noqa: TC001 - typer reads the annotations
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frex.posterior import Posterior


class To(StrEnum):
    """The forms of an export."""

    csv = "csv"
    parquet = "parquet"
    netcdf = "netcdf"
    skos = "skos"
    pyldavis = "pyldavis"


_TAKES: dict[To, tuple[str, ...]] = {
    To.csv: ("n", "weight", "compare", "of", "level"),
    To.parquet: ("n", "weight", "compare", "of", "level"),
    To.netcdf: (),
    To.skos: ("n", "weight", "compare", "of", "base", "title"),
    To.pyldavis: ("title",),
}


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(export)


def export(
    fit: Annotated[Path, typer.Argument(help="A fit folder.")],
    *,
    to: Annotated[
        To,
        typer.Option(
            help="csv, parquet: a folder of tables. netcdf: a file for ArviZ and xarray. skos: the "
            "tree with its words, as Turtle. pyldavis: its page, or with .json its data."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="The folder, or the file: .nc, .ttl, .html or .json."),
    ],
    n: Annotated[
        int | None,
        typer.Option("-n", "--words", help="Tables, skos: words of a topic; 14.", min=1),
    ] = None,
    weight: Annotated[
        float | None,
        typer.Option(help="Tables, skos: weight of exclusivity in FREX; 0.5 by default."),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(
            help="Tables, skos: against what exclusivity is measured: siblings, all, the number of "
            "a level, or topics with commas between them. By default what the fit was made with."
        ),
    ] = None,
    words_of: Annotated[
        WordsOf | None,
        typer.Option(
            help="Tables, skos: topic: a topic's own words. branch: of all documents filed under "
            "it or below it. auto: its own, unless it has topics below it and no documents of its "
            "own; the default."
        ),
    ] = None,
    level: Annotated[
        float | None, typer.Option(help="Tables: probability of the intervals; 0.9 by default.")
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            help="skos: what a concept's address begins with: https://example.org/topics/"
        ),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(help="skos, pyldavis: what to call the fit; by default its folder's name."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an older export.")
    ] = False,
) -> None:
    """Write a fit in a form that other programs read."""
    from frex.posterior import read_posterior  # noqa: PLC0415 - keeps `frex --help` quick

    given: dict[str, Any] = {
        "n": n, "weight": weight, "compare": compare, "of": words_of and words_of.value,
        "level": level, "base": base, "title": title,
    }  # fmt: skip
    options = {name: value for name, value in given.items() if value is not None}
    _check(to, out, options, overwrite=overwrite)
    posterior = read_posterior(fit)
    if compare is not None and compare not in posterior.exclusivity:
        options["compare"] = comparisons([compare], posterior.taxonomy)[0]
    if "title" in _TAKES[to]:
        options.setdefault("title", fit.absolute().name)
    _write(to, posterior, out, options, overwrite=overwrite)
    files = sorted(out.glob(f"*.{to}")) if out.is_dir() else [out]
    for file in files:
        say(f"{file}: {file.stat().st_size / 1e3:,.0f} kB")


def _check(to: To, out: Path, options: Mapping[str, Any], *, overwrite: bool) -> None:
    """Refuse options that a form has no use for, and a bad place, before the work is done."""
    for name in options:
        if name not in _TAKES[to]:
            takes = ", ".join(map(_flag, _TAKES[to]))
            remedy = f"It has {takes}." if takes else "Leave it out."
            raise InputError(f"an export to {to} has no {_flag(name)}", remedy=remedy)
    from frex.export import netcdf, pyldavis, skos, spreadsheets  # noqa: PLC0415 - as above
    from frex.storage import FolderWriter  # noqa: PLC0415
    from frex.storage.files import check_file  # noqa: PLC0415

    if to in {To.csv, To.parquet}:  # it writes only when it is entered
        FolderWriter(out, kind=spreadsheets.KIND, version=spreadsheets.VERSION, overwrite=overwrite)
        return
    module: Any = {To.netcdf: netcdf, To.skos: skos, To.pyldavis: pyldavis}[to]
    check_file(out, endings=module.ENDINGS, overwrite=overwrite)
    if "base" in options:
        skos.check_base(options["base"])


def _flag(name: str) -> str:
    return {"n": "--words", "of": "--words-of"}.get(name, f"--{name}")


def _write(
    to: To, posterior: Posterior, out: Path, options: dict[str, Any], *, overwrite: bool
) -> None:
    from frex import export as forms  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.export.spreadsheets import n_rows  # noqa: PLC0415

    match to:
        case To.csv | To.parquet:
            write = forms.write_csv if to is To.csv else forms.write_parquet
            with progress("writing tables", n_rows(posterior, **options), unit="rows") as step:
                write(posterior, out, overwrite=overwrite, progress=step, **options)
        case To.skos:
            with progress("writing SKOS", posterior.tree.n_topics, unit="topics") as step:
                forms.write_skos(posterior, out, overwrite=overwrite, progress=step, **options)
        case To.netcdf:
            with progress("writing netCDF", 1, unit="file"):
                forms.write_netcdf(posterior, out, overwrite=overwrite)
        case To.pyldavis:
            with progress("laying out topics", 1, unit="page"):
                forms.write_pyldavis(posterior, out, overwrite=overwrite, **options)
