"""Each topic's share of its documents' words.

A token of word f in a document with labels j is about topic k with probability

    theta[d,k] beta[f,k] / sum_j theta[d,j] beta[f,j].

Here topic k's own rate is replaced by the root's. All topics then share a document's words by the
same measure, so that differences between topics do not come from a fit that has seen the labels.
Usage depends on the log of counts, and not on the counts:

    x[f] = log(1 + tokens of f that are about k) * log((D + 1) / D_f),   of length 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior

    Array: TypeAlias = NDArray[np.float64]

MOST_DOCUMENTS = 400
"""Most documents of a topic; of more, a random sample is taken."""

PAIRS = 20_000
"""Number of pairs of rows that are multiplied at a time."""

FOLDS = 5
"""Number of folds of a topic's documents."""


class OwnWords(NamedTuple):
    """Topics' shares of their documents' words, one row for each sampled label, by topic."""

    usage: csr_array[np.float32]  #: rows x words, of length 1
    documents: NDArray[np.int64]  #: of each row
    starts: NDArray[np.int64]  #: topics + 1: topic k has rows starts[k] to starts[k+1]
    folds: NDArray[np.int64]  #: of each row, 0 to `FOLDS` - 1

    def rows(self, topic: int) -> slice:
        """Return the rows of a topic."""
        return slice(int(self.starts[topic]), int(self.starts[topic + 1]))

    @property
    def topics(self) -> NDArray[np.int64]:
        """Return the topic of each row."""
        return np.repeat(np.arange(len(self.starts) - 1), self.sizes)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of sampled documents of each topic."""
        return np.diff(self.starts)


def within_documents(own: OwnWords) -> tuple[NDArray[np.int64], NDArray[np.int64], Array]:
    """Return all pairs of rows of the same document, including equal rows, and their products.

    Parameters
    ----------
    own
        The topics' shares of their documents' words.
    """
    n_rows = len(own.documents)
    of = csr_array((np.ones(n_rows, np.float32), (np.arange(n_rows), own.documents)))
    one, other = (part.astype(np.int64) for part in csr_array(of @ of.T).nonzero())
    products: list[Array] = [
        (own.usage[one[at : at + PAIRS]] * own.usage[other[at : at + PAIRS]]).sum(axis=1)
        for at in range(0, len(one), PAIRS)
    ]
    return one, other, np.concatenate(products)


def own_words(
    posterior: Posterior, corpus: Corpus, *, most: int = MOST_DOCUMENTS, seed: int = 0
) -> OwnWords:
    """Return each topic's share of its documents' words.

    Parameters
    ----------
    posterior
        The fit.
    corpus
        Its documents, over the topics of the fit's tree.
    most
        Most documents of a topic.
    seed
        Seed of the sample and of the folds.
    """
    rng = np.random.default_rng(seed)
    labels = corpus.labels
    label_documents = np.repeat(np.arange(len(corpus)), np.diff(labels.indptr))
    chosen, starts = _choose(labels.indices, labels.shape[1], most, rng)
    documents = label_documents[chosen]
    counts = corpus.counts[documents].astype(np.float32)
    counts.data *= _shares(posterior, corpus, counts, chosen, label_documents)
    np.log1p(counts.data, out=counts.data)
    n_documents = np.bincount(corpus.counts.indices, minlength=corpus.n_words)
    inverse = np.log((len(corpus) + 1) / np.maximum(n_documents, 1)).astype(np.float32)
    counts.data *= inverse[counts.indices]
    usage = csr_array(normalize(counts, copy=False))
    folds = (np.arange(len(chosen)) - np.repeat(starts[:-1], np.diff(starts))) % FOLDS
    return OwnWords(usage, documents, starts, folds)


def _choose(
    topics: NDArray[np.int32], n_topics: int, most: int, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a sample of labels, topic by topic, at most `most` of each, and their starts."""
    shuffled = rng.permutation(len(topics))
    order = shuffled[np.argsort(topics[shuffled], kind="stable")]
    sizes = np.bincount(topics, minlength=n_topics)
    first = np.repeat(np.cumsum(sizes) - sizes, sizes)
    kept = order[np.arange(len(order)) - first < most]
    starts = np.concatenate([[0], np.cumsum(np.minimum(sizes, most))])
    return kept, starts


def _shares(
    posterior: Posterior,
    corpus: Corpus,
    counts: csr_array[np.float32],
    chosen: NDArray[np.int64],
    label_documents: NDArray[np.int64],
) -> NDArray[np.float32]:
    """Return for each stored count the expected share of its tokens about the row's topic."""
    labels = corpus.labels
    n_labels = np.diff(labels.indptr)[label_documents[chosen]]
    shares = np.ones(counts.nnz, np.float32)
    several = np.flatnonzero(n_labels > 1)
    log_rates, memberships = posterior.log_rates.mean, posterior.memberships.mean
    for row in several.tolist():
        stored = slice(*counts.indptr[row : row + 2])
        label = int(chosen[row])
        document = int(label_documents[label])
        first, last = labels.indptr[document : document + 2]
        nodes = labels.indices[first:last] + 1
        at = label - int(first)
        nodes[at] = 0
        rates = np.exp(log_rates[np.ix_(counts.indices[stored], nodes)]) * memberships[first:last]
        shares[stored] = rates[:, at] / np.maximum(rates.sum(axis=1), np.finfo(np.float64).tiny)
    return shares
