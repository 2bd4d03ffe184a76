"""The correction of label probabilities on documents whose labels are known.

Affinities at the mode rank topics well, but say little about how likely a label is. Three steps of
logistic regression learn that from held-out documents. The first has three numbers for all topics:

    z_dk = a + b log(membership) + c sqrt(shortfall),

a shortfall being how much less likely the document's words are if they are about topic k alone than
if they are about the best topic alone, over the root of its length. The second corrects topic k by
what the words say of all topics,

    logit p_dk = (1 + u_k) z_dk + v_k + w_k' evidence_d,

which is matrix scaling (Kull et al., 2019) about the first step: u, v and w have Gaussian priors
about 0, so a topic with few documents keeps what holds for all. The logistic curve bends at both
ends alike, and frequencies do not; so a third step, for all topics, lets the ends differ:

    logit = e + f log p - g log(1 - p)      (beta calibration, Kull et al., 2017).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.predict.modes import Scores

    Array: TypeAlias = NDArray[np.float64]
    Labels: TypeAlias = NDArray[np.bool_]

LEAST_LOG_MEMBERSHIP = -9.0
"""Below this a membership is nothing, however small."""

LARGEST = 15.0
"""Of the first step's log odds."""

PRECISIONS = (1.0, 1.0, 50.0)
"""Of the priors of u, v and w; on Reuters-21578 micro F1 moves by 0.002 from 30 to 100 for w."""

MOST_STEPS = 60
"""Of the second step's climb; from a good start, and with priors, more changes nothing."""

FOLDS = 3
"""Parts of the held-out documents, each of which is left out once."""


class Correction(NamedTuple):
    """What the three steps have learned."""

    common: Array  #: a, b, c
    slopes: Array  #: topics, 1 + u
    intercepts: Array  #: topics, v
    weights: Array  #: topics x topics, w in rows, of standardised evidence
    center: Array  #: topics, mean of the evidence
    spread: Array  #: topics, its standard deviation
    ends: Array  #: e, f, g

    def log_odds(self, scores: Scores, prior: Array) -> Array:
        """Return the corrected log odds of every label, documents x topics."""
        first = common_log_odds(self.common, scores, prior)
        evidence = (scores.evidence - self.center) / self.spread
        # a document without words says nothing, not the average
        evidence[scores.lengths == 0] = 0.0
        odds = self.slopes * first + self.intercepts + evidence @ self.weights.T
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
    """Learn the correction; return it, and the log odds that documents have without their own help.

    Parameters
    ----------
    scores, labels
        Of documents that took no part in the fit.
    prior
        Log odds of each label before any word is read.
    """
    features = common_features(scores, prior)
    common = _regression(features.reshape(-1, 2), labels)
    first = common_log_odds(common, scores, prior)
    center, spread = scores.evidence.mean(axis=0), scores.evidence.std(axis=0)
    spread = np.where(spread > 0.0, spread, 1.0)
    evidence = (scores.evidence - center) / spread
    evidence[scores.lengths == 0] = 0.0
    second = _second_step(first, evidence, labels)
    crossed = np.empty_like(first)
    folds = np.arange(len(first)) % FOLDS
    for fold in range(min(FOLDS, len(first))):
        # the first step's three numbers are not overfitted: only the second step is learned anew
        rest, held = folds != fold, folds == fold
        slopes, intercepts, weights = _second_step(first[rest], evidence[rest], labels[rest])
        crossed[held] = slopes * first[held] + intercepts + evidence[held] @ weights.T
    tails = [-np.logaddexp(0.0, -crossed).ravel(), np.logaddexp(0.0, crossed).ravel()]
    ends = _regression(np.stack(tails, axis=-1), labels)
    return Correction(common, *second, center, spread, ends), bend(ends, crossed)


def _regression(features: Array, labels: Labels) -> Array:
    """Return intercept and slopes of a logistic regression over all documents and topics."""
    regression = LogisticRegression(C=np.inf, solver="newton-cholesky")
    regression.fit(features, labels.ravel())
    found: Array = np.concatenate([regression.intercept_, regression.coef_[0]])
    return found


def _second_step(first: Array, evidence: Array, labels: Labels) -> tuple[Array, Array, Array]:
    """Return 1 + u, v and w, all topics at once: their problems share all but the labels."""
    n_topics, n_weights = labels.shape[1], evidence.shape[1]
    # single precision: the priors are wider than its error, and time goes into these matrices
    first, evidence = first.astype(np.float32), evidence.astype(np.float32)
    target = labels.astype(np.float32)
    precision = np.repeat(PRECISIONS, [1, 1, n_weights])[:, None]

    def loss(flat: Array) -> tuple[float, Array]:
        table = flat.reshape(2 + n_weights, n_topics).astype(np.float32)
        odds = (1.0 + table[0]) * first + table[1] + evidence @ table[2:]
        small = np.exp(-np.abs(odds))
        softplus = np.maximum(odds, 0.0) + np.log1p(small)
        error = np.where(odds > 0.0, 1.0, small) / (1.0 + small) - target
        gradient = np.vstack([(error * first).sum(0), error.sum(0), evidence.T @ error])
        likelihood = (target * odds - softplus).sum(dtype=np.float64)
        penalty = 0.5 * (precision * table**2).sum()
        slope: Array = (gradient + precision * table).ravel().astype(np.float64)
        return float(penalty - likelihood), slope

    start = np.zeros((2 + n_weights) * n_topics)
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": MOST_STEPS})
    table = found.x.reshape(2 + n_weights, n_topics)
    return 1.0 + table[0], table[1], np.ascontiguousarray(table[2:].T)
