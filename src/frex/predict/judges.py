"""`Judge`: a fit and a linear scorer of the same documents, and the features of a label.

The features of topic k in document d, of which `frex.predict.join` makes log odds:

    linear            the decision value of the SVM
    gap               how far it is below the document's highest
    lead              of the highest how far it is above the second, 0 for the others
    size              log share of the training documents that have the topic
    linear_by_size    linear times size: rare topics' decision values have another scale
    words             log probability, by HPC's rates, that the document is about k
    words_by_size     words times size
    branch            the same of k's parent and all below it; 0 for a topic at the top
    likely            how far words is above `UNLIKELY`, and 0 below it
    linear_by_likely  linear times likely: one score counts for another thing where the other agrees

Probabilities are bounded below, at `LEAST`: what is impossible counts as hardly possible.
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
"""Of a probability that is made a feature."""

UNLIKELY = np.float32(-6.0)
"""Log probability below which the product of both scores ends. A product that goes on to the lowest
would make a label of what HPC is surest against, were the SVM in favour, which documents hardly
ever teach; likelihood of held-out labels is the same."""


class Judge:
    """What a fit and a linear scorer say together of documents that they did not see.

    Parameters
    ----------
    predictor
        Predictor of the fit.
    linear
        The linear scorer, over the words and topics of the fit.
    sizes
        How many documents of each topic both have seen.
    n_documents
        How many they have seen of all.
    """

    def __init__(
        self, predictor: Predictor, linear: LinearScorer, sizes: NDArray[np.int64], n_documents: int
    ) -> None:
        self.predictor, self.linear = predictor, linear
        self.evidence = predictor.evidence
        self.seen = np.asarray(sizes, np.int64)
        self.sizes = log_shares(self.seen, n_documents)
        self.unseen = log_shares(np.zeros(1, np.int64), n_documents)[0]
        self.branches = branches_above(predictor.tree)

    def read(self, counts: sparse.csr_array[np.int32], exposures: Array | None = None) -> Reading:
        """Return what there is to know of documents, before the saturation is.

        Parameters
        ----------
        counts
            Documents x words.
        exposures
            Their relative lengths, where they are not those of the counts.
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
            What was read of the documents.
        saturation
            As `frex.predict.evidence` has it.
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
        """Return the features of topics that the judge has seen no document of.

        Parameters
        ----------
        planes
            What `features` returned.
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
    """What a judge found in documents."""

    counts: sparse.csr_array[np.int32]  #: documents x words
    decisions: Single  #: documents x topics, of the linear scorer
    likelihoods: Single  #: documents x topics, of the fit's rates
    lengths: Array  #: documents, tokens of the vocabulary


class Branches(NamedTuple):
    """For each topic the branch that it lies in: its parent and all below it."""

    members: sparse.csr_array[
        np.float32
    ]  #: topics x inner topics: 1 where the row is in the branch
    parent: NDArray[np.int64]  #: topics: the column of its branch, or -1 at the top

    def within(self, shares: Single) -> Single:
        """Return the sum of shares over each topic's branch, documents x topics; 1 at the top."""
        sums = np.ones((len(shares), self.members.shape[1] + 1), np.float32)
        sums[:, :-1] = (self.members.T @ shares.T).T
        found: Single = sums[:, self.parent]
        return found


def linear_features(decisions: Single, sizes: Single) -> dict[str, Single]:
    """Return the features that decision values make, documents x topics, by name.

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
    """Return the highest value of each row and the second, as columns; of one they are the same."""
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
    """Return the log of topics' shares of documents, of none as if of half a one."""
    shares: Single = np.log((sizes + 0.5) / (n_documents + 1.0)).astype(np.float32)
    return shares
