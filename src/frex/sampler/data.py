"""The reduced corpus in the form that the kernels read, in bins of equal work."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from frex.model.dispersions import group_of_topic
from frex.sampler.exchange import OneProcess
from frex.sampler.kernels.documents import DocumentData
from frex.sampler.kernels.vectors import LANES
from frex.sampler.kernels.words import WordData, gather

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray
    from scipy.sparse import csc_array

    from frex.model.reductions import Reduced
    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.exchange import Exchange

    Bins = tuple[Ints, Ints]
    """Starts of the bins' items, and the items."""

N_BINS = 64
"""The number of bins of equal work: it limits the number of threads, and the cost of sums."""


class KernelData(NamedTuple):
    """A corpus in the layout of the kernels; immutable during a run."""

    words: WordData
    documents: DocumentData


class Share(NamedTuple):
    """The part of a corpus that a process holds: all of it for a single process."""

    data: KernelData
    exchange: Exchange  #: with the other processes
    whole: Callable[[], Reduced] | None = None
    """Returns the reduced corpus with all counts, if the process holds only a part of them."""

    @classmethod
    def of_one(cls, reduced: Reduced) -> Share:
        """Return the share of a single process."""
        data = kernel_data(reduced)
        return cls(data, OneProcess.of(data))


class Labels(NamedTuple):
    """The documents' labels alone."""

    label_starts: Ints
    square_starts: Ints
    nodes: NDArray[np.int32]


def kernel_data(reduced: Reduced) -> KernelData:
    """Lay the reduced corpus out for the kernels: multi-label counts by word and by document."""
    return KernelData(
        word_data(reduced.counts, reduced),
        document_data(reduced.counts, reduced.labels, reduced.exposures),
    )


def word_data(
    counts: csr_array[np.int32] | csc_array[np.int32], reduced: Reduced, bins: Bins | None = None
) -> WordData:
    """Lay words out for the rates' kernels.

    Parameters
    ----------
    counts
        Counts of the documents with several labels, M x V, or of some words of them.
    reduced
        The reduced corpus.
    bins
        The words of this process, if it does not have all of them.
    """
    tree, n_labels = reduced.tree, _narrow(np.diff(reduced.labels.indptr), np.uint8)
    by_word = _fewest_labels_first(counts, n_labels)
    sizes = n_labels[by_word.indices]
    label_starts = _starts(sizes)[by_word.indptr]
    work = np.diff(label_starts)
    more = (sizes > 2) & reduced.labelled
    bin_starts, bin_words = bins_of_words(work, tree.n_nodes) if bins is None else bins
    exact = reduced.single_counts.max(initial=0) <= 1 << 24  # in single precision
    single = np.zeros((by_word.shape[1], tree.n_nodes), np.float32 if exact else np.float64)
    single[:, 1:] = reduced.single_counts
    labels = _narrow(reduced.labels.indices + 1, np.uint16)
    known = reduced.known
    groups = np.concatenate([[0], group_of_topic(tree)])
    n_groups = len(reduced.n_children)
    if known is not None:  # behind the groups: the root's variance, then those of known topics
        groups[: 1 + known.n_known] = n_groups + np.arange(1 + known.n_known)
    nodes = np.empty(int(label_starts[-1]) if reduced.labelled else 0, labels.dtype)
    data = WordData(
        starts=by_word.indptr.astype(np.int64),
        counts=_narrow(by_word.data, np.uint16),
        firsts=reduced.labels.indptr.astype(np.uint32)[by_word.indices],
        more_starts=_starts(more.astype(np.int64))[by_word.indptr],
        sizes=sizes[more],
        label_starts=label_starts,
        nodes=nodes,
        single_counts=single,
        parents=tree.parents.astype(np.int32),
        groups=groups.astype(np.int32),
        bin_starts=bin_starts,
        bin_words=bin_words,
        bin_order=interleaved(len(bin_starts) - 1),
        factors=np.empty((0, 0)) if known is None else known.factors,
        n_groups=n_groups,
        longest=int(np.diff(by_word.indptr).max(initial=1)),
        width=0 if reduced.labelled else tree.n_topics,
    )
    if reduced.labelled:
        gather(data, labels, nodes)
    return data


def word_totals(words: WordData, exchange: Exchange) -> Floats:
    """Return the count of each word, over all processes."""
    ends = np.concatenate([[0.0], np.cumsum(words.counts, dtype=np.float64)])
    totals = exchange.total(np.diff(ends[words.starts]))
    found: Floats = totals + words.single_counts.sum(axis=1, dtype=np.float64)
    return found


def _fewest_labels_first(
    counts: csr_array[np.int32] | csc_array[np.int32], n_labels: NDArray[np.integer]
) -> csc_array[np.int32]:
    """Order every word's tokens by the labels of their documents.

    The branches of a loop over tokens are then predictable: in mixed order, branch mispredictions
    took a quarter of its time.
    """
    order = np.argsort(n_labels, kind="stable").astype(np.int32)
    by_word = csr_array(counts)[order].tocsc()
    by_word.indices = order[by_word.indices]
    return by_word


