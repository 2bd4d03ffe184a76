"""The correction of label probabilities, learned on held-out labelled documents.

Affinities at the mode rank topics well, but are not calibrated. Three logistic regressions on
held-out documents correct this. The first step has three parameters for all topics:

    z_dk = a + b log(membership) + c sqrt(shortfall),

where the shortfall is the log likelihood ratio between the best single topic and topic k alone,
divided by the square root of the document's length. The second step corrects topic k by its own
slope and intercept, and by a weight for each word,

    logit p_dk = (1 + u_k) z_dk + v_k + w_k' usage_d,

a logistic regression on words with the first step as offset. u, v and w have Gaussian priors with
mean 0, so a topic with few documents keeps the probabilities of the first step. The weights correct
the errors of a generative model as a classifier, above all for correlated and repeated words. The
logistic curve is symmetric, but frequencies are not, so a third step, for all topics, lets the ends
differ:

    logit = e + f log p - g log(1 - p)      (beta calibration, Kull et al., 2017).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import minimize
from scipy.sparse import csr_array
from sklearn.linear_model import LogisticRegression

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.predict.modes import Scores

    Array: TypeAlias = NDArray[np.float64]
    Labels: TypeAlias = NDArray[np.bool_]
    Usage: TypeAlias = csr_array[np.float32] | NDArray[np.float32]

LEAST_LOG_MEMBERSHIP = -9.0
"""Lower bound of a membership."""

LARGEST = 15.0
"""Bound of the first step's log odds."""

PRECISION = 1.0
"""Precision of the priors of u and v."""

WORD_PRECISIONS = (100.0, 10.0, 1.0, 0.1, 0.01, 0.001)
"""Candidate precisions of the prior of w, chosen on held-out documents. Documents simulated from
the model choose 1 or 10, those of Reuters-21578 and RCV1 choose 0.1."""

MOST_STEPS = 60
"""Most iterations of the second step; with 150, micro F1 on RCV1 changes by 0.002."""

LEAST_SHARE = 1e-6
"""Share of the largest eigenvalue below which an eigenvalue is rounding error."""

FOLDS = 3
"""Number of folds of the held-out documents."""


class Correction(NamedTuple):
    """The parameters of the three steps."""

    common: Array  #: a, b, c
    slopes: Array  #: topics, 1 + u
    intercepts: Array  #: topics, v
    weights: NDArray[np.float32]  #: words x topics, w in columns
    ends: Array  #: e, f, g

    def log_odds(self, scores: Scores, prior: Array) -> Array:
        """Return the corrected log odds of every label, documents x topics."""
        first = common_log_odds(self.common, scores, prior)
        odds = self.slopes * first + self.intercepts + scores.usage @ self.weights
        return bend(self.ends, odds)


def common_features(scores: Scores, prior: Array) -> Array:
    """Return the first step's features, documents x topics x 2."""
    lengths = scores.lengths[:, None]
    alone = scores.evidence * lengths + prior
    shortfall = (alone.max(axis=1, keepdims=True) - alone) / np.sqrt(lengths + 1.0)
    memberships = np.maximum(scores.log_memberships, LEAST_LOG_MEMBERSHIP)
    return np.stack([memberships, np.sqrt(shortfall)], axis=-1)


def common_log_odds(common: Array, scores: Scores, prior: Array) -> Array:
    """Return the first step's log odds, documents x topics."""
    odds = common[0] + common_features(scores, prior) @ common[1:]
    clipped: Array = np.clip(odds, -LARGEST, LARGEST)
    return clipped


def bend(ends: Array, odds: Array) -> Array:
    """Return log odds after the third step."""
    bent: Array = ends[0] - ends[1] * np.logaddexp(0.0, -odds) + ends[2] * np.logaddexp(0.0, odds)
    return bent


def learn(scores: Scores, prior: Array, labels: Labels) -> tuple[Correction, Array]:
    """Learn the correction; return it, and the out-of-fold log odds of the documents.

    Parameters
    ----------
    scores
        Scores of documents that took no part in the fit.
    prior
        Prior log odds of each label.
    labels
        The documents' labels.
    """
    features = common_features(scores, prior)
    common = _regression(features.reshape(-1, 2), labels)
    first = common_log_odds(common, scores, prior)
    folds = np.arange(len(first)) % min(FOLDS, len(first))
    usage, basis = _along_documents(scores.usage)
    precision = _choose_precision(first, usage, labels, folds == 0)
    second = _second_step(first, usage, labels, precision)
    crossed = np.empty_like(first)
    for fold in range(folds.max() + 1):
        # three parameters do not overfit, so only the second step is learned by fold
        rest, held = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        part = _second_step(first[rest], usage[rest], labels[rest], precision)
        crossed[held] = part.log_odds(first[held], usage[held])
    tails = [-np.logaddexp(0.0, -crossed).ravel(), np.logaddexp(0.0, crossed).ravel()]
    ends = _regression(np.stack(tails, axis=-1), labels)
    weights = second.weights if basis is None else basis @ second.weights
    made = Correction(common, second.slopes, second.intercepts, weights, ends)
    return made, bend(ends, crossed)


