"""The commands that compare topics with a labelled fit: evaluate alignment, evaluate nonsense."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import frex.evaluate
import frex.plots
import frex.plots.alignment
import frex.posterior
from frex.cli import comparison
from frex.cli.interpretability import CorpusFolder, FitsFolder, Models, PCMOptions, Topics
from frex.cli.options import FitFolder, Form, Overwrite, Plot, Rows, Seed, Threads
from frex.cli.screen import Format, progress, say, share, show_table
from frex.errors import InputError
from frex.evaluate.alignment import NODE_KINDS, TOPIC_KINDS

if TYPE_CHECKING:
    from frex.evaluate import Alignment


class Show(StrEnum):
    """Which table is printed."""

    models = "models"
    topics = "topics"
    nodes = "nodes"
    coverage = "coverage"


_NUMBERS = ("share", "explained", "divergence", "low", "high", "overlap")
_COUNTED = ("steps", "exposure")


def alignment(
    fit: FitFolder,
    models: Annotated[
        list[str],
        typer.Argument(
            help="The topics of models: fit folders (of PCM, say), .csv with a line for each "
            "topic, or Mallet's files; NAME=PATH to name one."
        ),
    ],
    *,
    show: Annotated[
        Show,
        typer.Option(
            help="models: a line for each model. topics: the nodes of each topic. nodes: the "
            "topics of each node. coverage: the curve."
        ),
    ] = Show.models,
    draws: Annotated[
        int, typer.Option(help="Draws of the nodes' rates for the intervals.", min=2)
    ] = 100,
    seed: Seed = 0,
    form: Form = Format.table,
    plot: Plot = None,
    overwrite: Overwrite = False,
) -> None:
    """Align topics of models with the nodes of a labelled fit: resolved, fused, split, junk.

    Intervals have a probability of 90 %.
    """
    if plot is not None:
        frex.plots.check_file(plot, overwrite=overwrite)
    named = _named(models)
    posterior = frex.posterior.read_posterior(fit)
    found: dict[str, Alignment] = {}
    with progress("aligning", len(named), unit="models") as step:
        for name, path in named.items():
            found[name] = frex.evaluate.alignment(posterior, path, draws=draws, seed=seed)
            step(1)
    _show(found, show, form)
    if plot is not None:
        drawn = frex.plots.alignment.coverage_plot(found).figure.figure
        frex.plots.write_figure(drawn, plot, overwrite=overwrite)
        if form is Format.table:
            say(str(plot))


def nonsense(
    fit: FitFolder,
    corpus: CorpusFolder,
    *,
    topics: Topics = "10,25,50,100",
    models: Models = "pcm,lda,lda-sklearn",
    pcm: PCMOptions = None,
    seed: Seed = 0,
    threads: Threads = 0,
    fits: FitsFolder = None,
    form: Form = Format.table,
    out: Rows = None,
) -> None:
    """Count the topics that match no node of a labelled fit, by model and number of topics.

    The table has the numbers of junk topics and of missing nodes.
    """
    posterior = frex.posterior.read_posterior(fit)
    request = comparison.Request(
        corpus, topics=topics, models=models, pcm=pcm, seed=seed, threads=threads, fits=fits,
        out=out, form=form,
    )  # fmt: skip
    rows = request.run(
        lambda at, step: frex.evaluate.nonsense(posterior, at, out=out, progress=step)
    )
    junk = zip(rows["topics_junk"], rows["nodes_missing"], strict=True)
    request.show(rows, ["model"], [f"{j:.0f} junk, {m:.0f} nodes missing" for j, m in junk])


def _named(models: list[str]) -> dict[str, Path]:
    """Return the models' paths by their names."""
    named: dict[str, Path] = {}
    for text in models:
        name, equals, path = text.partition("=")
        if not equals or Path(text).exists():
            name, path = Path(text).name or text, text
        if not name or not path or name in named:
            raise InputError(
                f"there are two models called {name!r}"
                if name in named
                else f"a model is {text!r}",
                remedy="Name each: PCM=FIT LDA=topics.csv.",
            )
        named[name] = Path(path)
    return named


def _show(found: dict[str, Alignment], show: Show, form: Format) -> None:
    text = dict.fromkeys(_NUMBERS, "{:.2f}".format) | dict.fromkeys(_COUNTED, "{:.0f}".format)
    if show is Show.models:
        heads = list(next(iter(found.values())).figures)
        columns = {"model": list(found)} | {
            head: [aligned.figures[head] for aligned in found.values()] for head in heads
        }
        if form in (Format.csv, Format.json):
            show_table(columns, form)
        else:
            _show_models(found, form)
        return
    for name, aligned in found.items():
        table = getattr(aligned, show.value)
        if len(found) > 1:
            table.insert(0, "model", name)
    tables = [getattr(aligned, show.value) for aligned in found.values()]
    columns = {str(c): [v for table in tables for v in table[c].tolist()] for c in tables[0]}
    plain = {c: lambda v, f=text[c]: "" if v != v else f(v) for c in columns if c in text}  # noqa: PLR0124 - NaN is not itself
    show_table(columns, form, text=plain)


def _show_models(found: dict[str, Alignment], form: Format) -> None:
    """Print for people: how many topics and nodes of each kind, coverage, and documents."""
    rows = [aligned.figures for aligned in found.values()]

    def counts(what: str, kinds: tuple[str, ...]) -> dict[str, list[int]]:
        return {f"{kind}": [int(row[f"{what}_{kind}"]) for row in rows] for kind in kinds}

    topics = counts("topics", TOPIC_KINDS)
    nodes = counts("nodes", NODE_KINDS)
    covered = [
        f"{row['coverage']:.3f} ({row['coverage_low']:.3f}-{row['coverage_high']:.3f})"
        for row in rows
    ]
    show_table(
        {
            "model": list(found),
            "words": [f"{row['n_words']:,.0f} ({row['known']:.0%})" for row in rows],
            "topics": [int(row["n_topics"]) for row in rows],
            **topics,
            "nodes": [int(row["n_nodes"]) for row in rows],
            **{f"nodes {kind}": values for kind, values in nodes.items()},
            "coverage": covered,
            "possible": [f"{row['coverage_possible']:.3f}" for row in rows],
            **{name: [share(row[name]) for row in rows] for name in ("purity", "nmi", "ari")},
        },
        form,
    )
