"""Explanation of a label: the words for it and against it.

The document's likelihood is compared with that without the label: its topic is removed from the
memberships, and the others are rescaled to sum to one. The gain in log likelihood is a sum over all
words of the vocabulary, each Poisson: w log(s / s') - l (s - s'), with rates s and s' with and
without the topic. An expected word that is missing also contributes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import softmax

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.predict.modes import Predictor

    Array: TypeAlias = NDArray[np.float64]


class Explanation(NamedTuple):
    """The contribution of each word to a label's gain in log likelihood."""

    topic: int  #: the label's column
    words: NDArray[np.int64]  #: the document's words, sorted by decreasing gain
    gains: Array  #: the gain of each of them
    missing: float  #: the gain of all words that are not in the document

    @property
    def gain(self) -> float:
        """The total gain in log likelihood."""
        return float(self.gains.sum()) + self.missing


def explain(
    predictor: Predictor,
    counts: csr_array[np.int32],
    affinities: Array,
    topics: NDArray[np.int64],
    exposure: float | None = None,
) -> list[Explanation]:
    """Explain labels of one document.

    Parameters
    ----------
    predictor
        Predictor of the fit.
    counts
        The document's counts, one row.
    affinities
        Its affinities at the mode.
    topics
        The labels to explain, as columns. The only topic of a tree has no alternative, and a gain
        of 0.
    exposure
        The document's relative length; by default that of the counts.
    """
    words, times = counts.indices.astype(np.int64), counts.data.astype(np.float64)
    length = predictor.exposures(counts)[0] if exposure is None else exposure
    rates = predictor.topics.rates[words].astype(np.float64)
    theta = softmax(affinities)
    found = []
    for topic in topics.tolist():
        others = affinities.copy()
        if len(others) > 1:
            others[topic] = -np.inf
        without = softmax(others)
        change = rates @ (theta - without)
        gains = times * np.log((rates @ theta) / (rates @ without)) - length * change
        everywhere = -length * float(predictor.topics.rate_sums @ (theta - without))
        order = np.argsort(-gains, kind="stable")
        missing = everywhere + length * float(change.sum())
        found.append(Explanation(topic, words[order], gains[order], missing))
    return found
