"""Labels out of the box: the defaults of `frex fit` and `frex predict`, and rivals.

All models are trained on the training and validation parts. Their calibration is learned on
out-of-fold scores (`frex.predict.folds`), with the same folds, the same logistic regression on a
model's features, the same curve and the same thresholds.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from frex.errors import StoppedError, require
from frex.evaluate.parts import OUT_OF_THE_BOX, Answer
from frex.predict import Calibration, OutOfFold, Predictor, choose_labels, predict
from frex.predict.documents import Documents
from frex.predict.evidence import SATURATION
from frex.predict.folds import N_FOLDS, deal
from frex.predict.joined import learn_from, learn_joined, most_labels
from frex.predict.judged import nearest, weigh
from frex.predict.judges import FEATURES, OF_HPC, OF_LINEAR, linear_features, log_shares
from frex.predict.linear import learn_linear
from frex.sampler.fit import fit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.evaluate.parts import Parts, Rule
    from frex.predict.labels import AnyForm
    from frex.sampler.settings import Settings

    Array: TypeAlias = NDArray[np.float64]
    Single: TypeAlias = NDArray[np.float32]

LEAST_SCORE = 1e-4
"""Lower bound of Omikuji's scores before the log."""


def frex(
    parts: Parts, settings: Settings, *, rule: Rule = OUT_OF_THE_BOX, threads: int = 0
) -> Answer:
    """Use the defaults of `frex fit` and `frex predict`.

    Parameters
    ----------
    parts
        The parts.
    settings
        Settings of the fit.
    rule
        Rule of the thresholds.
    threads
        Number of threads; 0 for one per core.
    """
    return _joined(parts, settings, rule, threads, FEATURES)


def frex_cautious(
    parts: Parts, settings: Settings, *, rule: Rule = OUT_OF_THE_BOX, threads: int = 0
) -> Answer:
    """Use `frex predict --form cautious`: an inner topic if the topic below is uncertain.

    Parameters
    ----------
    parts, settings, rule, threads
        As for `frex`; the threshold always maximises the hierarchical F1.
    """
    return _joined(parts, settings, rule, threads, FEATURES, form="cautious")


def frex_svm(
    parts: Parts, settings: Settings, *, rule: Rule = OUT_OF_THE_BOX, threads: int = 0
) -> Answer:
    """Use only the features of the linear scorer: an SVM with the same folds.

    Parameters
    ----------
    parts, settings, rule, threads
        As for `frex`.
    """
    return _joined(parts, settings, rule, threads, OF_LINEAR)


def frex_hpc(
    parts: Parts, settings: Settings, *, rule: Rule = OUT_OF_THE_BOX, threads: int = 0
) -> Answer:
    """Use only the features of HPC's rates.

    Parameters
    ----------
    parts, settings, rule, threads
        As for `frex`.
    """
    return _joined(parts, settings, rule, threads, OF_HPC)


def _joined(
    parts: Parts,
    settings: Settings,
    rule: Rule,
    threads: int,
    features: Sequence[str],
    *,
    form: AnyForm = "open",
) -> Answer:
    labelled, test = parts.both, parts.test
    posterior = fit(labelled, settings, threads=threads)
    if not posterior.complete:
        raise StoppedError("the fit was stopped")
    learned = learn_joined(
        labelled, priors=settings.priors, seed=settings.seed, threads=threads, near=posterior,
        features=features, thresholds=rule.thresholds, criterion=rule.criterion,
    )  # fmt: skip
    predictor = Predictor(posterior, threads=threads)
    calibration = Calibration(predictor.tree.topics, learned.thresholds, joined=learned.joined)
    documents = Documents(test.ids, test.counts, test.given_exposures)
    found = predict(predictor, calibration, documents, form=form)
    labels = predictor.over_taxonomy(found.labels.astype(np.float64).toarray())
    return Answer(
        predictor.over_taxonomy(found.probabilities), sparse.csr_array(labels.astype(np.bool_))
    )


def omikuji(parts: Parts, *, rule: Rule = OUT_OF_THE_BOX, threads: int = 0) -> Answer:
    """Train Omikuji's Parabel on training and validation parts; calibrate it on their folds.

    Parameters
    ----------
    parts
        The parts.
    rule
        Rule of the thresholds.
    threads
        Number of threads; 0 for one per core.
    """
    load_omikuji()
    labelled = parts.both
    judged = _judged(labelled, threads)
    sizes = np.bincount(labelled.labels.indices, minlength=labelled.n_topics)
    join, thresholds, most = learn_from(
        judged, sizes, OF_LINEAR, rule.thresholds, rule.criterion, most=most_labels(labelled)
    )
    planes = _planes(_parabel(labelled, threads)(parts.test), sizes, len(labelled))
    probabilities = expit(join.log_odds_of_planes(planes)) * (sizes > 0)
    return Answer(probabilities, choose_labels(probabilities, thresholds, parts.tree, most=most))


