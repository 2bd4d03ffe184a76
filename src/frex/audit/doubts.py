"""The probability that a given label is wrong, or an absent one missing, from out-of-fold odds.

The log odds z of a label say how probable it is that editors give it to such a document. Editors
err, so the document is truly about the topic with probability q = logistic(a + b z). A true topic
is a label, unless one of these errors happened, with the probability

    deleted               label j was left out,
    swapped[j,k]          label k was given in place of j;

and a topic that is not true is a label with probability

    anywhere * share[k]   label k was given for no reason.

    swapped[j,k] = instead * share[k] + sibling / siblings[k], the latter if k is a sibling of j,

where share[k] is the mean of the topic's share of all labels and of 1 / K, because errors also fall
on rare topics. A wrong label and the missing label that belongs in its place are one error, and
are evaluated together: an unlikely label is more probably wrong if a likely label is absent, and
that label is more probably missing, the more so if no other label can replace it. With weights
relative to no error in the document, and o = q / (1 - q),

    w[j] = o[j] deleted,
    u[k] = anywhere share[k] / (o[k] kept),
    v[j,k] = o[j] swapped[j,k] / (o[k] kept),

the probabilities sum over all ways to match wrong labels with missing ones. They are computed by
belief propagation, which is exact for a document with one label. The error rates are identified by
extreme odds: among documents with very low odds more have the label than a logistic curve allows,
and among those with very high odds fewer. All parameters are estimated together, by
expectation-maximisation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import expit

from frex.audit.matching import ROUNDS, Pairs, match, pairs_within

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.audit.matching import Matched
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]

STEPS = 60
SETTLED = 3e-3
"""Relative change of a parameter at which the iteration stops."""

DELETED, ERRORS = 0.03, 0.03
"""Prior shares of labels that are missing and wrong."""

PRIOR_LABELS = 50.0
"""Weight of this prior, in labels."""

SHARE_RIGHT = 0.5
"""Probability that a label is correct if the words do not support it and no other label is missing
in its place. It may be wrong, or correct with little text about it; the data do not say which."""

MATCHED = 0.005
"""Least probability, by its odds, of an absent label that another may replace. Less probable labels
are pooled as a single, unnamed one."""

MOST_PLACES = 1 << 20
"""Most entries used in the estimation."""

MOST = 30.0
"""Bound of log odds, and of minus the log of a probability."""

TINY = float(np.finfo(np.float64).tiny)


class Places(NamedTuple):
    """Pairs of document and topic with out-of-fold scores; each is an entry."""

    documents: NDArray[np.int64]  #: in order
    topics: NDArray[np.int64]
    odds: Array  #: out-of-fold log odds
    given: NDArray[np.bool_]  #: whether the document has the label
    known: NDArray[np.bool_]  #: whether the training folds have a document of the topic
    near: NDArray[np.bool_]  #: whether it is a highest-scoring topic, not only a given label
    n_documents: int


class Habits(NamedTuple):
    """The parameters of the editors' errors."""

    intercept: float  #: a
    slope: float  #: b
    deleted: float
    instead: float
    sibling: float
    anywhere: float


class Doubts(NamedTuple):
    """Probabilities of errors, by entry."""

    wrong: Array  #: probability that a given label is wrong; 0 for an absent one
    missing: Array  #: probability that an absent label is missing; 0 for a given one
    true: Array  #: probability that the document is about the topic, by its words alone
    pairs: Pairs  #: given labels, and absent ones that may belong in their place
    swapped: Array  #: probability of each pair
    habits: Habits


def find_doubts(places: Places, tree: TopicTree) -> Doubts:
    """Estimate the editors' errors, and return the probability of an error for each entry.

    Parameters
    ----------
    places
        All given labels, and the highest-scoring absent ones.
    tree
        The topics.
    """
    model = _Editors(_some(places), tree)
    habits = Habits(0.0, 1.0, DELETED, ERRORS / 3, ERRORS / 3, ERRORS / 3)
    for _ in range(STEPS):
        before, habits = habits, model.improve(habits)
        if np.allclose(before, habits, rtol=SETTLED, atol=SETTLED / 100):
            break
    return _Editors(places, tree).doubts(habits)


def document_doubts(places: Places, found: Doubts) -> Array:
    """Return for each document minus the log probability that all of its labels are right.

    This is the sum of -log(1 - p) over given and absent labels, as if their errors were
    independent. Small probabilities count as in a sum, but a label that is almost certainly wrong
    counts more than several that may be.

    Parameters
    ----------
    places, found
        The entries, and the result of `find_doubts`.
    """
    right = np.maximum((1 - found.wrong) * (1 - found.missing), np.exp(-MOST))
    doubts = np.bincount(places.documents, -np.log(right), places.n_documents)
    return np.asarray(doubts, np.float64)


