"""Findings from the labels alone: topics that occur together, and topics that are hardly used."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.special import betainc, betaincinv
from scipy.stats import gamma, nbinom

from frex.audit.findings import TopicFinding
from frex.corpus.membership import FEW, count_below

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.audit.examples import Examples
    from frex.tree import TopicTree

    Rows: TypeAlias = NDArray[np.int64]

NEARLY_ALWAYS = 0.9
"""Threshold for the share of a topic's documents that also have the other label."""

HALF = 0.5
"""Jeffreys' prior of a share and of a rate, half a document."""


def labels_together(
    examples: Examples, labels: csr_array, *, least: float = 0.5
) -> Iterator[TopicFinding]:
    """Yield labels that almost always occur with another, which is not above or below them.

    Parameters
    ----------
    examples
        Examples of the fit.
    labels
        Documents x topics of the fit's tree.
    least
        Least probability.
    """
    tree = examples.posterior.tree
    counted = labels.astype(np.int64)
    both = csr_array(counted.T @ counted).tocoo()
    sizes = np.bincount(labels.indices, minlength=labels.shape[1])
    first, second = both.coords
    n, of = both.data, sizes[first]
    chance = 1 - betainc(n + HALF, of - n + HALF, NEARLY_ALWAYS)
    # a label of half of all documents occurs with every other
    rare = 2 * sizes[second] < labels.shape[0]
    kept = (first != second) & (of >= FEW) & (chance >= least) & rare
    for place in np.flatnonzero(kept).tolist():
        a, b = int(first[place]), int(second[place])
        if not _related(tree, a + 1, b + 1):
            yield _together(examples, (a, b), (int(n[place]), int(of[place]), int(sizes[b])),
                            float(chance[place]))  # fmt: skip


def _related(tree: TopicTree, node: int, other: int) -> bool:
    return node in tree.all_ancestors(other) or other in tree.all_ancestors(node)


def _together(
    examples: Examples, pair: tuple[int, int], n: tuple[int, int, int], chance: float
) -> TopicFinding:
    shared, own, others = n
    names, titles = examples.posterior.tree.topics, [examples.title(topic) for topic in pair]
    low, high = (float(betaincinv(shared + HALF, own - shared + HALF, e)) for e in (0.05, 0.95))
    mutual = shared >= NEARLY_ALWAYS * others
    advice = (
        "They are one label in two: keep one of them."
        if mutual
        else f"If every {titles[0]} is a {titles[1]}, file {titles[0]} below {titles[1]} in the "
        "tree; then one label says both."
    )
    return TopicFinding(
        "together", names[pair[0]], names[pair[1]], chance, shared / own, low, high, own,
        tuple(examples.topic(topic) for topic in pair),
        f"{shared:,} of the {own:,} documents of {titles[0]} are filed under {titles[1]} too, "
        f"which has {others:,}.",
        advice,
    )  # fmt: skip


def unused_topics(labels: csr_array, tree: TopicTree) -> Iterator[TopicFinding]:
    """Yield topics with few or no documents of their own and below them.

    The probability is that a corpus of the same size brings fewer than `FEW` documents, or none. If
    all topics of a branch are empty, only its top is named.

    Parameters
    ----------
    labels, tree
        Labels and tree of the corpus, with its empty topics.
    """
    below = count_below(labels, tree)
    inside = tree.sum_up(np.ones(tree.n_topics, np.int64)) - 1
    for topic in np.flatnonzero(below < FEW).tolist():
        n, above = int(below[topic]), int(tree.parents[topic + 1])
        if above and below[above - 1] < FEW:
            continue
        title, under = tree.titles[topic + 1], int(inside[topic])
        more = f", nor under the {under:,} below it" if under else ""
        has = "and all below it have" if under else "has"
        fewer = FEW if n else 1
        chance = float(nbinom.cdf(fewer - 1, n + HALF, 0.5))
        low, high = (float(gamma.ppf(end, n + HALF)) for end in (0.05, 0.95))
        said = (
            f"{title} {has} {n} document{'s' if n > 1 else ''}: another "
            f"{labels.shape[0]:,} of all topics will bring {low:.0f} to {high:.0f} more."
            if n
            else f"Nothing is filed under {title}{more}."
        )
        advice = (
            "Close the topic and file its documents with the topic above, unless it is new and "
            "will grow."
            if n
            else "Take the topic out of the tree, unless it is new."
        )
        yield TopicFinding(
            "tiny" if n else "empty", tree.topics[topic], None, chance, n, low, high, n, (), said,
            advice,
        )  # fmt: skip