def document_data(
    counts: csr_array[np.int32],
    labels: csr_array[np.bool_],
    exposures: Floats,
    bins: Bins | None = None,
) -> DocumentData:
    """Lay documents out for the affinities' kernels; each has a label.

    Parameters
    ----------
    counts
        Counts, documents x words; only of the documents in the bins, if bins are given.
    labels, exposures
        Labels and exposures of all documents.
    bins
        The documents of this process, if it does not have all of them.
    """
    label_starts = labels.indptr.astype(np.int64)
    n_labels = np.diff(label_starts)
    n_words = np.diff(counts.indptr)
    n_eights = -(-n_words // LANES)
    eight_starts, rate_starts = _starts(n_eights), _starts(n_eights * n_labels)
    stored = _narrow(counts.data, np.uint16)
    eights = np.zeros((int(eight_starts[-1]), LANES), stored.dtype)
    filled = np.repeat(LANES * eight_starts[:-1] - counts.indptr[:-1], n_words)
    filled += np.arange(len(filled))
    eights.reshape(-1)[filled] = stored
    bin_starts, bin_documents = bins_of_documents(n_words, n_labels) if bins is None else bins
    return DocumentData(
        starts=counts.indptr.astype(np.int64),
        words=_narrow(counts.indices, np.uint16),
        eight_starts=eight_starts,
        eights=eights,
        label_starts=label_starts,
        nodes=(labels.indices + 1).astype(np.int32),
        exposures=exposures.astype(np.float64),
        square_starts=_starts(n_labels**2),
        rate_starts=rate_starts,
        bin_starts=bin_starts,
        bin_documents=bin_documents,
        bin_order=interleaved(len(bin_starts) - 1),
        most_labels=int(n_labels.max(initial=1)),
    )


def _narrow(values: NDArray[np.integer], usual: type[np.unsignedinteger]) -> NDArray[np.integer]:
    """Return non-negative integers in the usual type, or in the next larger one that holds them.

    A kernel is compiled for a type only if a corpus needs it, so there are few types.
    """
    return values.astype(usual if values.max(initial=0) <= np.iinfo(usual).max else np.uint32)


def _starts(sizes: NDArray[np.integer]) -> Ints:
    """Return where ragged rows start, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])


def bins_of_words(work: Ints, n_nodes: int) -> Bins:
    """Divide words into bins; the cost of a word is the labels of its tokens, plus its nodes.

    A node in the passes over the tree takes about four times as long as the label of a token.
    """
    return balanced_bins(work + 4 * n_nodes)


def bins_of_documents(n_words: NDArray[np.integer], n_labels: NDArray[np.integer]) -> Bins:
    """Divide documents into bins; the cost of a document is words times labels, plus labels."""
    return balanced_bins(n_words * n_labels + n_labels)


def balanced_bins(work: Ints) -> Bins:
    """Divide items, in their order, into bins of about equal work; return starts and items.

    A bin is contiguous, so a pass over it reads memory in order. Assigning documents one by one,
    heaviest first, made a pass twice as long. A bin exceeds its share by less than one item.
    """
    ends = np.cumsum(work)
    total = ends[-1] if len(ends) else 0
    shares = total * np.arange(1, N_BINS) / N_BINS
    starts = np.concatenate([[0], np.searchsorted(ends - 0.5 * work, shares), [len(work)]])
    return starts.astype(np.int64), np.arange(len(work), dtype=np.int64)


def interleaved(n: int) -> Ints:
    """Return the numbers below n in an order in which every range is a representative sample.

    Threads and ranks process ranges of bins, and neighbouring bins are alike: frequent words need
    work for tokens, rare words for nodes. In the words' order, a second thread made a pass over
    nodes 1.5 times as fast instead of 1.9 times. The order used is that of a seeded tournament, in
    which the best plays the worst. Of 16 ranks, the one with the most words then has 5 % more than
    the mean, compared with 20 % in bit-reversed order.
    """
    order = np.zeros(1, np.int64)
    while len(order) < n:
        order = np.stack([order, 2 * len(order) - 1 - order], axis=1).ravel()
    return order[order < n]


def summed_by_topics(data: Labels | DocumentData, squares: Floats, n_topics: int) -> Floats:
    """Return the sum of the documents' flat m x m matrices, topics x topics."""
    n_labels = np.diff(data.label_starts)
    width = np.repeat(n_labels, n_labels**2)
    within = np.arange(len(squares)) - np.repeat(data.square_starts[:-1], n_labels**2)
    first = np.repeat(data.label_starts[:-1], n_labels**2)
    row = data.nodes[first + within // np.maximum(width, 1)] - 1
    column = data.nodes[first + within % np.maximum(width, 1)] - 1
    cells = row.astype(np.int64) * n_topics + column
    summed = np.bincount(cells, squares, n_topics**2)
    return np.asarray(summed, np.float64).reshape(n_topics, n_topics)
