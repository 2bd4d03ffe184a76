"""A threshold for each topic that maximises the expected F1.

F1 = 2 TP / (P + N), with TP true labels among P predicted ones, and N documents that have the
topic. One more label, of probability p, increases F1 if p > F1 / 2, so the optimal threshold is
half of the F1 that it achieves. With weight w of macro F1 and K topics,

    (1 - w) F1 + w / K sum over k of F1_k

is increased by a label of topic k if

    p > (a F1 + b F1_k) / (a + b) / 2,     a = (1 - w) / (P + N),     b = w / K / (P_k + N_k).

A rare topic's own F1 is low and has a large weight, so its threshold is low; that of a frequent
topic is about half the micro F1. TP, P and N are expected counts, sums of probabilities, which vary
less than observed counts. Those of a topic are smoothed by a few labels' worth of all topics of its
size. Thresholds and F1 are updated in turn until they agree. A document always gets its
highest-ranked topic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import expit, logit

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]

SHARES = {"micro": 0.0, "both": 0.5, "macro": 1.0}
"""Weight of macro F1, by the criterion's name."""

SHRINKAGE = 5.0
"""Prior weight, in labels, of the counts of all topics of the same size. With a smaller weight,
macro F1 is higher if micro F1 is high, and micro F1 is lower if every topic is rare; each by half a
point."""

LEAST, MOST = 0.01, 0.9
"""Bounds of a threshold."""

FIRST = 0.4
MOST_TURNS, NEAR = 60, 0.01
"""Tolerance of the thresholds' log odds; each iteration moves them half of the way."""


class Places(NamedTuple):
    """Candidate labels; the least probable ones of each document are only sampled."""

    odds: Array  #: log odds
    rows: NDArray[np.int64]  #: document; the candidates of a document are contiguous
    columns: NDArray[np.integer[Any]]  #: topic
    seen: NDArray[np.integer[Any]]  #: number of the topic's documents in the training folds
    weights: NDArray[np.floating]  #: sampling weight


def expected_thresholds(
    places: Places,
    n_given: int,
    sizes: NDArray[np.int64],
    criterion: str = "both",
    *,
    single: bool = False,
) -> Array:
    """Return a threshold for each topic.

    Parameters
    ----------
    places
        Candidate labels with out-of-fold log odds.
    n_given
        Number of labels of these documents.
    sizes
        Number of documents of each topic in the training data of the final judge.
    criterion
        The criterion to maximise: ``"micro"`` or ``"macro"`` F1, or ``"both"``, their mean.
    single
        Whether documents get one label each: the topic that is furthest above its threshold.
    """
    share, n_topics, n_used = SHARES[criterion], len(sizes), max(1, int((sizes > 0).sum()))
    # a judge never predicts a topic without training documents
    odds = np.where(places.seen > 0, places.odds, -np.inf)
    weight = places.weights.astype(np.float64)
    chance = expit(odds) * weight
    own, n_bands = bands(sizes), int(bands(places.seen).max()) + 1
    own = np.minimum(own, n_bands - 1)
    starts = np.flatnonzero(np.diff(places.rows, prepend=-1))
    lengths = np.diff([*starts, len(chance)])

    def by_topic(values: Array) -> Array:
        sums: Array = np.bincount(places.columns, values, minlength=n_topics).astype(np.float64)
        return sums

    def by_band(values: Array) -> Array:
        sums: Array = np.bincount(bands(places.seen), values, minlength=n_bands).astype(np.float64)
        return sums

    expected, in_band = by_topic(chance), by_band(chance)
    levels = np.full(n_topics, logit(FIRST))
    for _ in range(MOST_TURNS):
        lead = odds - levels[places.columns]
        given = lead == np.repeat(np.maximum.reduceat(lead, starts), lengths)
        if not single:
            given |= lead >= 0
        true, chosen = by_topic(chance * given), by_topic(weight * given)
        total = chosen.sum() + n_given
        micro = 2.0 * true.sum() / total
        band_size = by_band(weight * given) + in_band
        band = 2.0 * by_band(chance * given) / np.maximum(band_size, 1e-9)
        size = chosen + expected + SHRINKAGE
        f1 = (2.0 * true + SHRINKAGE * band[own]) / size
        a, b = (1.0 - share) / total, share / n_used / size
        wanted = logit(np.clip((a * micro + b * f1) / (a + b) / 2.0, LEAST, MOST))
        if np.abs(wanted - levels).max() < NEAR:
            break
        levels += 0.5 * (wanted - levels)
    thresholds: Array = expit(levels)
    return thresholds


def bands(sizes: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Return the band of each size: 0 and 1, 2 and 3, 4 to 7, 8 to 15, and so on."""
    found: NDArray[np.int64] = np.log2(np.maximum(sizes, 1)).astype(np.int64)
    return found
