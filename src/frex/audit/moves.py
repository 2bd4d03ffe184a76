"""Topics whose documents are closer to the documents of another parent than to those of their own.

Topics with hardly any documents at or below them are left to `frex.audit.habits`, which reports
them as tiny. Branches are compared as in `frex.corpus.parents`, by the cosine of weighted words,
but document by document, to count how many agree. If a document is also filed in the other branch,
it is excluded from that branch's sum. The probability is learned by placing each topic below
another parent as a trial (`frex.audit.trials`). Its features are the mean difference of the cosines
in standard deviations, the share of documents that are closer to the other parent, and the log of
their number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import betaincinv

from frex.audit.findings import Group, TopicFinding
from frex.audit.own_words import within_documents
from frex.audit.trials import chances
from frex.corpus.membership import FEW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.audit.examples import Examples
    from frex.audit.own_words import OwnWords
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]
    Rows: TypeAlias = NDArray[np.int64]

PRIOR = (1.0, 2.0)
"""Prior of the share of documents that are closer to another parent."""


class Move(NamedTuple):
    """A topic, and the other parent that is closest to its documents."""

    topic: int
    parent: int  #: the other parent, as a topic
    closer: int  #: documents that are closer to it
    documents: int
    strength: float  #: mean difference of the cosines, in standard deviations

    chance: float = 0.0  #: probability that the topic belongs there

    @property
    def features(self) -> tuple[float, float, float]:
        """Return the features of the probability."""
        share = (self.closer + PRIOR[0]) / (self.documents + sum(PRIOR))
        return self.strength, share, float(np.log(self.documents))


def moved_topics(
    examples: Examples,
    sizes: Rows,
    *,
    least: float = 0.5,
    seed: int = 0,
    step: Callable[[int], None] = lambda _: None,
) -> Iterator[TopicFinding]:
    """Yield topics most of whose documents are closer to another parent.

    Parameters
    ----------
    examples
        Examples of the fit.
    sizes
        Number of documents of each topic.
    least
        Least probability.
    seed
        Seed for the parents of trials.
    step
        Called with the number of topics done.
    """
    for move in candidates(examples.own, examples.posterior.tree, seed, step):
        if move.chance >= least:
            yield _move(examples, move, sizes)


def candidates(
    own: OwnWords, tree: TopicTree, seed: int = 0, step: Callable[[int], None] = lambda _: None
) -> Iterator[Move]:
    """Yield for each topic below another the other parent that is closest to its documents.

    Parents are compared by everything filed at or below them, without the topic and its
    descendants. Parents on the topic's own path or below it are excluded.

    Parameters
    ----------
    own, tree
        The topics' shares of their documents' words, and the topics.
    seed
        Seed for the parents of trials.
    step
        Called with the number of topics done.
    """
    branches, rng = _Branches(own, tree), np.random.default_rng(seed)
    moves, trials = [], []
    for node in range(1, tree.n_nodes):
        step(1)
        parent = int(tree.parents[node])
        move = branches.closest(node, parent)
        if move is not None:
            moves.append(move)
            others = branches.others(node, parent)
            trials.append(branches.closest(node, int(rng.choice(others))))
    if moves:
        features = np.array([move.features for move in moves])
        done = np.array([one.features for one in trials if one is not None]).reshape(-1, 3)
        for move, chance in zip(moves, chances(features, done).tolist(), strict=True):
            yield move._replace(chance=chance)


class _Branches:
    """The sum of documents at or below each topic, and the closeness of documents to it."""

    def __init__(self, own: OwnWords, tree: TopicTree) -> None:
        self.own = own
        self._sums = _branch_sums(own, tree)
        below = tree.sum_up(np.ones(tree.n_topics, np.int64))
        self._ends = np.arange(tree.n_nodes) + np.concatenate([[tree.n_nodes], below])
        self._lengths = np.linalg.norm(self._sums, axis=1)
        self._itself = _own_documents(own, tree)
        inner = [n for n in range(1, tree.n_nodes) if tree.children(n) and self._lengths[n]]
        self._inner = np.array(inner, np.int64)

    def others(self, node: int, home: int) -> Rows:
        """Return the parents that are neither above a parent nor below it, nor below a topic."""
        inner, ends = self._inner, self._ends
        apart = (inner < home) & (ends[inner] <= home) | (inner >= ends[home])
        return np.asarray(inner[apart & ((inner < node) | (inner >= ends[node]))])

    def closest(self, node: int, home: int) -> Move | None:
        """Return the other parent closest to a topic's documents, if `home` is its parent."""
        own, ends = self.own, self._ends
        rows = np.arange(own.starts[node - 1], own.starts[ends[node] - 1])
        others = self.others(node, home)
        if home == 0 or len(rows) < FEW or not len(others):
            return None
        nodes = np.concatenate([[home], others])
        holding = (nodes <= node) & (node < ends[nodes])
        sums = self._sums[nodes] - holding[:, None] * self._sums[node]
        lengths = np.linalg.norm(sums, axis=1)
        known = lengths > 1e-3 * self._lengths[nodes]
        if not known[0] or not known[1:].any():
            return None
        lengths[~known] = np.inf
        usage, itself = own.usage[rows], self._itself[rows]
        close = usage @ sums.T - itself[:, nodes].toarray()
        close += holding * itself[:, [node]].toarray()
        close /= lengths
        gains = close[:, 1:] - close[:, :1]
        gains[:, ~known[1:]] = -np.inf
        best = int(np.argmax(gains.mean(axis=0)))
        gain = gains[:, best]
        strength = float(gain.mean() / max(float(gain.std()), 1e-9))
        return Move(node - 1, int(others[best]) - 1, int((gain > 0).sum()), len(rows), strength)


