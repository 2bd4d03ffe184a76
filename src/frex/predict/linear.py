"""`LinearScorer`: a linear classifier of each topic against the rest, on tf-idf of the counts.

A generative model treats words as independent. A linear SVM (scikit-learn's) does not, so its
scores complement those of HPC; `frex.predict.join` combines the two. The result is three arrays.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from sklearn.svm import LinearSVC

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Single: TypeAlias = NDArray[np.float32]

NEVER, ALWAYS = -1.0, 1.0
"""Constant decision values of a topic that no document has, or all have: the margins of an SVM."""

PENALTY = 1.0
"""scikit-learn's C, if there are no data to choose it."""


class LinearScorer(NamedTuple):
    """The parameters of the linear classifiers."""

    idf: Single  #: words, 1 + log of the number of documents over those with the word
    weights: Single  #: words x topics
    intercepts: Single  #: topics

    def decisions(self, counts: csr_array[np.int32]) -> Single:
        """Return decision values, documents x topics: positive values are in favour of a topic.

        Parameters
        ----------
        counts
            Documents x words.
        """
        values: Single = self.weigh(counts) @ self.weights
        values += self.intercepts
        return values

    def weigh(self, counts: csr_array[np.int32]) -> csr_array[np.float32]:
        """Return tf-idf of documents, (1 + log count) times idf, rows of length 1.

        Parameters
        ----------
        counts
            Documents x words.
        """
        weighed = counts.astype(np.float32)
        np.log(weighed.data, out=weighed.data)
        weighed.data += 1.0
        weighed.data *= self.idf[weighed.indices]
        unit: csr_array[np.float32] = normalize(weighed, copy=False)
        return unit


def learn_linear(
    counts: csr_array[np.int32],
    labels: csr_array[np.bool_],
    *,
    penalty: float = PENALTY,
) -> LinearScorer:
    """Train a linear SVM for each topic against the rest.

    Topics are trained one after the other: the threads of a process share liblinear's random
    numbers, so parallel training would not be reproducible. The dual problem is solved. The primal,
    which scikit-learn chooses if documents outnumber words, takes half as long again on
    Reuters-21578.

    Parameters
    ----------
    counts
        Documents x words.
    labels
        Documents x topics.
    penalty
        scikit-learn's C, the weight of the loss.
    """
    n_documents, n_words = counts.shape
    found = np.diff(counts.tocsc().indptr)
    idf = (np.log((1.0 + n_documents) / (1.0 + found)) + 1.0).astype(np.float32)
    by_topic = labels.tocsc()
    sizes = np.diff(by_topic.indptr)
    weights = np.zeros((n_words, len(sizes)), np.float32)
    intercepts = np.where(sizes > 0, ALWAYS, NEVER).astype(np.float32)
    made = LinearScorer(idf, weights, intercepts)
    features = made.weigh(counts).astype(np.float64)  # liblinear's type: one copy for all topics
    target = np.zeros(n_documents, np.int8)
    with warnings.catch_warnings():  # full convergence would change no label
        warnings.simplefilter("ignore", ConvergenceWarning)
        for topic in np.flatnonzero((sizes > 0) & (sizes < n_documents)).tolist():
            own = by_topic.indices[slice(*by_topic.indptr[topic : topic + 2])]
            target[own] = 1
            fitted = LinearSVC(C=penalty, dual=True, random_state=0).fit(features, target)
            weights[:, topic], intercepts[topic] = fitted.coef_[0], fitted.intercept_[0]
            target[own] = 0
    return made
