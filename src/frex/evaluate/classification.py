"""The classification experiment of the paper's section 4.5.

A corpus is split into stratified training, validation and test parts, 15, 25 and 60 %. Every model
gets the same parts and predicts labels of the test documents. This is repeated with other splits.
Vocabulary and labels are those of the corpus.
"""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pandas as pd

from frex import __version__
from frex.corpus.splits import PAPER_FRACTIONS
from frex.errors import InputError
from frex.evaluate import baselines, box, hpc
from frex.evaluate.bands import COLUMNS as IN_BANDS
from frex.evaluate.bands import band_rows
from frex.evaluate.measures import MEASURES, measure
from frex.evaluate.parts import Parts, Rule
from frex.evaluate.rows import RowFile, fingerprint
from frex.sampler.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from frex.corpus import Corpus
    from frex.evaluate.parts import Answer
    from frex.predict.thresholds import By

MODELS: dict[str, Callable[..., Answer]] = {
    "frex": box.frex,
    "frex-svm": box.frex_svm,
    "frex-hpc": box.frex_hpc,
    "frex-cautious": box.frex_cautious,
    "hpc": hpc.hpc,
    "hpc-paper": hpc.hpc_paper,
    "hpc-both": hpc.hpc_both,
    "svm": baselines.svm,
    "svm-both": baselines.svm_both,
    "logit": baselines.logit,
    "logit-both": baselines.logit_both,
    "llda": baselines.labeled_lda,
    "omikuji": box.omikuji,
}
"""The models. Those that begin with frex, and omikuji, are trained on the training and validation
parts with out-of-fold calibration, as `frex fit` does. Other plain names are trained on the
training part, with thresholds from the validation part. Those that end in -both are trained on both
parts."""

FITTED = ("hpc", "frex")
"""Prefixes of models that fit HPC."""

OWN_RULE = ("svm-both", "logit-both")
"""Models with the classifier's own decision rule, for which the thresholds option has no effect."""

DEFAULT_MODELS = ("hpc", "svm", "logit", "llda")

COLUMNS = ("experiment", "repeat", "model", *MEASURES, "seconds")
BAND_COLUMNS = ("experiment", "repeat", "model", *IN_BANDS)


