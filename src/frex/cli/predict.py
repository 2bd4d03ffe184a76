"""The command that labels documents: predict."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

import frex.compiled
import frex.posterior
import frex.predict
import frex.storage
from frex.cli import labelling
from frex.cli.options import (
    Criterion,
    Docs,
    FitFolder,
    IdField,
    Jobs,
    Overwrite,
    Text,
    Threads,
    Thresholds,
    TitleField,
    UrlField,
)
from frex.cli.screen import complain, counted, progress, say
from frex.errors import InputError

STOPPED = 130


class Probabilities(StrEnum):
    """How scores become probabilities."""

    corrected = "corrected"
    paper = "paper"


class Form(StrEnum):
    """Whether topics above a label are added, or may replace it."""

    open = "open"
    closed = "closed"
    cautious = "cautious"


def predict(
    fit: FitFolder,
    docs: Docs,
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="The .jsonl file to make.")],
    calibrate: Annotated[
        Path | None,
        typer.Option(help="A held-out corpus of labelled documents for calibration."),
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(help="Folder of the calibration: written with --calibrate, else read."),
    ] = None,
    thresholds: Annotated[
        Thresholds, typer.Option(help="One threshold for all topics, or one for each.")
    ] = Thresholds.one,
    criterion: Annotated[
        Criterion, typer.Option(help="The F1 that thresholds maximise.")
    ] = Criterion.micro,
    method: Annotated[
        Probabilities,
        typer.Option(help="Calibrated on the held-out documents; or the paper's, which are weak."),
    ] = Probabilities.corrected,
    form: Annotated[
        Form,
        typer.Option(
            help="open: the most specific labels; closed: also all topics above them; cautious: "
            "an inner topic if the topic below is uncertain."
        ),
    ] = Form.open,
    at_least_one: Annotated[
        bool, typer.Option(help="Give every document at least its most probable label.")
    ] = True,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add the words for and against each label.")
    ] = False,
    text: Text = None,
    id_field: IdField = "id",
    title: TitleField = "title",
    url: UrlField = "url",
    stem: Annotated[
        bool | None,
        typer.Option(help="Whether the fit's words are stems, if it does not store it."),
    ] = None,
    jobs: Jobs = 0,
    threads: Threads = 0,
    overwrite: Overwrite = False,
) -> None:
    """Label documents, a line of JSON each: id, labels, probabilities, and why.

    Probabilities and thresholds were calibrated with the fit, on its own documents, by
    cross-validation. --calibrate uses other documents instead. An uncalibrated fit predicts the
    topics with a membership of at least 30 %. So does a fit without labels whose prior was another
    fit (fit --prior), which writes memberships instead of probabilities.
    """
    file = frex.storage.check_file(out, endings=(".jsonl",), overwrite=overwrite)
    posterior = frex.posterior.read_posterior(fit)
    if posterior.settings.get("n_topics") is not None and not posterior.n_known:
        raise InputError(
            f"{fit} is a fit without labels, so there are none to predict",
            remedy="In Python, frex.PCM.load(FIT).transform(counts) gives memberships.",
        )
    predictor = frex.predict.Predictor(posterior, threads=threads)
    learned = labelling.calibration(
        predictor, fit, calibrate, calibration,
        method=method.value, thresholds=thresholds.by, criterion=criterion.value,
        overwrite=overwrite,
    )  # fmt: skip
    source = labelling.Source(
        docs, posterior,
        text=text, id_field=id_field, title=title, url=url, stem=stem, jobs=jobs,
    )  # fmt: skip
    shown = posterior.surface if posterior.surface is not None else posterior.words
    n_documents = n_labels = n_empty = 0
    try:
        with (
            frex.compiled.saying_what_compiled(say),
            progress("predicting", source.total, unit=source.unit) as step,
            frex.storage.whole_file(file) as partial,
            partial.open("w", encoding="utf-8") as lines,
        ):
            made = frex.predict.records(
                predictor, learned, source.documents(step),
                form=form.value, at_least_one=at_least_one, shown=shown if explain else None,
            )  # fmt: skip
            for record in made:
                lines.write(f"{json.dumps(record, ensure_ascii=False, allow_nan=False)}\n")
                n_documents += 1
                n_labels += len(record["labels"])
                n_empty += record["tokens"] == 0
            if not n_documents:
                raise InputError("there are no documents", remedy="Check the input.")
    except KeyboardInterrupt:
        complain(f"stopped after {n_documents:,} documents; {out} was not written.")
        raise typer.Exit(STOPPED) from None
    documents = counted(n_documents, "document")
    say(f"{out}: {documents}, {n_labels / n_documents:.2f} labels a document")
    if n_empty:
        say(f"  {n_empty:,} without a word of the fit's vocabulary: no labels")
