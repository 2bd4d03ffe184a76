"""What `frex predict` labels, and what it learns first."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.cli.screen import progress, tell
from frex.corpus import read_corpus
from frex.errors import InputError
from frex.predict import (
    FOLD_STEPS,
    analyzer_of,
    calibrate,
    calibrate_by_folds,
    calibration_of,
    read_calibration,
)
from frex.predict.calibration import FOLDER, MEMBERSHIP
from frex.predict.documents import corpus_documents, in_words, text_documents
from frex.storage import MANIFEST
from frex.text import Fields, input_bytes
from frex.text.record import text_fields_from

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.predict import Calibration, Predictor
    from frex.predict.documents import Documents
    from frex.sampler.settings import Settings

_LABEL = f"label is a topic that {100 * MEMBERSHIP:.0f} % of the document is about"
RULE = f"A {_LABEL}, or the foremost."
WITHOUT = f"For frex predict a {_LABEL}."


def calibrate_fit(
    corpus: Corpus,
    posterior: Posterior,
    fit: Path,
    settings: Settings,
    *,
    threads: int,
    taken: float,
) -> None:
    """Calibrate a fit that was written, into its folder, and say what share of the time it took.

    Parameters
    ----------
    corpus
        What was fitted.
    posterior
        The fit.
    fit
        Its folder.
    settings
        Settings of the fit.
    threads
        How many; 0 for one per core.
    taken
        Seconds that the fit took.
    """
    begun = time.perf_counter()
    try:
        with progress("calibrating", FOLD_STEPS, unit="steps") as step:
            learned = calibrate_by_folds(
                corpus, priors=settings.priors, seed=settings.seed, threads=threads,
                near=posterior, progress=step,
            )  # fmt: skip
    except InputError as error:
        tell(f"not calibrated: {error.message}. {WITHOUT}")
        return
    except KeyboardInterrupt:
        tell(f"not calibrated: stopped; the fit is whole. {WITHOUT}")
        return
    learned.write(fit / FOLDER, overwrite=True)
    seconds = time.perf_counter() - begun
    share = seconds / max(taken + seconds, 1e-9)
    tell(
        f"calibrated for frex predict in {seconds:,.1f} s, {share:.0%} of the time "
        "(--no-calibrate leaves it out)"
    )


def calibration(
    predictor: Predictor,
    fit: Path,
    corpus: Path | None,
    place: Path | None,
    *,
    overwrite: bool,
    **options: Any,
) -> Calibration | None:
    """Learn the calibration and keep it, or read it; the fit's own where none is named."""
    if corpus is None:
        paper = options.pop("method") == "paper"
        _refuse_unused(
            options, {"thresholds": "global", "criterion": "micro"},
            "learned", "Give --calibrate and a corpus of labelled documents.",
        )  # fmt: skip
        if place is not None:
            return read_calibration(place)
        own = None if paper else calibration_of(fit)
        if paper:
            tell("the paper's rule knows little of how likely a label is: its labels are weak.")
        if own is None:
            tell(RULE if paper else f"{fit} is not calibrated. {RULE}")
        return own
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


def _refuse_unused(options: dict[str, Any], unused: dict[str, Any], what: str, remedy: str) -> None:
    """Refuse options that would change nothing."""
    for name, default in unused.items():
        if options[name] != default:
            raise InputError(f"--{name} has no effect where nothing is {what}", remedy=remedy)


class Source:
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
        title: str = "title",
        url: str = "url",
    ) -> None:
        self._docs, self._words, self._jobs = docs, posterior.words, jobs
        self._corpus = None
        self.total: int | None
        if len(docs) == 1 and (Path(docs[0]) / MANIFEST).exists():
            _refuse_unused(
                {"text": text, "stem": stem}, {"text": None, "stem": None},
                "read but counts", "Leave it out, or give the documents' text.",
            )  # fmt: skip
            self._corpus = read_corpus(docs[0])
            self.total, self.unit = len(self._corpus), "documents"
            return
        self.total, self.unit = input_bytes(docs), "B"
        self._fields = Fields(
            id_field, tuple(text or text_fields_from(posterior.analyzer)), None,
            title=title or None, url=url or None, date=None,
        )  # fmt: skip
        self._analyzer = analyzer_of(posterior, stem=stem)

    def documents(self, step: Callable[[int], None]) -> Iterator[Documents]:
        """Yield the documents, telling how far it got."""
        if self._corpus is None:
            yield from text_documents(
                self._docs, self._words, self._analyzer,
                fields=self._fields, jobs=self._jobs, progress=step,
            )  # fmt: skip
            return
        for documents in corpus_documents(self._corpus, self._words):
            yield documents
            step(len(documents.ids))
