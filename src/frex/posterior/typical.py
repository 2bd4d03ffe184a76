"""The documents most typical of a topic: their words are evidence for it, and not for its siblings.

The evidence of a word for topic k is log(beta[f,k] / mean of beta[f,j] over j in S(k)), where S(k)
is the topic and its siblings. It is 0 if the topics use the word equally, and log 2 if k uses it
twice as often as they do on average. The score of a document labelled k is

    theta[d,k] * n / (n + 20) * mean over its n tokens of their words' evidence for k.

The membership theta requires that the document is about k, and not about its other labels. A mean
over few tokens is noisy, and the maximum of many such means is mostly chance. So each mean is
shrunk as if the document had 20 more tokens without evidence, which gives the factor n / (n + 20).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array
from scipy.special import logsumexp

from frex.corpus.blocks import blocks
from frex.posterior.posterior import Typical
from frex.storage import forget

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.tree import TopicTree

N_DOCUMENTS = 20
"""Number of stored documents of a topic."""

N_WORDS = 8
"""Number of stored words of a document."""

NEUTRAL_TOKENS = 20
"""Number of tokens without evidence that are added to every document."""


def typical_documents(
    corpus: Corpus, log_rates: NDArray[np.float64], memberships: NDArray[np.float64]
) -> Typical:
    """Return each topic's most typical documents, at most 20, and the words that are the reason.

    Only documents with a positive score are returned; the first of equal ones comes first. A
    document's words are those with the largest product of count and evidence.

    Parameters
    ----------
    corpus
        The documents, with labels.
    log_rates
        Posterior means of the log rates, words x nodes.
    memberships
        Mean memberships of the stored labels, in the order of `corpus.labels`.
    """
    assert corpus.tree is not None
    counts, labels = corpus.counts, corpus.labels
    speaks = _evidence(corpus.tree, log_rates)
    damped = np.repeat(1 / (corpus.lengths + NEUTRAL_TOKENS), np.diff(labels.indptr))
    by_topic = csr_array(
        (memberships * damped * _sums(corpus, speaks), labels.indices, labels.indptr), labels.shape
    ).tocsc()
    starts, documents, scores, words = [0], [], [], []
    for topic in range(corpus.tree.n_topics):
        column = slice(*by_topic.indptr[topic : topic + 2])
        rows, score = by_topic.indices[column], by_topic.data[column]
        best = np.argsort(-score, kind="stable")[:N_DOCUMENTS]
        best = best[score[best] > 0]
        starts.append(starts[-1] + len(best))
        documents.append(rows[best])
        scores.append(score[best])
        words += [_leading_words(counts, row, speaks[:, topic]) for row in rows[best]]
        forget(counts.indices)  # documents are scattered, and each maps whole pages into memory
        forget(counts.data)
    return Typical(
        np.array(starts),
        np.concatenate(documents).astype(np.int64),
        np.concatenate(scores),
        np.array(words, dtype=np.int32).reshape(-1, N_WORDS),
    )


def _evidence(tree: TopicTree, log_rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the evidence of each word for each topic, words x topics."""
    means: dict[tuple[int, ...], NDArray[np.float64]] = {}
    speaks = log_rates[:, 1:].copy()
    for node in range(1, tree.n_nodes):
        members = tree.comparison_set(node)
        if members not in means:
            means[members] = logsumexp(log_rates[:, list(members)], axis=1) - np.log(len(members))
        speaks[:, node - 1] -= means[members]
    return speaks


def _sums(corpus: Corpus, speaks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the summed evidence of a document's tokens for its label, for all labels."""
    starts, topics = corpus.labels.indptr, corpus.labels.indices
    n_labels, sums = np.diff(starts), np.zeros(len(topics))
    for documents, row, words, counts in blocks(corpus):
        here = slice(starts[documents.start], starts[documents.stop])
        for number in range(n_labels[documents].max(initial=0)):
            has = n_labels[row] > number
            label = starts[row[has]] + number
            spoken = counts[has] * speaks[words[has], topics[label]]
            sums[here] += np.bincount(label - here.start, spoken, here.stop - here.start)
    return sums


def _leading_words(counts: csr_array, row: int, speaks: NDArray[np.float64]) -> NDArray[np.int32]:
    """Return the words of a document with the most evidence for a topic, padded with -1."""
    stored = slice(*counts.indptr[row : row + 2])
    words = counts.indices[stored]
    spoken = counts.data[stored] * speaks[words]
    best = np.argsort(-spoken, kind="stable")[:N_WORDS]
    best = best[spoken[best] > 0]
    leading = np.full(N_WORDS, -1, dtype=np.int32)
    leading[: len(best)] = words[best]
    return leading