def _along_documents(
    usage: csr_array[np.float32],
) -> tuple[Usage, NDArray[np.float32] | None]:
    """Return the documents' usage in an orthonormal basis of their span, and the basis.

    The likelihood depends on the weights only through the documents, so the mode lies in their
    span. In the basis the prior has the same form, and every iteration is the same. With few
    documents this reduces the number of weights: 600 documents over 9,137 words and 1,303 topics
    take minutes instead of more than twenty. With many documents no basis is used, and usage is
    unchanged.
    """
    n_documents, n_words = usage.shape
    if 2 * n_documents > n_words:
        return usage, None
    values, vectors = eigh((usage @ usage.T).toarray().astype(np.float64))
    kept = values > LEAST_SHARE * values[-1]
    lengths = np.sqrt(values[kept])
    basis = usage.T @ (vectors[:, kept] / lengths)
    return (vectors[:, kept] * lengths).astype(np.float32), basis.astype(np.float32)


def _regression(features: Array, labels: Labels) -> Array:
    """Return intercept and slopes of a logistic regression over all documents and topics."""
    regression = LogisticRegression(C=np.inf, solver="newton-cholesky")
    regression.fit(features, labels.ravel())
    found: Array = np.concatenate([regression.intercept_, regression.coef_[0]])
    return found


class _Second(NamedTuple):
    """The parameters of the second step."""

    slopes: Array  #: topics, 1 + u
    intercepts: Array  #: topics, v
    weights: NDArray[np.float32]  #: words x topics, w in columns

    def log_odds(self, first: Array, usage: Usage) -> Array:
        """Return the log odds of documents x topics."""
        odds: Array = self.slopes * first + self.intercepts + usage @ self.weights
        return odds


def _choose_precision(first: Array, usage: Usage, labels: Labels, held: Labels) -> float:
    """Return the precision with the best likelihood of the held-out documents.

    The precision decreases step by step, with a warm start, until the likelihood gets worse.
    """
    inside, outside = np.flatnonzero(held), np.flatnonzero(~held)
    target, lowest, found = labels[inside], np.inf, None
    chosen = WORD_PRECISIONS[0]
    for precision in WORD_PRECISIONS if len(outside) else ():
        found = _second_step(first[outside], usage[outside], labels[outside], precision, found)
        odds = found.log_odds(first[inside], usage[inside])
        loss = float((np.logaddexp(0.0, odds) - target * odds).sum())
        if loss >= lowest:
            break
        chosen, lowest = precision, loss
    return chosen


def _second_step(
    first: Array,
    usage: Usage,
    labels: Labels,
    word_precision: float,
    start: _Second | None = None,
) -> _Second:
    """Learn all topics at once: their problems differ only in the labels."""
    n_topics, n_words = labels.shape[1], usage.shape[1]
    # single precision is accurate enough relative to the priors, and these matrices take the time
    first, target = first.astype(np.float32), labels.astype(np.float32)
    by_word = usage.T if isinstance(usage, np.ndarray) else csr_array(usage.T)
    precisions = np.array([PRECISION, PRECISION, word_precision], np.float32)
    precision = np.repeat(precisions, [1, 1, n_words])[:, None]

    def loss(flat: Array) -> tuple[float, Array]:
        table = flat.reshape(2 + n_words, n_topics).astype(np.float32)
        odds = (1.0 + table[0]) * first + table[1] + usage @ table[2:]
        small = np.exp(-np.abs(odds))
        softplus = np.maximum(odds, 0.0) + np.log1p(small)
        error = np.where(odds > 0.0, 1.0, small) / (1.0 + small) - target
        gradient = np.vstack([(error * first).sum(0), error.sum(0), by_word @ error])
        likelihood = (target * odds - softplus).sum(dtype=np.float64)
        penalty = 0.5 * (precision * table**2).sum(dtype=np.float64)
        slope: Array = (gradient + precision * table).ravel().astype(np.float64)
        return float(penalty - likelihood), slope

    begin = np.zeros((2 + n_words, n_topics))
    if start is not None:
        begin[:] = np.vstack([start.slopes - 1.0, start.intercepts, start.weights])
    found = minimize(
        loss, begin.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS}
    )
    table = found.x.reshape(2 + n_words, n_topics)
    return _Second(1.0 + table[0], table[1], table[2:].astype(np.float32))
