"""The command that labels documents: predict."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frex.cli.screen import complain, progress, say
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from frex.posterior import Posterior
    from frex.predict import Calibration, Predictor
    from frex.predict.documents import Documents

STOPPED = 130


class Thresholds(StrEnum):
    """For what a threshold is calibrated."""

    all = "global"
    topic = "topic"


class Criterion(StrEnum):
    """What the thresholds are to make large."""

    micro = "micro"
    macro = "macro"


class Method(StrEnum):
    """How scores become probabilities."""

    corrected = "corrected"
    paper = "paper"


class Form(StrEnum):
    """Whether a label brings those above it along."""

    open = "open"
    closed = "closed"


def register(app: typer.Typer) -> None:
    """Add this command to the program."""
    app.command()(predict)


def predict(
    fit: Annotated[Path, typer.Argument(help="A fit folder.")],
    docs: Annotated[
        list[str],
        typer.Argument(
            help="Files of documents: .jsonl, .csv, .tsv, .parquet, also packed; or -; or a "
            "corpus folder."
        ),
    ],
    *,
    out: Annotated[Path, typer.Option("--out", "-o", help="The .jsonl file to make.")],
    calibrate: Annotated[
        Path | None,
        typer.Option(help="A corpus of labelled documents that were not fitted: learn from it."),
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(help="Where to keep what --calibrate learns; or what it learned before."),
    ] = None,
    thresholds: Annotated[
        Thresholds, typer.Option(help="One threshold for all topics, or one for each.")
    ] = Thresholds.all,
    criterion: Annotated[
        Criterion, typer.Option(help="The F1 that thresholds make best.")
    ] = Criterion.micro,
    method: Annotated[
        Method, typer.Option(help="Probabilities as held-out documents have them, or the paper's.")
    ] = Method.corrected,
    form: Annotated[
        Form, typer.Option(help="open: the most specific labels; closed: all above them too.")
    ] = Form.open,
    at_least_one: Annotated[
        bool, typer.Option(help="Give every document its best label, likely or not.")
    ] = True,
    explain: Annotated[
        bool, typer.Option("--explain", help="Add the words for and against each label.")
    ] = False,
    text: Annotated[list[str] | None, typer.Option(help="Field(s) of the text.")] = None,
    id_field: Annotated[str, typer.Option("--id", help="Field of the document's name.")] = "id",
    stem: Annotated[
        bool | None, typer.Option(help="Whether the fit's words are stems, if it does not tell.")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Processes that count words; 0: all cores.", min=0)] = 0,
    threads: Annotated[int, typer.Option(help="Threads; 0 is one for each core.", min=0)] = 0,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an existing file.")
    ] = False,
) -> None:
    """Label documents, a line of JSON each: id, labels, probabilities, and why.

    Without --calibrate or --calibration a label is a topic that a third of the document is about.
    """
    from frex.posterior import read_posterior  # noqa: PLC0415 - keeps `frex --help` quick
    from frex.predict import Predictor  # noqa: PLC0415
    from frex.predict.stream import records  # noqa: PLC0415
    from frex.storage.files import check_file, whole_file  # noqa: PLC0415

    file = check_file(out, endings=(".jsonl",), overwrite=overwrite)
    posterior = read_posterior(fit)
    if posterior.settings.get("n_topics") is not None:
        raise InputError(
            f"{fit} is a fit without labels, so there are none to predict",
            remedy="In Python, frex.PCM.load(FIT).transform(counts) gives memberships.",
        )
    predictor = Predictor(posterior, threads=threads)
    learned = _calibration(
        predictor, calibrate, calibration,
        method=method.value, thresholds=thresholds.value, criterion=criterion.value,
        overwrite=overwrite,
    )  # fmt: skip
    source = _Source(docs, posterior, text=text, id_field=id_field, stem=stem, jobs=jobs)
    shown = posterior.surface if posterior.surface is not None else posterior.words
    n_documents = n_labels = n_empty = 0
    try:
        with (
            progress("predicting", source.total, unit=source.unit) as step,
            whole_file(file) as partial,
            partial.open("w", encoding="utf-8") as lines,
        ):
            made = records(
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
    say(f"{out}: {n_documents:,} documents, {n_labels / n_documents:.2f} labels a document")
    if n_empty:
        say(f"  {n_empty:,} without a word of the fit's vocabulary: no labels")


def _calibration(
    predictor: Predictor,
    corpus: Path | None,
    place: Path | None,
    *,
    overwrite: bool,
    **options: Any,
) -> Calibration | None:
    """Learn the calibration and keep it, or read it."""
    from dataclasses import replace  # noqa: PLC0415 - keeps `frex --help` quick

    from frex.corpus import read_corpus  # noqa: PLC0415
    from frex.predict import calibrate, read_calibration  # noqa: PLC0415
    from frex.predict.documents import in_words  # noqa: PLC0415

    if corpus is None:
        _refuse_in_vain(
            options, {"method": Method.corrected, "thresholds": Thresholds.all,
                      "criterion": Criterion.micro},
            "learned", "Give --calibrate and a corpus of labelled documents.",
        )  # fmt: skip
        return None if place is None else read_calibration(place)
    held_out = read_corpus(corpus)
    held_out = replace(
        held_out,
        counts=in_words(held_out.counts, held_out.words, predictor.words),
        words=predictor.words,
    )
    learned = calibrate(predictor, held_out, **options)
    if place is not None:
        learned.write(place, overwrite=overwrite)
    return learned


def _refuse_in_vain(
    options: dict[str, Any], unused: dict[str, Any], what: str, remedy: str
) -> None:
    """Refuse options that would change nothing."""
    for name, default in unused.items():
        if options[name] != default:
            raise InputError(f"--{name} has no effect where nothing is {what}", remedy=remedy)


class _Source:
    """Where the documents come from, and how much there is of them."""

    def __init__(
        self,
        docs: list[str],
        posterior: Posterior,
        *,
        text: list[str] | None,
        id_field: str,
        stem: bool | None,
        jobs: int,
    ) -> None:
        from frex.corpus import read_corpus  # noqa: PLC0415 - keeps `frex --help` quick
        from frex.predict.documents import analyzer_of  # noqa: PLC0415
        from frex.text import Fields, input_bytes  # noqa: PLC0415

        self._docs, self._words, self._jobs = docs, posterior.words, jobs
        self._corpus = None
        self.total: int | None
        if len(docs) == 1 and Path(docs[0]).is_dir():
            _refuse_in_vain(
                {"text": text, "stem": stem}, {"text": None, "stem": None},
                "read but counts", "Leave it out, or give the documents' text.",
            )  # fmt: skip
            self._corpus = read_corpus(docs[0])
            self.total, self.unit = len(self._corpus), "documents"
            return
        self.total, self.unit = input_bytes(docs), "B"
        self._fields = Fields(id_field, tuple(text or ["text"]), None)
        self._analyzer = analyzer_of(posterior, stem=stem)

    def documents(self, step: Callable[[int], None]) -> Iterator[Documents]:
        """Yield the documents, telling how far it got."""
        from frex.predict.documents import (  # noqa: PLC0415 - keeps `frex --help` quick
            corpus_documents,
            text_documents,
        )

        if self._corpus is None:
            yield from text_documents(
                self._docs, self._words, self._analyzer,
                fields=self._fields, jobs=self._jobs, progress=step,
            )  # fmt: skip
            return
        for documents in corpus_documents(self._corpus, self._words):
            yield documents
            step(len(documents.ids))
