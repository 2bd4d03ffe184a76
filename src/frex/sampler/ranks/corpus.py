"""A rank's part of a corpus: it reads only the counts of its own words and documents.

Labels, exposures and the summed counts of single-label documents are on every rank. The counts are
read in blocks from memory-mapped files, so memory for them decreases with the number of ranks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from frex.corpus.blocks import Rows, blocks
from frex.model.reductions import Reduced, add_single_counts, check_reducible, is_conditioned
from frex.sampler.data import KernelData, bins_of_documents, bins_of_words, document_data, word_data

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from scipy.sparse import csc_array

    from frex.corpus import Corpus
    from frex.model.known import KnownTopics
    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.data import Bins
    from frex.sampler.exchange import RowKind
    from frex.sampler.ranks.exchange import Partition, Ranks


class Part(NamedTuple):
    """A rank's part of a corpus."""

    reduced: Reduced  #: without the counts, which are in `data`
    data: KernelData  #: this rank's bins and counts; words of documents are rows of words
    partitions: dict[RowKind, Partition]  #: the division of rows among ranks


def divide(
    corpus: Corpus, ranks: Ranks, *, labelled: bool = True, known: KnownTopics | None = None
) -> Part:
    """Read this rank's part of a corpus; all ranks must call this together.

    Parameters
    ----------
    corpus
        The corpus with the labels of the model.
    ranks
        All ranks.
    labelled
        False if every document has every topic, and labels are ignored.
    known
        The prior of the first topics from another fit.
    """
    n_labels = np.diff(corpus.labels.indptr)
    lengths, single, work = _survey(corpus, n_labels, ranks)
    vars(corpus)["lengths"] = lengths  # otherwise the corpus would sum all counts again, at once
    tree = check_reducible(corpus, n_labels)
    alone, several = np.flatnonzero(n_labels == 1), np.flatnonzero(n_labels > 1)
    labels = csr_array(corpus.labels)
    only_label = labels.indices[labels.indptr[alone]]
    n_topics = corpus.n_topics
    exposures = np.bincount(only_label, corpus.exposures[alone], n_topics)
    reduced = Reduced(
        tree=tree,
        n_documents=corpus.n_documents,
        single_counts=single,
        single_exposures=exposures.astype(np.float64),
        label_counts=np.bincount(labels.indices, minlength=n_topics),
        single_label_counts=np.bincount(only_label, minlength=n_topics),
        counts=_matrix([], (len(several), corpus.n_words)),
        labels=labels[several].astype(np.bool_),
        exposures=corpus.exposures[several],
        documents=several,
        conditioned=labelled and is_conditioned(n_labels),
        labelled=labelled,
        known=known,
    )
    word_bins = bins_of_words(work, tree.n_nodes)
    document_bins = bins_of_documents(np.diff(corpus.counts.indptr)[several], n_labels[several])
    words, documents = ranks.partition(*word_bins), ranks.partition(*document_bins)
    by_document, by_word = _own_counts(corpus, reduced, words, documents)
    by_document.indices = words.rows[by_document.indices].astype(np.int32)
    data = KernelData(
        word_data(by_word, reduced, _own_bins(word_bins, ranks)),
        document_data(
            by_document, reduced.labels, reduced.exposures, _own_bins(document_bins, ranks)
        ),
    )
    partitions: dict[RowKind, Partition] = {
        "words": words,
        "documents": documents,
        "labels": documents.spread(data.documents.label_starts),
        "squares": documents.spread(data.documents.square_starts),
    }
    return Part(reduced.without_counts(), data, partitions)


def _own_bins(bins: Bins, ranks: Ranks) -> Bins:
    starts, items = bins
    sizes = np.diff(starts)[ranks.bins.own]
    return np.concatenate([[0], np.cumsum(sizes)]), ranks.partition(starts, items).own


def _survey(
    corpus: Corpus, n_labels: NDArray[np.integer], ranks: Ranks
) -> tuple[Ints, Floats, Ints]:
    """Return lengths of documents, counts in single-label ones, V x K, and each word's work.

    Every rank reads a share of the documents; sums of integers are exact in any order.
    """
    starts, n_words, n_topics = corpus.counts.indptr, corpus.n_words, corpus.n_topics
    shares = np.searchsorted(starts, int(starts[-1]) * np.arange(ranks.size + 1) / ranks.size)
    shares[0], shares[-1] = 0, corpus.n_documents
    lengths = np.zeros(corpus.n_documents, np.int64)
    single, work = np.zeros((n_words, n_topics)), np.zeros(n_words, np.int64)
    for rows in blocks(corpus, *shares[ranks.rank : ranks.rank + 2]):
        lengths[rows.documents] = rows.lengths
        own_labels = n_labels[rows.row]
        add_single_counts(corpus, rows, own_labels == 1, single)
        several = own_labels > 1
        added = np.bincount(rows.words[several], own_labels[several], n_words)
        work += added.astype(np.int64)
    return ranks.total(lengths), ranks.total(single), ranks.total(work)


def _own_counts(
    corpus: Corpus, reduced: Reduced, words: Partition, documents: Partition
) -> tuple[csr_array[np.int32], csc_array[np.int32]]:
    """Return the counts of this rank's documents, and those of its words, by word."""
    shape = len(reduced.documents), corpus.n_words
    number = np.full(corpus.n_documents, -1)
    number[reduced.documents] = np.arange(shape[0])
    own_word = np.zeros(corpus.n_words, np.bool_)
    own_word[words.own] = True
    own_document = np.zeros(corpus.n_documents, np.bool_)
    own_document[reduced.documents[documents.own]] = True
    mine: list[list[Rows]] = [[], []]
    for rows in blocks(corpus):
        for kept, found in (
            (own_document[rows.row], mine[0]),
            (own_word[rows.words] & (number[rows.row] >= 0), mine[1]),
        ):
            of_document = number[rows.row[kept]]
            found.append(Rows(rows.documents, of_document, rows.words[kept], rows.counts[kept]))
    by_document, by_word = (_matrix(found, shape) for found in mine)
    return by_document, by_word.tocsc()


def _matrix(found: list[Rows], shape: tuple[int, int]) -> csr_array[np.int32]:
    """Concatenate counts, which are in the order of the documents."""
    lengths = np.zeros(shape[0], np.int64)
    for rows in found:
        lengths += np.bincount(rows.row, minlength=shape[0])
    starts = np.concatenate([[0], np.cumsum(lengths)])
    words = np.concatenate([np.empty(0, np.int32), *(rows.words for rows in found)])
    counts = np.concatenate([np.empty(0, np.int32), *(rows.counts for rows in found)])
    return csr_array((counts, words, starts), shape=shape)
