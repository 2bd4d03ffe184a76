"""HPC as a classifier: a fit, calibrated on held-out documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.special import expit

from frex.corpus.splits import stratify
from frex.errors import StoppedError
from frex.evaluate.parts import PAPER, Answer
from frex.predict import Calibration, Predictor, Scores, calibrate, find_thresholds, predict
from frex.predict.correction import LEAST_LOG_MEMBERSHIP, learn
from frex.predict.documents import Documents
from frex.sampler.fit import fit
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.evaluate.parts import Parts, Rule
    from frex.sampler.settings import Settings

FOLDS = 3
"""Number of folds of the labelled documents."""


def hpc(parts: Parts, settings: Settings, *, rule: Rule = PAPER, threads: int = 0) -> Answer:
    """Fit the training part; learn the correction and the threshold on the validation part.

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
    predictor = _fitted(parts.training, settings, threads)
    return _answer(predictor, calibrate(predictor, parts.validation, **_how(rule)), parts.test)


def hpc_paper(parts: Parts, settings: Settings, *, rule: Rule = PAPER, threads: int = 0) -> Answer:
    """Fit the training part; use the paper's probabilities with the validation part's threshold.

    Parameters
    ----------
    parts, settings, rule, threads
        As for `hpc`.
    """
    predictor = _fitted(parts.training, settings, threads)
    calibration = calibrate(predictor, parts.validation, method="paper", **_how(rule))
    return _answer(predictor, calibration, parts.test)


def hpc_both(parts: Parts, settings: Settings, *, rule: Rule = PAPER, threads: int = 0) -> Answer:
    """Fit the training and validation parts, and learn the correction by cross-validation.

    Each fold is held out from a fit to the others, so that all documents serve both purposes.

    Parameters
    ----------
    parts, settings, rule, threads
        As for `hpc`.
    """
    labelled = parts.both
    folds = stratify(labelled.labels, [1.0 / FOLDS] * FOLDS, seed=settings.seed)
    order, found = [], []
    predictor = _fitted(labelled, settings, threads)
    for fold in range(FOLDS):
        order.append(np.flatnonzero(folds == fold))
        others = _fitted(labelled.take(np.flatnonzero(folds != fold)), settings, threads)
        held = labelled.take(order[-1])
        scores = others.scores(held.counts, held.given_exposures)
        found.append(_by_topics_of(predictor, others, scores))
    scores = Scores(
        np.concatenate([part.affinities for part in found]),
        np.concatenate([part.evidence for part in found]),
        np.concatenate([part.lengths for part in found]),
        sparse.csr_array(sparse.vstack([part.usage for part in found])),
    )
    labels = labelled.labels[np.concatenate(order)].toarray()[:, predictor.columns]
    with use_threads(threads):
        correction, odds = learn(scores, predictor.log_odds, labels)
    how: Any = {"by": rule.thresholds, "criterion": rule.criterion}
    thresholds = find_thresholds(expit(odds), labels, **how)
    calibration = Calibration(predictor.tree.topics, thresholds, correction)
    return _answer(predictor, calibration, parts.test)


def _how(rule: Rule) -> dict[str, Any]:
    return {"thresholds": rule.thresholds, "criterion": rule.criterion}


def _by_topics_of(predictor: Predictor, others: Predictor, scores: Scores) -> Scores:
    """Return the scores of one fit over the topics of another.

    A topic without documents in the first fit ranks last in every document.
    """
    places = {name: column for column, name in enumerate(others.tree.topics)}
    column = np.array([places.get(name, -1) for name in predictor.tree.topics])

    def brought(values: NDArray[np.float64], margin: float) -> NDArray[np.float64]:
        last = values.min(axis=1, keepdims=True) - margin
        return np.hstack([values, last])[:, column]

    return scores._replace(
        affinities=brought(scores.affinities, -LEAST_LOG_MEMBERSHIP),
        evidence=brought(scores.evidence, 0.0),
    )


def _fitted(corpus: Corpus, settings: Settings, threads: int) -> Predictor:
    posterior = fit(corpus, settings, threads=threads)
    if not posterior.complete:
        raise StoppedError("the fit was stopped")
    return Predictor(posterior, threads=threads)


def _answer(predictor: Predictor, calibration: Calibration, test: Corpus) -> Answer:
    documents = Documents(test.ids, test.counts, test.given_exposures)
    predicted = predict(predictor, calibration, documents)
    labels = predictor.over_taxonomy(predicted.labels.astype(np.float64).toarray())
    return Answer(
        predictor.over_taxonomy(predicted.probabilities), sparse.csr_array(labels.astype(np.bool_))
    )
