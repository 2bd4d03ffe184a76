"""How likely a given label is wrong, and an absent one missing, learned from out-of-fold odds.

The odds z of a label say how likely editors give it to such a document. Editors err, so a document
is truly about a topic with probability q = logistic(a + b z), and has the label with probability

    q (1 - deleted) + (1 - q) error,
    error = anywhere * share[k] + instead * share[k] * sum_j q[d,j] + sibling * mean_s q[d,s],

with j the document's absent labels, s those among the siblings of topic k, and share[k] the mean of
the topic's share of all labels and of 1 in all topics, for errors fall on rare topics too: a label
is wrong at random, in place of any that is missing, or in place of a sibling that is missing. The
odds alone do not say how often editors err. That is seen where they are sure: of documents with
very low odds more have the label than a logistic curve allows, and of those with very high odds
fewer. All numbers are learned together, by expectation and maximisation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]

STEPS = 60
SETTLED = 3e-3
"""Relative change of a number, at which no further step is made."""

DELETED, ERRORS = 0.03, 0.03
"""Shares of labels that are missing and wrong, before any document is read."""

PRIOR_LABELS = 50.0
"""So many labels' worth of that."""

TINY = float(np.finfo(np.float64).tiny)


class Places(NamedTuple):
    """Documents and topics about which something is known out of fold, a place each."""

    documents: NDArray[np.int64]
    topics: NDArray[np.int64]
    odds: Array  #: log odds, by judges that did not see the document
    given: NDArray[np.bool_]  #: whether the document has the label
    known: NDArray[np.bool_]  #: whether the judge had seen any document of the topic
    near: NDArray[np.bool_]  #: whether it is here for its odds, and not for being given alone
    n_documents: int


class Habits(NamedTuple):
    """How editors err."""

    intercept: float  #: a
    slope: float  #: b
    deleted: float
    anywhere: float
    instead: float
    sibling: float


class Doubts(NamedTuple):
    """What is to be thought of places."""

    wrong: Array  #: probability that a given label is wrong; 0 of an absent one
    missing: Array  #: probability that an absent label is missing; 0 of a given one
    true: Array  #: probability that the document is about the topic, by its words alone
    habits: Habits


def find_doubts(places: Places, tree: TopicTree) -> Doubts:
    """Learn how editors err, and return what that says of each place.

    Parameters
    ----------
    places
        All given labels, and the absent ones that come nearest.
    tree
        The topics.
    """
    model = _Editors(places, tree)
    habits = Habits(0.0, 1.0, DELETED, ERRORS / 3, ERRORS / 3, ERRORS / 3)
    for _ in range(STEPS):
        before, habits = habits, model.improve(habits)
        if np.allclose(before, habits, rtol=SETTLED, atol=SETTLED / 100):
            break
    return model.doubts(habits)


class _Editors:
    """The places, with what the steps need of them."""

    def __init__(self, places: Places, tree: TopicTree) -> None:
        self.places = places
        n = tree.n_topics
        labels = np.bincount(places.topics[places.given], minlength=n)
        self.share = ((labels / max(labels.sum(), 1) + 1 / n) / 2)[places.topics]
        groups = tree.parents[places.topics + 1].astype(np.int64)
        sizes = np.array([len(tree.children(node)) for node in range(tree.n_nodes)])
        self.siblings = np.maximum(sizes[groups] - 1, 1)
        self.group = np.unique(places.documents * tree.n_nodes + groups, return_inverse=True)[1]
        # an ancestor of a given label is neither given nor missing
        self.free = places.known & ~_implied(places, tree)
        self.given, self.absent = places.given & self.free, ~places.given & self.free

    def _steps(self, habits: Habits) -> tuple[Array, list[Array]]:
        """Return the probability of each place to be true, and of each way to err there."""
        true = expit(habits.intercept + habits.slope * self.places.odds)
        lacking = np.where(self.absent, true, 0.0)
        of_document = np.bincount(self.places.documents, lacking, self.places.n_documents)
        of_siblings = np.bincount(self.group, lacking)[self.group] - lacking
        ways = [
            habits.anywhere * self.share,
            habits.instead * self.share * of_document[self.places.documents],
            habits.sibling * of_siblings / self.siblings,
        ]
        return true, [(1 - true) * np.minimum(way, 1.0) for way in ways]

    def doubts(self, habits: Habits) -> Doubts:
        true, ways = self._steps(habits)
        error, kept = sum(ways), true * (1 - habits.deleted)
        wrong = np.where(self.given, error / np.maximum(kept + error, TINY), 0.0)
        lost = true * habits.deleted
        rest = np.maximum(1 - true - error, TINY)
        missing = np.where(self.absent, lost / (lost + rest), 0.0)
        return Doubts(wrong, missing, true, habits)

    def improve(self, habits: Habits) -> Habits:
        """Return habits that explain the labels better."""
        true, ways = self._steps(habits)
        found = self.doubts(habits)
        total = np.maximum(true * (1 - habits.deleted) + sum(ways), TINY)
        erred = [float((way / total)[self.given].sum()) for way in ways]
        missing = float(found.missing.sum())
        n_labels = float(self.given.sum())
        right = n_labels - sum(erred)
        # topics that are no place have next to no odds: there the sums over topics are simply these
        possible = (self.places.n_documents, true[self.absent].sum(), true[self.absent].sum())
        more = ERRORS * PRIOR_LABELS / 3
        scale = 1 + PRIOR_LABELS / max(n_labels, 1.0)
        rates = [
            (n + more) / max(float(of) * scale, 1.0) for n, of in zip(erred, possible, strict=True)
        ]
        deleted = (missing + DELETED * PRIOR_LABELS) / (right + missing + PRIOR_LABELS)
        target = np.where(self.given, 1 - found.wrong, found.missing)
        # far from what is near only given labels are places: they would bend the line
        fair = self.free & self.places.near
        line = _regress(self.places.odds[fair], target[fair], habits[:2])
        return Habits(*line, deleted, *rates)


def _implied(places: Places, tree: TopicTree) -> NDArray[np.bool_]:
    """Tell which places are absent labels with a label below them that is given."""
    n = tree.n_topics
    pairs = [(k, above - 1) for k in range(n) for above in tree.all_ancestors(k + 1)]
    rows, columns = np.array(pairs, np.int64).reshape(-1, 2).T
    above = csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape=(n, n))
    own = places.documents[places.given], places.topics[places.given]
    given = csr_array((np.ones(len(own[0]), np.int32), own), shape=(places.n_documents, n))
    implied = csr_array(given @ above).tocoo()
    keys = implied.coords[0].astype(np.int64) * n + implied.coords[1]
    return ~places.given & np.isin(places.documents * n + places.topics, keys)


def _regress(odds: Array, target: Array, start: tuple[float, ...]) -> tuple[float, float]:
    """Return intercept and slope of a logistic regression on targets between 0 and 1."""
    a, b = start
    for _ in range(2):  # no more: the targets change again
        q = expit(a + b * odds)
        weight, rest = q * (1 - q), target - q
        cross = weight @ odds
        hessian = np.array([[weight.sum(), cross], [cross, (weight * odds) @ odds]])
        step = np.linalg.solve(hessian + 1e-6 * np.eye(2), [rest.sum(), rest @ odds])
        a, b = a + float(np.clip(step[0], -1, 1)), b + float(np.clip(step[1], -0.5, 0.5))
    return a, max(b, 0.1)
