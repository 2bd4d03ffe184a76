"""The data as the sampler needs it: the exact reductions of section 2 of the model.

A document with one label ``k`` has ``theta_d = e_k`` whatever its affinities are. All such
documents meet the rates only through their summed counts and exposures, so they are summed here,
once. A document without labels has no words and meets only the label probabilities, as one more
that each topic does not label. Where a corpus holds only documents with a label, the likelihood is
conditional on that (section 2.6). What remains are the documents with two or more labels, the set
``M``: the rows of `Reduced.counts` and `Reduced.labels`.

Arrays over the active labels of ``M`` (affinities, memberships) are flat, in the order of
``labels.indices``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from frex.corpus.blocks import blocks
from frex.errors import InputError
from frex.model.dispersions import group_sizes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.corpus.blocks import Rows
    from frex.model.known import KnownTopics
    from frex.tree import TopicTree


class Reduced(NamedTuple):
    """A corpus after the reductions; everything that the posterior depends on is in it."""

    tree: TopicTree
    n_documents: int  #: D, all documents, those without labels too
    single_counts: NDArray[np.float64]  #: V x K, n[f,k]: counts summed over single-label documents
    single_exposures: NDArray[np.float64]  #: K, their exposures summed
    label_counts: NDArray[np.int64]  #: K, n_k: documents with the label
    single_label_counts: NDArray[np.int64]  #: K, n1_k: documents with that label alone
    counts: csr_array[np.int32]  #: M x V, the documents with two or more labels
    labels: csr_array[np.bool_]  #: M x K
    exposures: NDArray[np.float64]  #: M
    documents: NDArray[np.int64]  #: M, their rows in the corpus
    conditioned: bool  #: True where documents without labels would not be in the corpus
    labelled: bool = True  #: False where every topic is in every document, and labels say nothing
    known: KnownTopics | None = None  #: of a fit that is the prior of the first topics

    @property
    def n_children(self) -> NDArray[np.int64]:
        """``J`` of each group with a dispersion; known topics are not among the children."""
        if self.known is None:
            return group_sizes(self.tree)
        return np.array([self.known.n_extra])

    @property
    def n_conditioned(self) -> int:
        """D where the likelihood is conditional on each document having a label, else 0."""
        return self.n_documents if self.conditioned else 0

    def without_counts(self) -> Reduced:
        """Return the same without any counts, for whoever has them in another form."""
        none = np.empty(0, np.int32)
        starts = np.zeros_like(self.counts.indptr)
        counts = csr_array((none, none, starts), shape=self.counts.shape)
        return self._replace(counts=counts, single_counts=np.empty((0, self.tree.n_topics)))


def reduce(corpus: Corpus, *, conditioned: bool | None = None) -> Reduced:
    """Sum up what the posterior sees only as sums.

    Parameters
    ----------
    corpus
        A corpus with a tree, in which every document that has words has a label.
    conditioned
        Whether a document without a label could not have been in the corpus, so that the
        likelihood is conditional on each having one (section 2.6). None: where each has one. A
        simulation that keeps documents without labels says False, for by chance it may have none.
    """
    n_labels = np.diff(corpus.labels.indptr)
    tree = check_reducible(corpus, n_labels)
    labels = csr_array(corpus.labels)
    single, several = np.flatnonzero(n_labels == 1), np.flatnonzero(n_labels > 1)
    only_label = labels.indices[labels.indptr[single]]
    exposures = np.bincount(only_label, corpus.exposures[single], corpus.n_topics)
    single_counts, counts = _split_counts(corpus, n_labels)
    return Reduced(
        tree=tree,
        n_documents=corpus.n_documents,
        single_counts=single_counts,
        single_exposures=exposures.astype(np.float64),  # NumPy's sums over nothing are integers
        label_counts=np.bincount(labels.indices, minlength=corpus.n_topics),
        single_label_counts=np.bincount(only_label, minlength=corpus.n_topics),
        counts=counts,
        labels=labels[several].astype(np.bool_),
        exposures=corpus.exposures[several],
        documents=several,
        conditioned=is_conditioned(n_labels, conditioned),
    )


def is_conditioned(n_labels: NDArray[np.integer], conditioned: bool | None = None) -> bool:
    """Tell whether the likelihood is conditional on each document having a label."""
    every = bool((n_labels > 0).all())
    if conditioned and not every:
        raise InputError(
            "a document has no label, so not every document was chosen for having one",
            remedy="Drop such documents, or give conditioned=False.",
        )
    return every if conditioned is None else conditioned


def _split_counts(
    corpus: Corpus, n_labels: NDArray[np.integer]
) -> tuple[NDArray[np.float64], csr_array[np.int32]]:
    """Return the counts of single-label documents, summed, and those of the others as they are."""
    several = n_labels > 1
    n_words = corpus.n_words
    ends = np.cumsum(np.diff(corpus.counts.indptr)[several], dtype=np.int64)
    starts = np.concatenate([[0], ends]).astype(corpus.counts.indptr.dtype)
    words, counts = (np.empty(starts[-1], np.int32) for _ in range(2))
    summed, n = np.zeros((n_words, corpus.n_topics)), 0
    for rows in blocks(corpus):
        kept = several[rows.row]
        add_single_counts(corpus, rows, ~kept, summed)
        here = slice(n, n + int(kept.sum()))
        words[here], counts[here] = rows.words[kept], rows.counts[kept]
        n = here.stop
    return summed, csr_array((counts, words, starts), shape=(len(ends), n_words))


def add_single_counts(
    corpus: Corpus, rows: Rows, alone: NDArray[np.bool_], summed: NDArray[np.float64]
) -> None:
    """Add counts of single-label documents to their sums, V x K.

    Parameters
    ----------
    corpus
        Which has the labels.
    rows
        Counts of some of its documents.
    alone
        Which of them are of documents that have one label.
    summed
        Changed.
    """
    label = corpus.labels.indices[corpus.labels.indptr[rows.row[alone]]]
    cells = rows.words[alone].astype(np.int64) * corpus.n_topics + label
    np.add.at(summed.reshape(-1), cells, rows.counts[alone])


def exposure(reduced: Reduced, memberships: NDArray[np.float64]) -> NDArray[np.float64]:
    """``E[k] = sum_d l_d theta[d,k]`` over all documents (section 2.1).

    Parameters
    ----------
    reduced
        The data.
    memberships
        ``theta`` of the active labels of ``M``, flat.
    """
    weight = np.repeat(reduced.exposures, np.diff(reduced.labels.indptr)) * memberships
    n_topics = reduced.tree.n_topics
    return reduced.single_exposures + np.bincount(reduced.labels.indices, weight, n_topics)


def check_reducible(corpus: Corpus, n_labels: NDArray[np.integer]) -> TopicTree:
    """Return the tree of a corpus in which every document that has words has a label."""
    if corpus.tree is None:
        raise InputError(
            "the corpus has no labels",
            remedy="Prepare it with a tree and labels; or find topics: --unsupervised, PCM.",
        )
    lost = np.flatnonzero((n_labels == 0) & (corpus.lengths > 0))
    if len(lost):
        more = f", and so have {len(lost) - 1:,} more" if len(lost) > 1 else ""
        raise InputError(
            f"document {corpus.ids[int(lost[0])]!r} has words and no label{more}",
            remedy="Drop such documents (unlabelled='drop') and label them with predict later.",
        )
    return corpus.tree
