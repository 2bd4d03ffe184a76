"""How likely a given label is wrong, and an absent one missing, learned from out-of-fold odds.

The odds z of a label say how likely editors give it to such a document. Editors err, so a document
is truly about a topic with probability q = logistic(a + b z), and what it is truly about it has as
a label, unless

    deleted               the label was left out,
    swapped[j,k]          label k was given in place of j; or, of what it is not about,
    anywhere * share[k]   label k was given for no reason.

    swapped[j,k] = instead * share[k] + sibling / siblings[k], the latter if k is a sibling of j,

with share[k] the mean of the topic's share of all labels and of 1 in all topics, for errors fall on
rare topics too. A wrong label and the missing one in whose place it stands are one error, and are
judged together: an odd label is more likely wrong where a likely one is absent, and that one is
more likely missing, the more so as no other label can stand in its place. With weights relative to
no error in the document, o = q / (1 - q),

    w[j] = o[j] deleted,
    u[k] = anywhere share[k] / (o[k] kept),
    v[j,k] = o[j] swapped[j,k] / (o[k] kept),

the probabilities are those of all ways to match wrong labels with missing ones, which passing
messages between the two finds; it is exact where a document has one label. The odds alone do not
say how often editors err. That is seen where they are sure: of documents with very low odds more
have the label than a logistic curve allows, and of those with very high odds fewer. All numbers are
learned together, by expectation and maximisation.
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
"""Relative change of a number, at which no further step is made."""

DELETED, ERRORS = 0.03, 0.03
"""Shares of labels that are missing and wrong, before any document is read."""

PRIOR_LABELS = 50.0
"""So many labels' worth of that."""

SHARE_RIGHT = 0.5
"""Of labels that words do not bear out and in whose place none is missing. They may be added for no
reason, or right and hardly written about: labels and words do not say which."""

MATCHED = 0.005
"""Probability, by its odds, of an absent label in whose place another may stand. Less likely ones
count together, as one that has no name."""

MOST_PLACES = 1 << 20
"""By which the numbers are learned."""

MOST = 30.0
"""Log odds beyond which nothing is surer."""

TINY = float(np.finfo(np.float64).tiny)


class Places(NamedTuple):
    """Documents and topics about which something is known out of fold, a place each."""

    documents: NDArray[np.int64]  #: in order
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
    instead: float
    sibling: float
    anywhere: float


class Doubts(NamedTuple):
    """What is to be thought of places."""

    wrong: Array  #: probability that a given label is wrong; 0 of an absent one
    missing: Array  #: probability that an absent label is missing; 0 of a given one
    true: Array  #: probability that the document is about the topic, by its words alone
    pairs: Pairs  #: given labels, and absent ones in whose place they may stand
    swapped: Array  #: probability that they do
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
    model = _Editors(_some(places), tree)
    habits = Habits(0.0, 1.0, DELETED, ERRORS / 3, ERRORS / 3, ERRORS / 3)
    for _ in range(STEPS):
        before, habits = habits, model.improve(habits)
        if np.allclose(before, habits, rtol=SETTLED, atol=SETTLED / 100):
            break
    return _Editors(places, tree).doubts(habits)


def _some(places: Places) -> Places:
    """Return the places of every so many-th document, of whom six numbers can be learned."""
    step = -(-len(places.documents) // MOST_PLACES)
    if step <= 1:
        return places
    kept = places.documents % step == 0
    arrays = {name: getattr(places, name)[kept] for name in Places._fields[:-1]}
    arrays["documents"] //= step
    return Places(**arrays, n_documents=-(-places.n_documents // step))


class _Weights(NamedTuple):
    """Of errors, relative to none, by place and by pair."""

    anywhere: Array
    unnamed: Array  #: in place of any of those that are in no pair
    lost: Array
    instead: Array
    sibling: Array


class _Editors:
    """The places, with what the steps need of them."""

    def __init__(self, places: Places, tree: TopicTree) -> None:
        self.places = places
        n = tree.n_topics
        labels = np.bincount(places.topics[places.given], minlength=n)
        self.share = ((labels / max(labels.sum(), 1) + 1 / n) / 2)[places.topics]
        # an ancestor of a given label is neither given nor missing
        free = places.known & ~_implied(places, tree)
        self.given, self.absent = places.given & free, ~places.given & free
        self.fair = free & places.near  # far away only given labels are places, and bend the line
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
        """Return how likely given labels are wrong and matched with none, over its weight."""
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
        """Return habits that explain the labels better."""
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
