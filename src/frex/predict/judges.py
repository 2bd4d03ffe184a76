"""`Judge`: a fit and a linear scorer of the same documents, and the features of a label.

The features of topic k in document d, for the log odds of `frex.predict.join`, are:

    linear            the decision value of the SVM
    gap               how far it is below the document's highest
    lead              for the highest, how far it is above the second; 0 for the others
    size              log share of the training documents that have the topic
    linear_by_size    linear times size: decision values of rare topics have another scale
    words             log probability, by HPC's rates, that the document is about k
    words_by_size     words times size
    branch            the same for k's parent and all topics below it; 0 for a top-level topic
    likely            how far words is above `UNLIKELY`; 0 if it is below
    linear_by_likely  linear times likely: the interaction of the two scores

Probabilities are bounded below by `LEAST`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from frex.predict.linear import NEVER

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.predict.linear import LinearScorer
    from frex.predict.modes import Predictor
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]
    Single: TypeAlias = NDArray[np.float32]

FEATURES = (
    "linear", "gap", "lead", "size", "linear_by_size",
    "words", "words_by_size", "branch", "likely", "linear_by_likely",
)  # fmt: skip
OF_HPC = ("size", "words", "words_by_size", "branch", "likely")
OF_LINEAR = ("linear", "gap", "lead", "size", "linear_by_size")

LEAST = np.float32(np.exp(-15.0))
"""Lower bound of a probability in a feature."""

UNLIKELY = np.float32(-6.0)
"""Log probability below which the interaction of the scores is 0. Without this bound, a very low
probability by HPC would increase the log odds if the SVM is in favour, a case with hardly any
training data. The likelihood of held-out labels is the same."""


class Judge:
    """A fit and a linear scorer that score new documents together.

    Parameters
    ----------
    predictor
        Predictor of the fit.
    linear
        The linear scorer, over the words and topics of the fit.
    sizes
        Number of training documents of each topic.
    n_documents
        Number of training documents.
    """

    def __init__(
        self, predictor: Predictor, linear: LinearScorer, sizes: NDArray[np.int64], n_documents: int
    ) -> None:
        self.predictor, self.linear = predictor, linear
        self.evidence = predictor.evidence
        self.seen = np.asarray(sizes, np.int64)
        self.sizes = log_shares(self.seen, n_documents)
        self.unseen = log_shares(np.zeros(1, np.int64), n_documents)[0]
        self.branches = predictor.branches

    def read(self, counts: sparse.csr_array[np.int32], exposures: Array | None = None) -> Reading:
        """Return the scores of documents that do not depend on the saturation.

        Parameters
        ----------
        counts
            Documents x words.
        exposures
            Their relative lengths; by default those of the counts.
        """
        own = self.predictor.exposures(counts)
        given = own if exposures is None else exposures
        return Reading(
            counts,
            self.linear.decisions(counts),
            self.evidence.likelihoods(counts, given),
            own * self.predictor.mean_length,
        )

    def features(self, reading: Reading, saturation: float) -> list[Single]:
        """Return the features, each documents x topics, in the order of `FEATURES`.

        Parameters
        ----------
        reading
            The result of `read`.
        saturation
            As in `frex.predict.evidence`.
        """
        decisions = reading.decisions
        shares = self.evidence.probabilities(reading.likelihoods, reading.lengths, saturation)
        words = np.log(shares + LEAST)
        likely = np.maximum(words - UNLIKELY, np.float32(0.0))
        found = linear_features(decisions, self.sizes) | {
            "words": words,
            "words_by_size": words * self.sizes,
            "branch": np.log(self.branches.within(shares) + LEAST),
            "likely": likely,
            "linear_by_likely": decisions * likely,
        }
        return [found[name] for name in FEATURES]

    def least(self, planes: list[Single], rows: NDArray[np.integer[Any]]) -> Single:
        """Return the features of topics without training documents.

        Parameters
        ----------
        planes
            The result of `features`.
        rows
            The document of each topic.
        """
        highest = (planes[0] + planes[1])[rows, 0] if len(rows) else np.empty(0, np.float32)
        features = np.empty((len(rows), len(FEATURES)), np.float32)
        least = np.log(LEAST)
        features[:] = [
            NEVER, 0.0, 0.0, self.unseen, NEVER * self.unseen,
            least, least * self.unseen, least, 0.0, 0.0,
        ]  # fmt: skip
        features[:, 1] = highest - NEVER
        return features


class Reading(NamedTuple):
    """A judge's scores of documents that do not depend on the saturation."""

    counts: sparse.csr_array[np.int32]  #: documents x words
    decisions: Single  #: documents x topics, of the linear scorer
    likelihoods: Single  #: documents x topics, of the fit's rates
    lengths: Array  #: documents, tokens of the vocabulary


class Branches(NamedTuple):
    """For each topic the branch that it lies in: its parent and all below it."""

    members: sparse.csr_array[np.float32]  #: topics x inner topics: 1 if the row is in the branch
    parent: NDArray[np.int64]  #: topics: the column of its branch, or -1 at the top

    def within(self, shares: Single) -> Single:
        """Return the sum of shares over each topic's branch, documents x topics; 1 at the top."""
        sums = np.ones((len(shares), self.members.shape[1] + 1), np.float32)
        sums[:, :-1] = (self.members.T @ shares.T).T
        found: Single = sums[:, self.parent]
        return found


def linear_features(decisions: Single, sizes: Single) -> dict[str, Single]:
    """Return the features from decision values, documents x topics, by name.

    Parameters
    ----------
    decisions
        Documents x topics.
    sizes
        Log shares of documents that have each topic.
    """
    highest, second = highest_two(decisions)
    return {
        "linear": decisions,
        "gap": highest - decisions,
        "lead": np.where(decisions == highest, highest - second, np.float32(0.0)),
        "size": np.broadcast_to(sizes, decisions.shape),
        "linear_by_size": decisions * sizes,
    }


def highest_two(values: Single) -> tuple[Single, Single]:
    """Return the highest and second value of each row, as columns; equal for a single column."""
    if values.shape[1] < 2:
        return values, values
    two = np.partition(values, -2, axis=1)[:, -2:]
    return two[:, 1:], two[:, :1]


def branches_above(tree: TopicTree) -> Branches:
    """Return the branches of a tree's topics."""
    inner = np.unique(tree.parents[1:])
    inner = inner[inner > 0]
    column = np.full(tree.n_nodes, -1, np.int64)
    column[inner] = np.arange(len(inner))
    rows, columns = [], []
    for topic in range(1, tree.n_nodes):
        node = topic
        while node > 0:
            if column[node] >= 0:
                rows.append(topic - 1)
                columns.append(column[node])
            node = int(tree.parents[node])
    members = sparse.csr_array(
        (np.ones(len(rows), np.float32), (rows, columns)), shape=(tree.n_topics, len(inner))
    )
    return Branches(members, column[tree.parents[1:]])


def log_shares(sizes: NDArray[np.int64], n_documents: int) -> Single:
    """Return the log shares of documents with each topic; zero documents count as a half."""
    shares: Single = np.log((sizes + 0.5) / (n_documents + 1.0)).astype(np.float32)
    return shares
