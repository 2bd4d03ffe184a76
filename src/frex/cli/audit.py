"""The command `audit`: wrong and missing labels, and topics that need an editor."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import frex.audit
import frex.compiled
import frex.corpus
import frex.predict
import frex.predict.folds
from frex.cli import auditing
from frex.cli.options import Form, IdField, Jobs, Overwrite, Seed, Text, Threads
from frex.cli.screen import Format, progress, say, show_table, size


class Only(StrEnum):
    """Which findings about labels are wanted."""

    all = "all"
    given = "given"
    missing = "missing"


class Method(StrEnum):
    """How a corpus without a fit is fitted."""

    map = "map"
    sample = "sample"


def audit(
    corpus: Annotated[Path, typer.Argument(help="A corpus folder; or a fit, with --corpus.")],
    *,
    fit: Annotated[
        Path | None, typer.Option(help="A fit of the corpus; by default one is made.")
    ] = None,
    fitted: Annotated[
        Path | None, typer.Option("--corpus", help="The corpus, if the argument is a fit.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The page to review findings: PAGE.html")
    ] = None,
    labels: Annotated[
        Path | None, typer.Option(help="Findings about labels: .jsonl or .csv")
    ] = None,
    topics: Annotated[
        Path | None, typer.Option(help="Findings about topics: .jsonl or .csv")
    ] = None,
    label_studio: Annotated[
        Path | None, typer.Option(help="Tasks for Label Studio: .json; its interface beside: .xml")
    ] = None,
    argilla: Annotated[Path | None, typer.Option(help="Records for Argilla: .jsonl")] = None,
    unlabelled: Annotated[
        list[str] | None,
        typer.Option(help="Unlabelled documents: list instead which of them to label next."),
    ] = None,
    limit: Annotated[
        int, typer.Option(help="Most findings about labels, or documents.", min=1)
    ] = 1000,
    topic: Annotated[
        str | None, typer.Option(help="Only findings about this topic and those below it.")
    ] = None,
    only: Annotated[
        Only, typer.Option(help="Findings about given labels, about missing labels, or both.")
    ] = Only.all,
    least: Annotated[
        float, typer.Option(help="Least probability of a finding about labels.", min=0, max=1)
    ] = 0.1,
    least_topics: Annotated[
        float, typer.Option(help="Least probability of a finding about topics.", min=0, max=1)
    ] = 0.2,
    method: Annotated[Method, typer.Option(help="How to fit, without --fit.")] = Method.map,
    title: Annotated[
        str | None, typer.Option(help="Title of the page; by default the corpus's name.")
    ] = None,
    text: Text = None,
    id_field: IdField = "id",
    stem: Annotated[
        bool | None,
        typer.Option(help="Whether the words are stems, if the corpus does not store it."),
    ] = None,
    form: Form = Format.table,
    seed: Seed = 0,
    jobs: Jobs = 0,
    threads: Threads = 0,
    overwrite: Overwrite = False,
) -> None:
    """Find labels that are probably wrong or missing, and topics that need an editor.

    Every document is scored by fits that did not see it. On the page you accept or reject
    findings; `frex prepare --corrections` applies the decisions that it exports.
    """
    files = auditing.Files(out, labels, topics, label_studio, argilla)
    files.check(overwrite=overwrite, lessons=bool(unlabelled))
    place, fit = auditing.places(corpus, fitted, fit)
    documents = frex.corpus.read_corpus(place)
    with frex.compiled.saying_what_compiled(say):
        posterior = auditing.posterior(
            documents,
            fit,
            method="map" if method is Method.map else "sample",
            seed=seed,
            threads=threads,
        )
        node = 0 if topic is None else posterior.find(topic)
        frex.audit.fitted_corpus(posterior, documents)
        with progress("judging documents", frex.predict.folds.N_FOLDS, unit="folds") as step:
            judged = frex.predict.out_of_fold(
                documents, seed=seed, threads=threads, near=posterior, progress=step
            )
        if unlabelled:
            options = {"text": text, "id_field": id_field, "stem": stem, "jobs": jobs}
            lessons = auditing.teach(
                unlabelled, posterior, documents, judged,
                limit=limit, threads=threads, options=options,
            )  # fmt: skip
            columns = auditing.lesson_columns(lessons)
            if labels is not None:
                auditing.write_list(labels, [one._asdict() for one in lessons], columns)
            show_table(columns, form)
            return
        found = frex.audit.audit_labels(
            posterior,
            documents,
            judged=judged,
            least=least,
            limit=limit,
            topic=topic,
            only=only.value,
        )
        total = frex.audit.PASSES * posterior.tree.n_topics
        with progress("looking at topics", total, unit="topics") as step:
            health = frex.audit.audit_topics(
                posterior, documents, least=least_topics, seed=seed, progress=step
            )
    assert documents.tree is not None
    if node:
        health = auditing.below(health, documents.tree, posterior.tree.names[node])
    auditing.write(
        files, found, health, documents, overwrite=overwrite,
        title=place.absolute().name if title is None else title,
    )  # fmt: skip
    auditing.show(found, health, form, "the page, --out PAGE.html" if out is None else str(out))
    if out is not None and form is Format.table:
        written = size(out.stat().st_size)
        say(f"\n{out}: {written}. Open it in a browser, decide, and export.")
        say("Next: frex prepare ... --corrections decisions.jsonl")
