"""Explanation of the log odds of a label as an exact sum.

    log odds = prior + sum over the document's words + missing + tree

The prior is the log odds of a document without words. From there the counts are scaled up together
to those of the document, and each word is credited with the integral of its own contribution along
this path (Aumann and Shapley, 1974). `missing` is the contribution of the words that do not occur
among the tokens, and `tree` that of the topic's branch. Linear terms need no integration; the log
probabilities are integrated in `STEPS` steps, and the remaining error is added to the prior.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import softmax

from frex.predict.evidence import weight
from frex.predict.judges import FEATURES, LEAST, UNLIKELY

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.predict.join import Join
    from frex.predict.joined import Joined
    from frex.predict.judges import Judge
    from frex.predict.modes import Predictor

    Array: TypeAlias = NDArray[np.float64]

STEPS = 64
"""Gauss-Legendre nodes, in the square root of the scale: most changes happen at the beginning."""

NOTHING = 1e-9
"""Log odds that count as zero."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(STEPS)
_ROOTS = (_NODES + 1.0) / 2.0
_AT, _SHARES = _ROOTS**2, _WEIGHTS * _ROOTS


class Reasons(NamedTuple):
    """The terms of the log odds of one label."""

    topic: int  #: the label's column
    log_odds: float
    prior: float
    words: NDArray[np.int64]  #: the document's words, sorted by decreasing contribution
    gains: Array  #: the contribution of each of them
    missing: float
    tree: float


class _Document(NamedTuple):
    """The scores of the document along the path, in double precision."""

    words: NDArray[np.int64]
    linear: Array  #: words x topics, contributions to the decision values
    decisions: Array  #: steps x topics, decision values along the path
    first: NDArray[np.int64]  #: steps, the topic with the highest decision value
    second: NDArray[np.int64]  #: steps, the topic with the second highest
    likelihoods: Array  #: words x topics, contributions to the tempered log likelihoods
    expected: Array  #: topics, the term of expected words, which is subtracted
    theta: Array  #: steps and the two ends x topics, probabilities by HPC's rates
    mixed: Array  #: words x steps, the mean over theta of the contributions


def give_reasons(
    predictor: Predictor,
    joined: Joined,
    counts: csr_array[np.int32],
    topics: NDArray[np.int64],
    exposure: float | None = None,
) -> list[Reasons]:
    """Explain labels of one document.

    Parameters
    ----------
    predictor, joined
        The fit's predictor and calibration.
    counts
        The document's counts, one row.
    topics
        The labels to explain, as columns.
    exposure
        The document's relative length; by default that of the counts.
    """
    judge, join = joined.judge(predictor), joined.join
    given = None if exposure is None else np.array([exposure])
    reading = judge.read(counts, given)
    planes = judge.features(reading, joined.saturation)
    raw, odds = join.combine(planes)[0], joined.log_odds(predictor, counts, given)[0]
    document = _read(judge, joined, counts, exposure)
    found = []
    for topic in topics.tolist():
        gains, missing, tree = _parts(judge, join, document, topic)
        if not joined.sizes[topic]:  # its log odds are the prior's
            gains, missing, tree = 0.0 * gains, 0.0, 0.0
        rise = float(gains.sum()) + missing + tree
        # the curve scales all parts equally, as a line from the prior to the end would
        low, high = join.curve.bend(np.array([raw[topic] - rise, raw[topic]]))
        stretch = float(high - low) / rise if abs(rise) > NOTHING else 1.0
        prior = float(odds[topic]) - stretch * rise
        order = np.argsort(-gains, kind="stable")
        found.append(
            Reasons(
                topic, float(odds[topic]), prior, document.words[order],
                stretch * gains[order], stretch * missing, stretch * tree,
            )
        )  # fmt: skip
    return found


def _read(
    judge: Judge, joined: Joined, counts: csr_array[np.int32], exposure: float | None
) -> _Document:
    """Return the scores of a document along the path."""
    weighed = joined.linear.weigh(counts)
    weighed.sort_indices()
    counts = counts.sorted_indices()
    words, times = counts.indices.astype(np.int64), counts.data.astype(np.float64)
    length = judge.predictor.exposures(counts)[0] if exposure is None else exposure
    worth = weight(np.array([times.sum()]), joined.saturation)[0]
    evidence = judge.evidence
    linear = weighed.data[:, None].astype(np.float64) * joined.linear.weights[words]
    likelihoods = worth * times[:, None] * evidence.log_rates[words].astype(np.float64)
    expected = worth * length * evidence.sums.astype(np.float64)
    at = np.concatenate([_AT, [0.0, 1.0]])[:, None]
    theta = softmax(evidence.prior + at * (likelihoods.sum(axis=0) - expected), axis=1)
    decisions = joined.linear.intercepts + _AT[:, None] * linear.sum(axis=0)
    order = np.argsort(-decisions, axis=1, kind="stable")
    first, second = order[:, 0], order[:, min(1, order.shape[1] - 1)]
    mixed = likelihoods @ theta[:STEPS].T
    return _Document(words, linear, decisions, first, second, likelihoods, expected, theta, mixed)


def _parts(judge: Judge, join: Join, document: _Document, topic: int) -> tuple[Array, float, float]:
    """Return the contributions of words, missing words and tree to log odds before the curve.

    `s` and `r` are the derivatives of the log odds in the decision value and in the log likelihood
    at each step; the latter vanishes as the probability approaches its lower bound.
    """
    c = dict(zip(FEATURES, join.coefficients.tolist(), strict=True))
    size, theta = float(judge.sizes[topic]), document.theta[:STEPS]
    leads = c["lead"] * _SHARES * (document.first == topic)
    above = np.maximum(np.log(theta[:, topic] + LEAST) - UNLIKELY, 0.0)
    s = (
        c["linear_by_likely"] * above + c["linear"] - c["gap"] + c["linear_by_size"] * size
    ) * _SHARES + leads
    gains = document.linear[:, topic] * s.sum()
    gains += c["gap"] * (document.linear[:, document.first] @ _SHARES)
    gains -= document.linear[:, document.second] @ leads
    of_words = c["words"] + c["words_by_size"] * size
    of_likely = c["likely"] + c["linear_by_likely"] * document.decisions[:, topic]
    of_words = of_words + np.where(above > 0, of_likely, 0.0)
    r = of_words * _SHARES * theta[:, topic] / (theta[:, topic] + LEAST)
    gains += document.likelihoods[:, topic] * r.sum() - document.mixed @ r
    missing = float(r @ (theta @ document.expected) - r.sum() * document.expected[topic])
    before, after = judge.branches.within(document.theta[STEPS:].astype(np.float32))[:, topic]
    tree = c["branch"] * float(np.log(after + LEAST) - np.log(before + LEAST))
    return gains, missing, tree
