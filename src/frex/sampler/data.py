"""The reduced corpus in the form that the kernels read, with work dealt out in equal bins."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from frex.model.dispersions import group_of_topic
from frex.sampler.kernels.affinities import DocumentData
from frex.sampler.kernels.rates import WordData

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.model.reductions import Reduced

N_BINS = 64
"""Bins of equal work: enough for as many threads, and few enough to sum over."""


class KernelData(NamedTuple):
    """A corpus for the kernels; nothing of it changes during a run."""

    words: WordData
    documents: DocumentData


def kernel_data(reduced: Reduced) -> KernelData:
    """Lay the reduced corpus out for the kernels: multi-label counts by word and by document."""
    tree = reduced.tree
    label_starts = reduced.labels.indptr.astype(np.int64)
    n_labels = np.diff(label_starts)
    nodes = (reduced.labels.indices + 1).astype(np.int32)
    by_word = reduced.counts.tocsc()
    by_word.sort_indices()
    tokens_work = np.concatenate([[0], np.cumsum(n_labels[by_word.indices])])
    word_work = np.diff(tokens_work[by_word.indptr])
    groups = np.concatenate([[0], group_of_topic(tree)]).astype(np.int32)
    single = np.zeros((reduced.counts.shape[1], tree.n_nodes))
    single[:, 1:] = reduced.single_counts
    word_bins = deal(word_work + tree.n_nodes)  # every word also costs its nodes
    return KernelData(
        WordData(
            starts=by_word.indptr.astype(np.int64),
            documents=by_word.indices.astype(np.int32),
            counts=by_word.data.astype(np.float64),
            label_starts=label_starts,
            nodes=nodes,
            single_counts=single,
            parents=tree.parents.astype(np.int32),
            groups=groups,
            bin_starts=word_bins[0],
            bin_words=word_bins[1],
            longest=int(word_work.max(initial=1)),
        ),
        document_data(reduced.counts, reduced.labels, reduced.exposures),
    )


def document_data(
    counts: csr_array[np.int32], labels: csr_array[np.bool_], exposures: NDArray[np.float64]
) -> DocumentData:
    """Lay documents out for the affinities' kernels; each has a label."""
    label_starts = labels.indptr.astype(np.int64)
    n_labels = np.diff(label_starts)
    work = np.diff(counts.indptr) * n_labels
    bin_starts, bin_documents = deal(work + n_labels)  # every document also costs its labels
    return DocumentData(
        starts=counts.indptr.astype(np.int64),
        words=counts.indices.astype(np.int32),
        counts=counts.data.astype(np.float64),
        label_starts=label_starts,
        nodes=(labels.indices + 1).astype(np.int32),
        exposures=exposures.astype(np.float64),
        square_starts=np.concatenate([[0], np.cumsum(n_labels**2)]),
        rate_starts=np.concatenate([[0], np.cumsum(work)]),
        bin_starts=bin_starts,
        bin_documents=bin_documents,
        most_labels=int(n_labels.max(initial=1)),
        longest=int(np.diff(counts.indptr).max(initial=1)),
    )


def deal(work: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Deal items into bins of about equal work, heaviest first; return starts and items.

    Items go to and fro over the bins (1 2 3 3 2 1 1 ...), which is as even as choosing the lightest
    bin each time, but for a few very heavy items, and those come first.
    """
    order = np.argsort(-work, kind="stable")
    turn, seat = np.divmod(np.arange(len(work)), N_BINS)
    bins = np.where(turn % 2 == 0, seat, N_BINS - 1 - seat)
    by_bin = np.argsort(bins, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(bins, minlength=N_BINS))])
    return starts.astype(np.int64), order[by_bin].astype(np.int64)
