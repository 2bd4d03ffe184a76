"""The command `export`: a fit in the forms that other programs read."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import frex.posterior
from frex.cli import forms
from frex.cli.options import BRANCHES, COMPARED, FitFolder, Overwrite, WordsOf
from frex.cli.screen import say, size
from frex.cli.typed import comparisons
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


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


def export(
    fit: FitFolder,
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
        typer.Option(help=f"Tables, skos. {COMPARED}. By default that of the fit."),
    ] = None,
    words_of: Annotated[
        WordsOf | None,
        typer.Option(help=f"Tables, skos. {BRANCHES}; the default."),
    ] = None,
    level: Annotated[
        float | None, typer.Option(help="Tables: probability of the intervals; 0.9 by default.")
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(help="skos: beginning of a concept's address: https://example.org/topics/"),
    ] = None,
    title: Annotated[
        str | None,
        typer.Option(help="skos, pyldavis: title; by default the fit's folder name."),
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Write a fit in a form that other programs read."""
    given: dict[str, Any] = {
        "n": n, "weight": weight, "compare": compare, "of": words_of and words_of.value,
        "level": level, "base": base, "title": title,
    }  # fmt: skip
    options = {name: value for name, value in given.items() if value is not None}
    _check_options(to, options)
    forms.check_place(to, out, options, overwrite=overwrite)
    posterior = frex.posterior.read_posterior(fit)
    if compare is not None and compare not in posterior.exclusivity:
        options["compare"] = comparisons([compare], posterior.taxonomy)[0]
    if "title" in _TAKES[to]:
        options.setdefault("title", fit.absolute().name)
    forms.write(to, posterior, out, options, overwrite=overwrite)
    files = sorted(out.glob(f"*.{to}")) if out.is_dir() else [out]
    for file in files:
        say(f"{file}: {size(file.stat().st_size)}")


def _check_options(to: To, options: Mapping[str, Any]) -> None:
    """Raise an error for options that a form does not use."""
    for name in options:
        if name not in _TAKES[to]:
            takes = ", ".join(map(_flag, _TAKES[to]))
            remedy = f"It has {takes}." if takes else "Leave it out."
            raise InputError(f"an export to {to} has no {_flag(name)}", remedy=remedy)


def _flag(name: str) -> str:
    return {"n": "--words", "of": "--words-of"}.get(name, f"--{name}")