def _branch_sums(own: OwnWords, tree: TopicTree) -> NDArray[np.float32]:
    """Return the sum of the rows filed under each node or below it, nodes x words."""
    ones = np.ones(len(own.documents), np.float32)
    shape = tree.n_nodes, len(ones)
    filed = csr_array((ones, (own.topics + 1, np.arange(len(ones)))), shape=shape)
    sums = np.asarray((filed @ own.usage).toarray(), np.float32)
    for node in range(tree.n_topics, 0, -1):  # children come after their parents
        sums[tree.parents[node]] += sums[node]
    return sums


def _own_documents(own: OwnWords, tree: TopicTree) -> csr_array:
    """Return the part of each row's products with branches that its own document contributes."""
    one, other, alike = within_documents(own)
    rows = csr_array(
        (alike, (one, own.topics[other] + 1)), shape=(len(own.documents), tree.n_nodes)
    )
    pairs = [(node, up) for node in range(1, tree.n_nodes) for up in (node, *_above(node, tree))]
    below, above = np.array(pairs, np.int64).T
    branches = csr_array((np.ones(len(below)), (below, above)), shape=(tree.n_nodes, tree.n_nodes))
    return csr_array(rows @ branches)


def _above(node: int, tree: TopicTree) -> Iterator[int]:
    while node := int(tree.parents[node]):
        yield node


def _move(examples: Examples, move: Move, sizes: Rows) -> TopicFinding:
    tree = examples.posterior.tree
    title, other = examples.title(move.topic), examples.title(move.parent)
    parent = tree.titles[tree.parents[move.topic + 1]]
    a, b = PRIOR[0] + move.closer, PRIOR[1] + move.documents - move.closer
    low, high = (float(betaincinv(a, b, end)) for end in (0.05, 0.95))
    sides = examples.topic(move.topic), examples.topic(move.parent)
    return TopicFinding(
        "move", tree.topics[move.topic], tree.topics[move.parent], move.chance, a / (a + b), low,
        high, int(sizes[move.topic]), (sides[0], Group(sides[1].name, sides[1].words, ())),
        f"{title} is filed under {parent}, but {move.closer} of {move.documents} documents are "
        f"closer in their words to what else is filed under {other} (of 100 more "
        f"{100 * low:.0f} to {100 * high:.0f}).",
        f"Consider moving {title} under {other}, or giving it both as parents.",
    )  # fmt: skip