def classification(
    corpus: Corpus,
    *,
    models: Sequence[str] = DEFAULT_MODELS,
    repeats: int = 10,
    fractions: Sequence[float] = PAPER_FRACTIONS,
    split: Sequence[str] | None = None,
    thresholds: By | None = None,
    criterion: Literal["micro", "macro"] | None = None,
    settings: Settings | None = None,
    seed: int = 0,
    threads: int = 0,
    out: str | PathLike[str] | None = None,
    bands: str | PathLike[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Compare models as classifiers; return one row for each repeat and model.

    Columns: `experiment` (a fingerprint of corpus and settings), `repeat`, `model`, each of
    `MEASURES`, and `seconds`.

    Parameters
    ----------
    corpus
        A corpus with labels; documents without labels or without words are left out.
    models
        Some of `MODELS`.
    repeats
        Number of random splits.
    fractions
        Shares of training, validation and test.
    split
        For each document of the corpus its part, ``"train"``, ``"validation"`` or ``"test"``;
        others are left out. Without a validation part, 25 in 40 of the training part are drawn for
        each repeat.
    thresholds
        ``"global"``: one for all topics; ``"topic"``: one for each. None: each model's default,
        which is one for all, or, for omikuji and models that begin with frex, one for each by
        expected counts (`frex.predict.expected`).
    criterion
        The F1 that thresholds maximise; None: micro F1, or, by expected counts, the mean of micro
        and macro F1.
    settings
        Settings of HPC's fits; by default ``Settings(method="map")``, which takes seconds per
        repeat on the RCV1 sample, while draws take most of a minute.
    seed
        The same seed gives the same parts.
    threads
        Number of threads; 0 for one per core.
    out
        A CSV file to which each row is appended as soon as it is computed. Existing rows are not
        computed again.
    bands
        A CSV file to which the frequencies of labels, by probability and by size of the topic, are
        appended; `frex.evaluate.summarize_bands` makes a table from it.
    progress
        Called with 1 after each row.
    """
    settings = settings or Settings(method="map")
    corpus, split = _usable(corpus, split)
    _check(models, repeats, fractions)
    told: dict[str, Any] = {"fractions": list(fractions), "seed": seed, "version": __version__}
    if split is not None:
        told = {"split": list(split), "seed": seed, "version": __version__}
    plain = fingerprint(corpus, **told, thresholds=thresholds, criterion=criterion)
    fitted = fingerprint(
        corpus, **told, thresholds=thresholds, criterion=criterion, fit=settings.to_json()
    )
    experiments = {name: fitted if name.startswith(FITTED) else plain for name in models}
    file, banded = RowFile(out, COLUMNS), RowFile(bands, BAND_COLUMNS)
    known = {_key(row) for row in file.rows}
    if bands is not None:  # a row without bands in that file is computed again
        known &= {_key(row) for row in banded.rows}
    for repeat in range(1, repeats + 1):
        parts = None
        for name in models:
            if (experiments[name], str(repeat), name) not in known:
                parts = parts or _parts(corpus, fractions, split, seed + repeat - 1)
                run = partial(
                    MODELS[name], parts, threads=threads, **_rule(name, thresholds, criterion)
                )
                head = {"experiment": experiments[name], "repeat": repeat, "model": name}
                run = partial(run, settings) if name.startswith(FITTED) else run
                measured, answer = _measured(run, parts)
                for row in _bands(parts, answer) if bands is not None else ():
                    banded.append(head | row)
                file.append(head | measured)
            if progress is not None:
                progress(1)
    return _table(file, experiments, repeats)


def summarize(rows: pd.DataFrame) -> pd.DataFrame:
    """Return mean and standard deviation over repeats, one row for each model and measure.

    Columns: `model`, `measure`, `mean`, `sd` (NaN for one repeat) and `repeats`.

    Parameters
    ----------
    rows
        The result of `classification`.
    """
    long = rows.melt(["repeat", "model"], list(MEASURES), var_name="measure")
    groups = long.groupby(["model", "measure"], sort=False)["value"]
    table = groups.agg(mean="mean", sd="std", repeats="count").reset_index()
    order = pd.Index(rows["model"].unique()).get_indexer(table["model"])
    return table.iloc[np.argsort(order, kind="stable")].reset_index(drop=True)


def _usable(corpus: Corpus, split: Sequence[str] | None) -> tuple[Corpus, Sequence[str] | None]:
    """Leave out documents that cannot be used for training or evaluation."""
    if corpus.tree is None:
        raise InputError("the corpus has no labels", remedy="Use one that has.")
    if split is not None and len(split) != len(corpus):
        raise InputError(
            f"the split names parts of {len(split):,} documents, and there are {len(corpus):,}",
            remedy="Name one for each document.",
        )
    keep = (np.diff(corpus.labels.indptr) > 0) & (corpus.lengths > 0)
    if keep.all():
        return corpus, split
    rows = np.flatnonzero(keep)
    return corpus.take(rows), None if split is None else [split[row] for row in rows.tolist()]


def _parts(
    corpus: Corpus, fractions: Sequence[float], split: Sequence[str] | None, seed: int
) -> Parts:
    if split is None:
        return Parts.of(corpus, fractions, seed)
    parts = Parts.given(corpus, split, seed)
    for name, part in zip(("train", "validation", "test"), parts, strict=True):
        if not len(part):
            raise InputError(
                f"no document with labels and words is in the part {name!r} of the split",
                remedy="Name the parts train, test and, where there is one, validation.",
            )
    return parts


def _rule(
    name: str, thresholds: By | None, criterion: Literal["micro", "macro"] | None
) -> dict[str, Rule]:
    """Return the option of a model's thresholds, if they are not its default."""
    if name in OWN_RULE or (thresholds is None and criterion is None):
        return {}
    return {"rule": Rule(thresholds or "global", criterion or "micro")}


def _bands(parts: Parts, answer: Answer) -> list[dict[str, Any]]:
    sizes = np.bincount(parts.both.labels.indices, minlength=parts.both.n_topics)
    return band_rows(parts.test.labels, answer, sizes)


def _check(models: Sequence[str], repeats: int, fractions: Sequence[float]) -> None:
    for name in models:
        if name not in MODELS:
            raise InputError(
                f"there is no model {name!r}", remedy=f"Choose among {', '.join(MODELS)}."
            )
    if not models or len(set(models)) < len(models):
        raise InputError(
            f"the models are {', '.join(models) or 'none'}", remedy="Name at least one, once."
        )
    if repeats < 1:
        raise InputError(f"repeats is {repeats}", remedy="Give 1 or more.")
    if len(fractions) != len(Parts._fields):
        raise InputError(
            f"there are {len(fractions)} fractions", remedy="Give those of three parts."
        )
    if "omikuji" in models:
        box.load_omikuji()
    if "llda" in models:  # before the other models take hours
        baselines.load_tomotopy()


def _measured(run: Callable[[], Answer], parts: Parts) -> tuple[dict[str, float], Answer]:
    if not all(map(len, parts)):
        raise InputError(
            f"the split has {len(parts.training):,} documents for training, "
            f"{len(parts.validation):,} for validation and {len(parts.test):,} for the test",
            remedy="Each needs some. A topic of one or two documents is all in the largest part: "
            "use more documents of each topic, or other --fractions.",
        )
    start = time.perf_counter()
    answer = run()
    seconds = round(time.perf_counter() - start, 2)
    measured = measure(parts.test.labels, answer.labels, answer.scores, parts.tree)
    return measured | {"seconds": seconds}, answer


def _key(row: dict[str, str]) -> tuple[str, ...]:
    return row["experiment"], row["repeat"], row["model"]


def _table(file: RowFile, experiments: dict[str, str], repeats: int) -> pd.DataFrame:
    """Return the requested rows, in the order of repeats and models."""
    rows = {_key(row): row for row in file.rows}
    wanted = [
        rows[experiments[name], str(repeat), name]
        for repeat in range(1, repeats + 1)
        for name in experiments
    ]
    types: dict[str, Any] = {"repeat": int, **dict.fromkeys((*MEASURES, "seconds"), float)}
    return pd.DataFrame(wanted, columns=list(COLUMNS)).astype(types)
