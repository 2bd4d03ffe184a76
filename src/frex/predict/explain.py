"""Why a document has a label: the words that argue for it and against it.

A label is held against the document without it: its topic is taken out of the memberships and the
others grow to fill its place. The gain in log likelihood is a sum over all words of the vocabulary,
each being Poisson: w log(s / s') - l (s - s'), with rates s and s' with and without the topic. A
word that is missing argues too, where it was to be expected.
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
    """What each word adds to the gain in log likelihood that a label brings."""

    topic: int  #: the label's column
    words: NDArray[np.int64]  #: the document's words, those that argue most for the label first
    gains: Array  #: what each of them adds
    missing: float  #: what all words that are not in the document add

    @property
    def gain(self) -> float:
        """The gain in log likelihood, of all words."""
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
        The labels to explain, as columns. A topic that is the only one of its tree is held against
        nothing, and gains nothing.
    exposure
        The document's relative length, where it is not that of the counts.
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
