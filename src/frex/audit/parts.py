"""Topics whose documents form two groups as those of two merged siblings do.

Spherical k-means clusters a topic's documents into two groups. The weight of a word f is large if
it belongs to the topic more than to its siblings:

    w[f] = (m[f] / (m[f] + r[f]))^2,

with m the mean of the topic's documents and r the root of the sum of squares of its siblings'
means. So groups differ by subject, and less by form, source or country, whose words siblings share.
The difference of the groups is the cosine of their centroids, computed from pairs of different
documents.

Nearly every topic has groups. The probability is learned from random pairs of siblings that are
merged as a trial (`frex.audit.trials`). Its features are the cosine, the closeness of held-out
documents to one centroid and to the closer of two (`frex.audit.groups`), and the share of smaller
topics, because two merged topics have the documents of both.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import betaincinv
from sklearn.preprocessing import normalize

from frex.audit.findings import TopicFinding
from frex.audit.groups import cosine, held_out, products, two_groups
from frex.audit.trials import chances

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.audit.examples import Examples
    from frex.audit.findings import Group
    from frex.audit.groups import HeldOut
    from frex.audit.own_words import OwnWords
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]
    Rows: TypeAlias = NDArray[np.int64]
    Sides: TypeAlias = NDArray[np.bool_]
    Words: TypeAlias = csr_array[np.float32]

FEWEST = 10
"""Least number of documents of a topic, and of each sibling in a merged pair."""

MOST_ROWS = 150
"""Most documents that are clustered."""

MOST_PAIRS = 300
NOISE = 1e-4
"""Mean weight of a word that the topic shares with its siblings."""


class Parts(NamedTuple):
    """Two groups of the documents of a topic, or of two merged siblings."""

    topics: tuple[int, ...]  #: one topic, or two merged ones
    rows: Rows
    first: Sides  #: which of the rows are in the first group
    cosine: float  #: cosine of the groups' centroids
    size: int  #: number of documents, including those that were not clustered
    held_out: HeldOut  #: closeness of held-out documents to the groups


class Judged(NamedTuple):
    """The groups of a topic, compared with those of others."""

    parts: Parts
    chance: float
    topics: float  #: share of topics whose groups are more alike
    pairs: tuple[float, float, float]  #: the same share of merged siblings, and its interval


def split_topics(
    examples: Examples,
    sizes: Rows,
    *,
    least: float = 0.5,
    seed: int = 0,
    step: Callable[[int], None] = lambda _: None,
) -> Iterator[TopicFinding]:
    """Yield topics that look like two merged siblings.

    Parameters
    ----------
    examples
        Examples of the fit.
    sizes
        Number of documents of each topic.
    least
        Least probability.
    seed
        Seed of the pairs, and of the starting points of the clustering.
    step
        Called with the number of topics done.
    """
    for judged in topics_of_two(examples.own, examples.posterior.tree, sizes, seed, step):
        if judged.chance >= least:
            yield _split(examples, judged)


def topics_of_two(
    own: OwnWords,
    tree: TopicTree,
    sizes: Rows,
    seed: int = 0,
    step: Callable[[int], None] = lambda _: None,
) -> Iterator[Judged]:
    """Yield topics, each with the probability that it is two merged topics.

    Parameters
    ----------
    own, tree
        The topics' shares of their documents' words, and the topics.
    sizes, seed, step
        As for `split_topics`.
    """
    grouping = Grouping(own, tree, sizes, seed)
    topics = []
    for topic in range(len(sizes)):
        if sizes[topic] >= FEWEST:
            topics.append(grouping.of((topic,)))
        step(1)
    pairs = [grouping.of(pair) for pair in grouping.pairs() if not grouping.same(*pair)]
    known = [[one for one in some if one is not None] for some in (topics, pairs)]
    yield from judge(*known)


class Grouping:
    """Clusters documents of topics into two groups.

    Parameters
    ----------
    own, tree
        The topics' shares of their documents' words, and the topics.
    sizes
        Number of documents of each topic.
    seed
        Seed of all random choices.
    """

    def __init__(self, own: OwnWords, tree: TopicTree, sizes: Rows, seed: int) -> None:
        self.own, self.tree, self.sizes = own, tree, sizes
        self._rng = np.random.default_rng(seed)
        n, n_rows = tree.n_topics, len(own.documents)
        share = (1 / np.maximum(own.sizes, 1)).astype(np.float32)[own.topics]
        filed = csr_array((share, (own.topics, np.arange(n_rows))), shape=(n, n_rows))
        means = csr_array(filed @ own.usage)
        self._squares = csr_array(means.multiply(means))
        ones, below = np.ones(n, np.float32), tree.parents[1:]
        families = csr_array((ones, (below, np.arange(n))), shape=(tree.n_nodes, n))
        self._families = csr_array(families @ self._squares)
        self._all: Array = np.asarray(self._squares.sum(axis=0))

    def pairs(self) -> list[tuple[int, int]]:
        """Choose random pairs of sibling leaves."""
        tree, rng = self.tree, self._rng
        leaves = [
            k for k in np.flatnonzero(self.sizes >= FEWEST).tolist() if not tree.children(k + 1)
        ]
        families: dict[int, list[int]] = {}
        for topic in leaves:
            families.setdefault(int(tree.parents[topic + 1]), []).append(topic)
        several = [family for family in families.values() if len(family) > 1]
        n_pairs = sum(len(family) * (len(family) - 1) // 2 for family in several)
        if n_pairs <= MOST_PAIRS:
            return [pair for family in several for pair in itertools.combinations(family, 2)]
        weights = np.array([len(family) for family in several], float)
        chosen = rng.choice(len(several), MOST_PAIRS, p=weights / weights.sum()).tolist()
        drawn = (sorted(rng.choice(several[at], 2, replace=False).tolist()) for at in chosen)
        return sorted({(one, other) for one, other in drawn})

    def same(self, one: int, other: int) -> bool:
        """Tell whether most documents of the smaller topic have the other label as well.

        Parameters
        ----------
        one, other
            Topics; merged, they are hardly more than one of them.
        """
        first, second = (self.own.documents[self.own.rows(topic)] for topic in (one, other))
        return 2 * len(np.intersect1d(first, second)) > min(len(first), len(second))

    def of(self, topics: tuple[int, ...]) -> Parts | None:
        """Return the two groups of the documents of topics, or None.

        Parameters
        ----------
        topics
            A topic, or two to merge.
        """
        rows, usage = self.weighted(topics)
        alike = products(usage)
        first = two_groups(alike, self._rng)
        if first is None:
            return None
        size = int(self.sizes[[*topics]].sum())
        return Parts(topics, rows, first, cosine(alike, first), size, held_out(alike, self._rng))

    def weighted(self, topics: tuple[int, ...]) -> tuple[Rows, Words]:
        """Return rows of topics, and their weighted words, of length 1.

        Parameters
        ----------
        topics
            A topic, or two to merge.
        """
        rows = self._rows(topics)
        usage = self.own.usage[rows]
        words = np.unique(usage.indices).astype(np.int64)
        weights = self._weights(topics, usage, words)[None]
        weighted = csr_array(usage[:, words].multiply(weights))
        return rows, csr_array(normalize(weighted, copy=False))

    def _rows(self, topics: tuple[int, ...]) -> Rows:
        own, total = self.own, self.sizes[[*topics]].sum()
        share = min(1.0, MOST_ROWS / total)
        taken = [
            np.arange(own.starts[k], own.starts[k] + max(2, round(share * self.sizes[k])))
            for k in topics
        ]
        rows = np.concatenate(
            [part[part < own.starts[k + 1]] for part, k in zip(taken, topics, strict=True)]
        )
        # a document with both labels has one after the merge
        return rows[np.sort(np.unique(own.documents[rows], return_index=True)[1])]

    def _weights(self, topics: tuple[int, ...], usage: Words, words: Rows) -> Array:
        """Return the weight of each word for the topics against their siblings."""
        parent = self.tree.parents[topics[0] + 1]
        beside = len(self.tree.siblings(topics[0] + 1)) - len(topics) + 1
        squares = self._all[words] if beside == 0 else self._of_family(parent, words)
        for topic in topics:
            squares = squares - self._squares[[topic]][:, words].toarray()[0]
        rest = np.sqrt(np.maximum(squares, 0.0)) + NOISE
        mean = np.asarray(usage.sum(axis=0))[words] / usage.shape[0]
        return np.asarray((mean / (mean + rest)) ** 2)

    def _of_family(self, parent: int, words: Rows) -> Array:
        return np.asarray(self._families[[parent]][:, words].toarray()[0])


def judge(topics: list[Parts], pairs: list[Parts]) -> Iterator[Judged]:
    """Yield topics with the probability that they are two.

    Parameters
    ----------
    topics
        The groups of the topics.
    pairs
        The groups of merged siblings.
    """
    if not topics or not pairs:
        return
    sizes = np.sort([one.size for one in topics])
    found = chances(*(_features(some, sizes) for some in (topics, pairs)))
    own = np.array([one.cosine for one in topics])
    filed = np.sort([one.cosine for one in pairs])
    for one, chance in zip(topics, found.tolist(), strict=True):
        more = len(filed) - int(np.searchsorted(filed, one.cosine))
        a, b = 0.5 + more, 0.5 + len(filed) - more
        low, high = (float(betaincinv(a, b, end)) for end in (0.05, 0.95))
        share = a / (a + b), low, high
        yield Judged(one, chance, float(np.mean(own > one.cosine)), share)


def _features(some: list[Parts], sizes: Rows) -> Array:
    """Return the features of the probability, one row each.

    Size enters as the share of smaller topics, not as a linear term: the largest topics are larger
    than all merged pairs, and a linear term would give them extreme probabilities.
    """
    smaller = np.searchsorted(sizes, [one.size for one in some], side="right") / len(sizes)
    told = [(one.cosine, one.held_out.one, one.held_out.two - one.held_out.one) for one in some]
    return np.column_stack([told, smaller])


def _split(examples: Examples, judged: Judged) -> TopicFinding:
    parts, (topic,) = judged.parts, judged.parts.topics
    groups, shares = _groups(examples, parts)
    title = examples.title(topic)
    return TopicFinding(
        "split", examples.posterior.tree.topics[topic], None, judged.chance, *judged.pairs,
        parts.size, groups,
        f"The documents of {title} fall into two groups, {shares[0]} % and {shares[1]} %. They "
        f"differ more than those of {100 * judged.topics:.0f} in 100 topics, and than those of "
        f"{100 * judged.pairs[0]:.0f} in 100 pairs of siblings that were filed together on trial.",
        f"If the words of the two groups name two topics, make them children of {title}.",
    )  # fmt: skip


def _groups(examples: Examples, parts: Parts) -> tuple[tuple[Group, ...], list[int]]:
    """Return words and documents of the two groups, the larger first, and their shares."""
    sides = [parts.rows[parts.first], parts.rows[~parts.first]]
    sides.sort(key=len, reverse=True)
    shares = [round(100 * len(side) / len(parts.rows)) for side in sides]
    named = zip((1, 2), shares, sides, sides[::-1], strict=True)
    groups = tuple(
        examples.group(f"group {number}, {share} % of documents", side, rest)
        for number, share, side, rest in named
    )
    return groups, shares
