"""Topics whose documents are closer to another parent's other documents than to their own parent's.

Branches are compared as `frex.corpus.parents` compares them, by the cosine of weighted words; here
document by document, so that it can be said how many of them agree, and how sure that is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import betainc, betaincinv

from frex.audit.findings import Group, TopicFinding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.audit.examples import Examples
    from frex.audit.own_words import OwnWords
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]
    Rows: TypeAlias = NDArray[np.int64]

MOST = 2 / 3
"""Of a topic's documents, which are to be closer to the other parent."""

FEWEST = 3
"""Documents that say something."""

PRIOR = (1.0, 2.0)
"""Of the share of documents that are closer to another parent."""


class Move(NamedTuple):
    """A topic, and the parent to which its documents are closest besides its own."""

    topic: int
    parent: int  #: the other one, as a topic
    closer: int  #: documents that are closer to it
    documents: int
    strength: float  #: mean difference of the cosines, in their standard deviations

    @property
    def share(self) -> tuple[float, float]:
        """Return the beta distribution of the share of documents that are closer to it."""
        return PRIOR[0] + self.closer, PRIOR[1] + self.documents - self.closer

    @property
    def chance(self) -> float:
        """Return the probability that the topic belongs there."""
        return 1 - float(betainc(*self.share, MOST)) if self.strength > 0 else 0.0


def moved_topics(
    examples: Examples,
    sizes: Rows,
    *,
    least: float = 0.5,
    step: Callable[[int], None] = lambda _: None,
) -> Iterator[TopicFinding]:
    """Yield topics most of whose documents are closer to another parent.

    Parameters
    ----------
    examples
        Of the fit.
    sizes
        Documents of each topic.
    least
        Of the probability.
    step
        Told of topics done.
    """
    for move in candidates(examples.own, examples.posterior.tree, step):
        if move.chance >= least:
            low, high = (float(betaincinv(*move.share, end)) for end in (0.05, 0.95))
            yield _move(examples, move, (low, high), sizes)


def candidates(
    own: OwnWords, tree: TopicTree, step: Callable[[int], None] = lambda _: None
) -> Iterator[Move]:
    """Yield for each topic below another the other parent that is closest to its documents.

    A parent is held against another by what is filed under it or below it, without the topic and
    what is below that. Parents within the topic's own branch of the tree are no others.

    Parameters
    ----------
    own, tree
        The topics' parts of their documents, and the topics.
    step
        Told of topics done.
    """
    branches = _branch_sums(own, tree)
    ends = np.arange(tree.n_nodes) + np.concatenate(
        [[tree.n_nodes], tree.sum_up(np.ones(tree.n_topics, np.int64))]
    )
    lengths = np.linalg.norm(branches, axis=1)
    inner = np.array([n for n in range(1, tree.n_nodes) if tree.children(n) and lengths[n]], int)
    for node in range(1, tree.n_nodes):
        step(1)
        parent = int(tree.parents[node])
        rows = np.arange(own.starts[node - 1], own.starts[ends[node] - 1])
        if parent == 0 or len(rows) < FEWEST:
            continue
        apart = (inner < parent) & (ends[inner] <= parent) | (inner >= ends[parent])
        others = inner[apart]
        home = branches[parent] - branches[node]
        length = np.linalg.norm(home)
        if not len(others) or length < 1e-3 * lengths[parent]:
            continue
        usage = own.usage[rows]
        towards = (branches[others] / lengths[others, None]).T - (home / length)[:, None]
        gains = usage @ towards
        best = int(np.argmax(gains.mean(axis=0)))
        gain = gains[:, best]
        strength = float(gain.mean() / max(float(gain.std()), 1e-9))
        yield Move(node - 1, int(others[best]) - 1, int((gain > 0).sum()), len(rows), strength)


def _branch_sums(own: OwnWords, tree: TopicTree) -> NDArray[np.float32]:
    """Return the sum of the rows filed under each node or below it, nodes x words."""
    ones = np.ones(len(own.documents), np.float32)
    shape = tree.n_nodes, len(ones)
    filed = csr_array((ones, (own.topics + 1, np.arange(len(ones)))), shape=shape)
    sums = np.asarray((filed @ own.usage).toarray(), np.float32)
    for node in range(tree.n_topics, 0, -1):  # children come after their parents
        sums[tree.parents[node]] += sums[node]
    return sums


def _move(examples: Examples, move: Move, ends: tuple[float, float], sizes: Rows) -> TopicFinding:
    tree = examples.posterior.tree
    title, other = examples.title(move.topic), examples.title(move.parent)
    parent = tree.titles[tree.parents[move.topic + 1]]
    share = move.closer / move.documents
    sides = examples.topic(move.topic), examples.topic(move.parent)
    return TopicFinding(
        "move", tree.topics[move.topic], tree.topics[move.parent], move.chance, share, *ends,
        int(sizes[move.topic]), (sides[0], Group(sides[1].name, sides[1].words, ())),
        f"{title} is filed under {parent}, but {100 * share:.0f} of 100 of its documents "
        f"({100 * ends[0]:.0f} to {100 * ends[1]:.0f}) are closer in their words to what else is "
        f"filed under {other}.",
        f"Consider moving {title} under {other}, or giving it both as parents.",
    )  # fmt: skip