def _judged(labelled: Corpus, threads: int) -> OutOfFold:
    """Score every document by a Parabel that did not see it."""
    folds = deal(labelled, N_FOLDS)
    shape, kept = labelled.labels.shape, {"weights": np.float32, "seen": np.int32}
    table = np.empty((*shape, len(FEATURES)), np.float32)
    given = labelled.labels.toarray().astype(np.bool_)
    near, weights, seen = np.empty(shape, np.bool_), *(np.empty(shape, t) for t in kept.values())
    for fold in range(N_FOLDS):
        held, others = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        training = labelled.take(others)
        sizes = np.bincount(training.labels.indices, minlength=labelled.n_topics)
        planes = _planes(_parabel(training, threads)(labelled.take(held)), sizes, len(training))
        table[held], seen[held] = np.stack(planes, axis=-1), sizes
        near[held] = nearest(planes[0])
        weights[held] = weigh(near[held] | given[held], np.random.default_rng(fold))
    at = np.nonzero(weights)
    starts = np.concatenate([[0], np.cumsum(np.count_nonzero(weights, axis=1))])
    return OutOfFold(
        tuple(labelled.tree.topics if labelled.tree else ()), starts, at[1].astype(np.int32),
        table[at], given[at], near[at], weights[at], seen[at], folds, SATURATION,
    )  # fmt: skip


def _planes(scores: Array, sizes: NDArray[np.int64], n_documents: int) -> list[Single]:
    """Return the features of `frex-svm`, with the log scores as decision values."""
    found = linear_features(
        np.log(scores + LEAST_SCORE).astype(np.float32), log_shares(sizes, n_documents)
    )
    nothing = np.zeros(scores.shape, np.float32)
    return [found.get(name, nothing) for name in FEATURES]


def load_omikuji() -> Any:
    """Import Omikuji; an error names the extra."""
    return require("omikuji", "baselines", "Omikuji")


def _parabel(training: Corpus, threads: int) -> Callable[[Corpus], Array]:
    """Train on the linear scorer's tf-idf; return a function that scores documents."""
    library = load_omikuji()
    none = sparse.csr_array((len(training), 0), dtype=np.bool_)
    weigh = learn_linear(training.counts, none).weigh
    hyper = library.Model.default_hyper_param()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "training.txt"
        path.write_text(_lines(weigh(training.counts), training), encoding="ascii")
        with _silence():
            model = library.Model.train_on_data(str(path), hyper, threads or None)

    def score(documents: Corpus) -> Array:
        weighed, scores = weigh(documents.counts), np.zeros(documents.labels.shape)
        for row, (start, end) in enumerate(
            zip(weighed.indptr[:-1], weighed.indptr[1:], strict=True)
        ):
            words = weighed.indices[start:end].tolist()
            pairs = list(zip(words, weighed.data[start:end].tolist(), strict=True))
            for label, value in model.predict(pairs, top_k=scores.shape[1]):
                scores[row, label] = value
        return scores

    return score


@contextmanager
def _silence() -> Iterator[None]:
    """Suppress the output of a library, which would corrupt screen and table."""
    streams = (sys.stdout, sys.stderr)
    for stream in streams:
        stream.flush()
    kept = [os.dup(number) for number in (1, 2)]
    try:
        with Path(os.devnull).open("w") as nowhere:
            for number in (1, 2):
                os.dup2(nowhere.fileno(), number)
        yield
    finally:
        for number, copy in zip((1, 2), kept, strict=True):
            os.dup2(copy, number)
            os.close(copy)


def _lines(weighed: sparse.csr_array, training: Corpus) -> str:
    """Return documents in the form of the Extreme Classification Repository."""
    lines = [f"{weighed.shape[0]} {weighed.shape[1]} {training.n_topics}"]
    labels = training.labels
    for row in range(len(training)):
        own = labels.indices[labels.indptr[row] : labels.indptr[row + 1]].tolist()
        at = slice(*weighed.indptr[row : row + 2])
        pairs = zip(weighed.indices[at].tolist(), weighed.data[at].tolist(), strict=True)
        words = " ".join(f"{word}:{value:.6g}" for word, value in pairs)
        lines.append(f"{','.join(map(str, own))} {words}")
    return "\n".join(lines) + "\n"