def _some(places: Places) -> Places:
    """Return the entries of a systematic sample of documents, enough for six parameters."""
    step = -(-len(places.documents) // MOST_PLACES)
    if step <= 1:
        return places
    kept = places.documents % step == 0
    arrays = {name: getattr(places, name)[kept] for name in Places._fields[:-1]}
    arrays["documents"] //= step
    return Places(**arrays, n_documents=-(-places.n_documents // step))


class _Weights(NamedTuple):
    """Weights of errors relative to no error, by entry and by pair."""

    anywhere: Array
    unnamed: Array  #: in place of any label that is in no pair
    lost: Array
    instead: Array
    sibling: Array


class _Editors:
    """The entries, with quantities that the iterations need."""

    def __init__(self, places: Places, tree: TopicTree) -> None:
        self.places = places
        n = tree.n_topics
        labels = np.bincount(places.topics[places.given], minlength=n)
        self.share = ((labels / max(labels.sum(), 1) + 1 / n) / 2)[places.topics]
        # an ancestor of a given label is neither given nor missing
        free = places.known & ~_implied(places, tree)
        self.given, self.absent = places.given & free, ~places.given & free
        self.fair = free & places.near  # far entries are given labels only, and would bias the fit
        likely = self.absent & (expit(places.odds) >= MATCHED)
        self.unnamed = self.absent & ~likely
        self.pairs = pairs_within(places.documents, *map(np.flatnonzero, (self.given, likely)))
        parents, given = tree.parents[places.topics + 1], self.pairs.given
        n_children = np.array([len(tree.children(node)) for node in range(tree.n_nodes)])
        self.siblings = (parents[self.pairs.absent] == parents[given]) / np.maximum(
            n_children[parents[given]] - 1, 1
        )
        self._messages: Array | None = None

    def _weigh(self, habits: Habits) -> _Weights:
        places, given = self.places, self.pairs.given
        line = np.clip(habits.intercept + habits.slope * places.odds, -MOST, MOST)
        odds, kept = np.exp(line), 1 - habits.deleted - habits.instead - habits.sibling
        against = np.where(self.given, 1 / (odds * kept), 0.0)
        unnamed = np.bincount(places.documents, np.where(self.unnamed, odds, 0.0))
        both = odds[self.pairs.absent] * against[given]
        return _Weights(
            habits.anywhere * self.share * against,
            habits.instead * self.share * against * unnamed[places.documents],
            np.where(self.absent, odds * habits.deleted, 0.0),
            habits.instead * self.share[given] * both,
            habits.sibling * self.siblings * both,
        )

    def _match(self, weights: _Weights, rounds: int) -> Matched:
        alone = weights.anywhere + weights.unnamed + weights.lost
        both = weights.instead + weights.sibling
        return match(self.pairs, alone, both, rounds=rounds, messages=self._messages)

    def _by_itself(self, found: Matched, weights: _Weights) -> Array:
        """Return the probability that labels are wrong and unmatched, divided by its weight."""
        matched = np.bincount(self.pairs.given, found.pairs, len(found.wrong))
        alone = np.maximum(weights.anywhere + weights.unnamed, TINY)
        return np.asarray(np.maximum(found.wrong - matched, 0.0) / alone)

    def doubts(self, habits: Habits) -> Doubts:
        weights = self._weigh(habits)
        found = self._match(weights, ROUNDS)
        true = expit(habits.intercept + habits.slope * self.places.odds)
        by_itself = self._by_itself(found, weights) * weights.anywhere
        wrong = np.where(self.given, found.wrong - SHARE_RIGHT * by_itself, 0.0)
        missing = np.where(self.absent, found.missing, 0.0)
        return Doubts(wrong, missing, true, self.pairs, found.pairs, habits)

    def improve(self, habits: Habits) -> Habits:
        """Return parameters with a higher likelihood."""
        weights = self._weigh(habits)
        found = self._match(weights, 1 if self._messages is not None else ROUNDS)
        self._messages = found.messages
        wrong, missing = found.wrong[self.given], found.missing[self.absent]
        true = float((1 - wrong).sum() + missing.sum())
        by_itself = self._by_itself(found, weights)
        both = found.pairs / np.maximum(weights.instead + weights.sibling, TINY)
        swapped = float(both @ weights.instead), float(both @ weights.sibling)
        unnamed = float((by_itself * weights.unnamed)[self.given].sum())
        each = (
            (max(float(missing.sum()) - sum(swapped), 0.0), DELETED, true),
            (swapped[0] + unnamed, ERRORS / 3, true),
            (swapped[1], ERRORS / 3, true),
            (float((by_itself * weights.anywhere)[self.given].sum()), ERRORS / 3,
             float(self.places.n_documents)),
        )  # fmt: skip
        rates = ((n + prior * PRIOR_LABELS) / (of + PRIOR_LABELS) for n, prior, of in each)
        target = np.where(self.given, 1 - found.wrong, found.missing)[self.fair]
        line = _regress(self.places.odds[self.fair], target, habits[:2])
        return Habits(*line, *rates)


def _implied(places: Places, tree: TopicTree) -> NDArray[np.bool_]:
    """Tell which entries are absent labels above a given label."""
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
