"""Splits of a corpus that keep each topic's share in every part.

Iterative stratification (Sechidis, Tsoumakas and Vlahavas, 2011) assigns documents of the rarest
topic first, each to the part that lacks most documents of that topic. The maintained library for it
needs dense labels and makes two parts at a time; here labels are sparse, and there may be any
number of parts.
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from scipy import sparse

    from frex.corpus.corpus import Corpus

PAPER_FRACTIONS = (0.15, 0.25, 0.60)
"""Training, validation and test shares of the paper's classification experiment."""


def split(
    corpus: Corpus, fractions: Sequence[float] = PAPER_FRACTIONS, *, seed: int = 0
) -> tuple[Corpus, ...]:
    """Split a corpus into parts that keep each topic's share.

    Parameters
    ----------
    corpus
        The corpus.
    fractions
        The parts' shares of the documents; they must sum to 1.
    seed
        The same seed gives the same parts.

    Returns
    -------
    tuple of Corpus
        The parts, in the order of the fractions.

    Examples
    --------
    >>> from frex import read_corpus
    >>> from frex.corpus import split
    >>> train, test = split(read_corpus('CORPUS'), [0.75, 0.25])
    >>> len(train), len(test)
    (27, 9)
    """
    part = stratify(corpus.labels, fractions, seed=seed)
    return tuple(corpus.take(np.flatnonzero(part == p)) for p in range(len(fractions)))


def stratify(
    labels: sparse.csr_array, fractions: Sequence[float], *, seed: int = 0
) -> NDArray[np.int32]:
    """Return for each document the number of its part."""
    shares = np.asarray(fractions, dtype=np.float64)
    if not len(shares) or not (shares > 0).all() or not np.isclose(shares.sum(), 1):
        raise InputError(
            f"the fractions {tuple(fractions)} are not positive numbers with the sum 1",
            remedy="Use for example 0.15, 0.25, 0.60.",
        )
    n_documents = labels.shape[0]
    order = np.random.default_rng(seed).permutation(n_documents)
    by_topic = labels[order].tocsc()
    topics_of = [
        labels.indices[labels.indptr[d] : labels.indptr[d + 1]].tolist() for d in range(n_documents)
    ]
    waiting = np.diff(by_topic.indptr).tolist()  # unassigned documents of each topic
    wanted = [
        [share * n for n in waiting] for share in shares
    ]  # part x topic, documents that are missing
    room = [share * n_documents for share in shares]
    part = np.full(n_documents, -1, dtype=np.int32)

    def deal(document: int, topic: int | None) -> None:
        lack = room if topic is None else [row[topic] for row in wanted]
        chosen = max(range(len(shares)), key=lambda p: (lack[p], room[p]))
        part[document] = chosen
        room[chosen] -= 1
        for other in topics_of[document]:
            wanted[chosen][other] -= 1
            waiting[other] -= 1
            heapq.heappush(rarest, (waiting[other], other))

    rarest = [(n, topic) for topic, n in enumerate(waiting)]
    heapq.heapify(rarest)
    while rarest:
        n, topic = heapq.heappop(rarest)
        if n == 0 or n != waiting[topic]:  # all assigned, or an outdated entry
            continue
        rows = by_topic.indices[by_topic.indptr[topic] : by_topic.indptr[topic + 1]]
        for document in order[rows].tolist():
            if part[document] < 0:
                deal(document, topic)
    for document in order[part[order] < 0].tolist():
        deal(document, None)
    return part
