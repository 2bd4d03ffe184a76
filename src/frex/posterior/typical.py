"""The documents most typical of a topic: those whose words speak for it, and not for its siblings.

A word speaks for topic k by log(beta[f,k] / mean of beta[f,j] over j in S(k)), with the topic and
its siblings as S(k): 0 where the topics use it alike, log 2 where k has it twice as often as they
do on average. A document labelled k scores

    theta[d,k] * n / (n + 20) * mean over its n tokens of what their words speak for k.

The membership theta asks that the document be about k, and not about its other labels. A mean over
few tokens is mostly chance, and the highest of many such means nothing else; so every document
counts as if it had 20 more tokens, which speak for no topic: that is the factor of n.
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
"""Documents kept for a topic."""

N_WORDS = 8
"""Words kept for a document."""

NEUTRAL_TOKENS = 20
"""Tokens that speak for no topic, by which every document is longer than it is."""


def typical_documents(
    corpus: Corpus, log_rates: NDArray[np.float64], memberships: NDArray[np.float64]
) -> Typical:
    """Return each topic's most typical documents, at most 20, and the words that made them so.

    Only documents that speak for the topic are taken; of equal ones the first. A document's words
    are those with the largest count times what the word speaks for the topic.

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
    speaks = _speaking(corpus.tree, log_rates)
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
        forget(counts.indices)  # documents lie apart, and each brings its neighbours into memory
        forget(counts.data)
    return Typical(
        np.array(starts),
        np.concatenate(documents).astype(np.int64),
        np.concatenate(scores),
        np.array(words, dtype=np.int32).reshape(-1, N_WORDS),
    )


def _speaking(tree: TopicTree, log_rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how far each word speaks for each topic, words x topics."""
    means: dict[tuple[int, ...], NDArray[np.float64]] = {}
    speaks = log_rates[:, 1:].copy()
    for node in range(1, tree.n_nodes):
        members = tree.comparison_set(node)
        if members not in means:
            means[members] = logsumexp(log_rates[:, list(members)], axis=1) - np.log(len(members))
        speaks[:, node - 1] -= means[members]
    return speaks


def _sums(corpus: Corpus, speaks: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what the tokens of a document speak for its label, summed, for all labels."""
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
    """Return the words of a document that speak most for a topic, -1 where there are no more."""
    stored = slice(*counts.indptr[row : row + 2])
    words = counts.indices[stored]
    spoken = counts.data[stored] * speaks[words]
    best = np.argsort(-spoken, kind="stable")[:N_WORDS]
    best = best[spoken[best] > 0]
    leading = np.full(N_WORDS, -1, dtype=np.int32)
    leading[: len(best)] = words[best]
    return leading
