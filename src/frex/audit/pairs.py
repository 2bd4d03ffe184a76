"""Topics that words do not distinguish: siblings, topics of different branches, catch-alls."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import ndtr

from frex.audit.alike import chances_alike, typical_distances
from frex.audit.findings import TopicFinding
from frex.audit.own_words import within_documents
from frex.audit.separation import tell_apart
from frex.corpus.membership import FEW as HARDLY_ANY

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.audit.examples import Examples
    from frex.audit.findings import Kind
    from frex.audit.own_words import OwnWords
    from frex.audit.separation import Separation
    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]
    Rows: TypeAlias = NDArray[np.int64]
    Pair: TypeAlias = tuple[int, int]

SIBLINGS, ELSEWHERE = 4, 2
"""Numbers of closest siblings, and of closest topics of other branches, that a topic is compared
with."""

FEWEST = 4
"""Least number of documents of a topic in a comparison. With two or three documents, the closest
topics, which are chosen among many, hardly differ by chance."""

BLOCK = 256
"""Number of topics whose closeness to all others is in memory at a time."""

USUAL_PAIRS = 50
"""Prior weight, in pairs of documents, of the usual similarity within a topic."""

FEW = 4.0
"""Prior weight, in documents, of the usual similarity to other topics."""

MOST_OTHERS = 800
"""Most documents of the siblings that a topic is compared with."""


class Judged(NamedTuple):
    """Two groups of documents, their separation, and the probability that they are alike."""

    pair: Pair
    apart: Separation
    chance: float


class Alike(NamedTuple):
    """Pairs of one kind, and the typical separation of those that differ."""

    pairs: list[Judged]
    usual: float  #: typical share of pairs of documents in the right order


def alike_topics(
    examples: Examples,
    sizes: Rows,
    *,
    least: float = 0.5,
    step: Callable[[int], None] = lambda _: None,
) -> Iterator[TopicFinding]:
    """Yield pairs of topics whose documents are probably alike.

    Parameters
    ----------
    examples
        Examples of the fit.
    sizes
        Number of documents of each topic.
    least
        Least probability.
    step
        Called with the number of topics done.
    """
    within, across = alike_pairs(examples.own, examples.posterior.tree, step)
    for make, alike in ((_merge, within), (_duplicate, across)):
        for found in alike.pairs:
            if found.chance >= least:
                yield make(examples, found, sizes, alike.usual)


def alike_pairs(
    own: OwnWords, tree: TopicTree, step: Callable[[int], None] = lambda _: None
) -> tuple[Alike, Alike]:
    """Return the compared pairs of close siblings, and of close topics of other branches.

    Parameters
    ----------
    own, tree
        The topics' shares of their documents' words, and the topics.
    step
        Called with the number of topics done.
    """
    within, across = (
        judge({pair: _of_topics(own, *pair) for pair in sorted(pairs)})
        for pairs in neighbours(own, tree, step)
    )
    return within, across


def catch_alls(
    examples: Examples, sizes: Rows, *, least: float = 0.5, seed: int = 0
) -> Iterator[TopicFinding]:
    """Yield topics whose documents are not distinguished from those of all siblings together.

    The parameters are those of `alike_topics`; `seed` is for the sample of the siblings' documents.
    Topics with hardly any documents are left out.
    """
    own, tree = examples.own, examples.posterior.tree
    rng, held = np.random.default_rng(seed), {}
    for topic in np.flatnonzero(own.sizes >= HARDLY_ANY).tolist():
        siblings = [other - 1 for other in tree.siblings(topic + 1) if own.sizes[other - 1]]
        if len(siblings) > 1:  # a single sibling is compared as a pair
            held[topic, -1] = _of_rest(own, topic, siblings, rng)
    judged = judge(held)
    for found in judged.pairs:
        if found.chance >= least:
            yield _catch_all(examples, found, sizes, judged.usual)


def judge(held: dict[Pair, Separation | None]) -> Alike:
    """Return the probabilities that pairs are alike, without pairs that cannot be compared."""
    known = {pair: apart for pair, apart in held.items() if apart is not None}
    told = list(known.values())
    judged = map(Judged, known, told, chances_alike(told).tolist())
    mean, _ = typical_distances(told)
    return Alike(list(judged), float(ndtr(mean / np.sqrt(2))))


def _of_topics(own: OwnWords, first: int, second: int) -> Separation | None:
    """Compare two topics, by documents that have only one of them."""
    rows = [np.arange(own.starts[k], own.starts[k + 1]) for k in (first, second)]
    shared = np.intersect1d(own.documents[rows[0]], own.documents[rows[1]])
    alone = [part[~np.isin(own.documents[part], shared)] for part in rows]
    return tell_apart(own.usage, own.folds, alone[0], alone[1])


def _of_rest(
    own: OwnWords, topic: int, siblings: list[int], rng: np.random.Generator
) -> Separation | None:
    rows = np.arange(own.starts[topic], own.starts[topic + 1])
    rest = np.concatenate([np.arange(own.starts[k], own.starts[k + 1]) for k in siblings])
    rest = rest[~np.isin(own.documents[rest], own.documents[rows])]
    return tell_apart(own.usage, own.folds, rows, rng.permutation(rest)[:MOST_OTHERS])


def neighbours(
    own: OwnWords, tree: TopicTree, step: Callable[[int], None] = lambda _: None
) -> tuple[set[Pair], set[Pair]]:
    """Return the pairs of close siblings, and those of close topics of different branches.

    Parameters
    ----------
    own, tree
        The topics' shares of their documents' words, and the topics.
    step
        Called with the number of topics done.
    """
    n, everyone = tree.n_topics, np.arange(tree.n_topics)
    closeness = _Closeness(own)
    parents, ends = tree.parents[1:], everyone + tree.sum_up(np.ones(n, np.int64))
    usable = own.sizes >= FEWEST
    within: set[Pair] = set()
    across: set[Pair] = set()
    for first in range(0, n, BLOCK):
        block = everyone[first : first + BLOCK]
        for topic, row in zip(block.tolist(), closeness.of(block), strict=True):
            if not usable[topic]:
                continue
            sibling = (parents == parents[topic]) & usable & (everyone != topic)
            below = (everyone >= topic) & (everyone < ends[topic])
            above = (everyone <= topic) & (ends > topic)
            within.update(_closest(topic, row, sibling, SIBLINGS))
            across.update(_closest(topic, row, usable & ~sibling & ~below & ~above, ELSEWHERE))
        step(len(block))
    return within, across


class _Closeness:
    """Closeness of topics: the mean cosine of their documents over that within the other topic.

    A mean over pairs of different documents is unbiased, while the cosine of centroids makes small
    topics look far from all others. For small topics it is noisy, so it is shrunk to the usual
    value.
    """

    def __init__(self, own: OwnWords) -> None:
        n, n_rows = len(own.sizes), len(own.documents)
        ones = np.ones(n_rows, np.float32)
        filed = csr_array((ones, (own.topics, np.arange(n_rows))), shape=(n, n_rows))
        of = csr_array((ones, (np.arange(n_rows), own.documents)))
        self._sums, self._filed = csr_array(filed @ own.usage), csr_array(filed @ of)
        one, other, alike = within_documents(own)
        self._shared = csr_array((alike, (own.topics[one], own.topics[other])), shape=(n, n))
        self._sizes = own.sizes
        same = np.asarray(self._sums.multiply(self._sums).sum(axis=1)) - self._shared.diagonal()
        number = own.sizes * (own.sizes - 1)
        usual = same.sum() / max(number.sum(), 1)
        within = (same + USUAL_PAIRS * usual) / (number + USUAL_PAIRS)
        self._within = np.sqrt(np.maximum(within, 1e-9))

    def of(self, block: Rows) -> Array:
        """Return how close each topic of a block is to every topic."""
        sums = csr_array(self._sums[block] @ self._sums.T - self._shared[block])
        both = csr_array(self._filed[block] @ self._filed.T).toarray()
        pairs = np.maximum(np.outer(self._sizes[block], self._sizes) - both, 1)
        close = sums.toarray() / pairs / self._within
        usual = close @ self._sizes / max(self._sizes.sum(), 1)
        known = self._sizes / (self._sizes + FEW)
        return np.asarray(usual[:, None] + (close - usual[:, None]) * known)


def _closest(topic: int, close: Array, among: NDArray[np.bool_], most: int) -> Iterator[Pair]:
    others = np.flatnonzero(among & (close > 0))
    for other in others[np.argsort(-close[others], kind="stable")[:most]].tolist():
        yield min(topic, other), max(topic, other)


def in_hundred(apart: Separation) -> str:
    """Return a phrase with the number of pairs of documents, of a hundred, in the right order."""
    middle, low, high = (round(100 * share) for share in apart.right)
    return f"of 100 pairs of documents, one of each, {middle} ({low} to {high}) are told apart"


def _merge(examples: Examples, found: Judged, sizes: Rows, usual: float) -> TopicFinding:
    titles = [examples.title(topic) for topic in found.pair]
    return _finding(
        "merge", examples, found, sizes,
        f"Words hardly tell {titles[0]} and {titles[1]} apart: {in_hundred(found.apart)} by their "
        f"words, where chance has 50 and close siblings here {100 * usual:.0f}.",
        "Merge the two, or write down what is filed under which and file the documents anew.",
    )  # fmt: skip


def _duplicate(examples: Examples, found: Judged, sizes: Rows, usual: float) -> TopicFinding:
    titles = [examples.title(topic) for topic in found.pair]
    return _finding(
        "duplicate", examples, found, sizes,
        f"{titles[0]} and {titles[1]} are in different branches, and words hardly tell them apart: "
        f"{in_hundred(found.apart)}, where chance has 50 and close topics here {100 * usual:.0f}.",
        "Keep one of the two, or say in their descriptions what makes the difference.",
    )  # fmt: skip


def _catch_all(examples: Examples, found: Judged, sizes: Rows, usual: float) -> TopicFinding:
    topic = found.pair[0]
    title = examples.title(topic)
    return _finding(
        "catch-all", examples, found, sizes,
        f"{title} has no words of its own beside its siblings': {in_hundred(found.apart)} from "
        f"those of its siblings, where chance has 50 and topics here {100 * usual:.0f}.",
        f"Read some documents of {title}: file them under its siblings or the topic above, or "
        "find the topic that is missing.",
    )  # fmt: skip


def _finding(
    kind: Kind, examples: Examples, found: Judged, sizes: Rows, *said: str
) -> TopicFinding:
    names = examples.posterior.tree.topics
    sides = [topic for topic in found.pair if topic >= 0]
    return TopicFinding(
        kind,
        names[sides[0]],
        names[sides[1]] if len(sides) > 1 else None,
        found.chance,
        *found.apart.right,
        int(sizes[list(sides)].sum()),
        tuple(examples.topic(topic) for topic in sides),
        *said,
    )
