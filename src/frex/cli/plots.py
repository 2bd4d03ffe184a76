"""The command `plot`: pictures of a fit."""

from __future__ import annotations

import warnings
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

import frex.plots
import frex.posterior
from frex.cli.options import COMPARED, FitFolder, Overwrite
from frex.cli.screen import say
from frex.cli.typed import comparisons
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from frex.posterior import Posterior
    from frex.posterior.compared import Compare


class Kind(StrEnum):
    """What is drawn."""

    frex = "frex"
    zoom = "zoom"
    dispersion = "dispersion"
    stopwords = "stopwords"
    tree = "tree"
    trace = "trace"
    rank = "rank"
    memberships = "memberships"


_TAKES: dict[Kind, tuple[str, ...]] = {
    Kind.frex: ("topic", "compare", "weight", "n"),
    Kind.zoom: ("topic", "compare", "weight", "n", "quantile"),
    Kind.dispersion: ("topic", "n"),
    Kind.stopwords: ("compare",),
    Kind.tree: ("topic", "compare"),
    Kind.trace: ("element",),
    Kind.rank: ("element",),
    Kind.memberships: ("topic", "document"),
}
_NEED_A_TOPIC = (Kind.frex, Kind.zoom, Kind.dispersion)


def plot(
    fit: FitFolder,
    kind: Annotated[
        Kind,
        typer.Argument(
            help="frex: a topic's words by frequency and exclusivity; zoom: its upper right "
            "corner. dispersion: words that distinguish a topic's children. stopwords: stop words "
            "and other words. tree: the tree, or a topic's place in it. trace, rank: draws of "
            "hyperparameters, chain by chain. memberships: memberships of documents."
        ),
    ],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file: .png, .svg or .pdf.")],
    topic: Annotated[
        str | None,
        typer.Option("--topic", "-t", help="A topic's name or title; ROOT for the top level."),
    ] = None,
    document: Annotated[
        str | None, typer.Option(help="memberships: of this document, by its id.")
    ] = None,
    element: Annotated[
        list[str] | None,
        typer.Option(
            help="trace, rank: a parameter by its name in frex diagnose, e.g. dispersion_df or "
            "'affinity_mean[TOPIC]'. May be repeated."
        ),
    ] = None,
    compare: Annotated[
        str | None,
        typer.Option(help=f"{COMPARED}. By default that of the fit."),
    ] = None,
    weight: Annotated[
        float | None, typer.Option(help="Weight of exclusivity in FREX; 0.5 by default.")
    ] = None,
    n: Annotated[
        int | None,
        typer.Option("--words", "-n", help="Number of labelled words; 14 by default.", min=1),
    ] = None,
    quantile: Annotated[
        float | None,
        typer.Option(help="zoom: quantile at which the corner begins; 0.95 by default."),
    ] = None,
    overwrite: Overwrite = False,
) -> None:
    """Draw a fit: its topics' words, its tree, its draws, its documents."""
    frex.plots.check_file(out, overwrite=overwrite)
    given: dict[str, Any] = {
        "topic": topic, "document": document, "element": element, "compare": compare,
        "weight": weight, "n": n, "quantile": quantile,
    }  # fmt: skip
    options = {name: value for name, value in given.items() if value is not None}
    _check_options(kind, options)
    posterior = frex.posterior.read_posterior(fit)
    if compare is not None and compare not in posterior.exclusivity:
        options["compare"] = comparisons([compare], posterior.taxonomy)[0]
    with warnings.catch_warnings():
        # a missing glyph is drawn as a box, which is visible enough
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        frex.plots.write_figure(_draw(kind, posterior, options), out, overwrite=overwrite)
    say(str(out))


def _check_options(kind: Kind, options: Mapping[str, Any]) -> None:
    """Raise an error for options that a plot does not use, and for a plot without its topic."""
    for name in options:
        if name not in _TAKES[kind]:
            takes = ", ".join(map(_flag, _TAKES[kind]))
            raise InputError(f"the plot {kind} has no {_flag(name)}", remedy=f"It has {takes}.")
    if kind in _NEED_A_TOPIC and "topic" not in options:
        raise InputError(f"the plot {kind} is of one topic", remedy="Name it with --topic.")
    if kind is Kind.memberships and len(options) != 1:
        raise InputError(
            "the plot memberships is of one topic or of one document",
            remedy="Name one, with --topic or --document.",
        )
    if kind is Kind.tree and "compare" in options and "topic" not in options:
        raise InputError("--compare frames what a topic is compared with", remedy="Add --topic.")


def _flag(name: str) -> str:
    return "--words" if name == "n" else f"--{name}"


def _draw(kind: Kind, posterior: Posterior, options: Mapping[str, Any]) -> Figure:
    match kind:
        case Kind.trace | Kind.rank:
            shown: Literal["trace", "rank"] = "trace" if kind is Kind.trace else "rank"
            return frex.plots.trace_figure(posterior, options.get("element"), kind=shown)
        case Kind.stopwords:
            return frex.plots.stopwords_figure(posterior, **options)
        case Kind.tree:
            ax = _draw_tree(posterior, **options)
        case Kind.frex:
            ax = frex.plots.frex_plot(posterior, **options)
        case Kind.zoom:
            ax = frex.plots.zoom_plot(posterior, **options)
        case Kind.dispersion:
            ax = frex.plots.dispersion_plot(posterior, **options)
        case Kind.memberships if "document" in options:
            ax = frex.plots.document_plot(posterior, **options)
        case Kind.memberships:
            ax = frex.plots.memberships_plot(posterior, **options)
    return ax.figure.figure


def _draw_tree(posterior: Posterior, topic: str | None = None, compare: Compare = None) -> Axes:
    """Draw the tree; with a topic, frame what the fit compares it with."""
    tree, left_out = posterior.tree, len(posterior.without_documents)
    if topic is None:
        return frex.plots.tree_plot(tree, left_out=left_out)
    node = posterior.find(topic)
    compared = frex.posterior.compared_with(posterior, node, compare, "topic")
    names = [tree.names[other] for other in compared]
    return frex.plots.tree_plot(tree, node, compare=names, left_out=left_out)
