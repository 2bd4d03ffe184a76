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

from frex.posterior.posterior import Typical

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.tree import TopicTree

N_DOCUMENTS = 20
"""Documents kept for a topic."""

N_WORDS = 8
"""Words kept for a document."""

NEUTRAL_TOKENS = 20
"""Tokens that speak for no topic, by which every document is longer than it is."""

_BLOCK = 1 << 15  # documents whose counts are gathered at a time


def typical_documents(
    corpus: Corpus, rates: NDArray[np.float64], memberships: NDArray[np.float64]
) -> Typical:
    """Return each topic's most typical documents, at most 20, and the words that made them so.

    Only documents that speak for the topic are taken; of equal ones the first. A document's words
    are those with the largest count times what the word speaks for the topic.

    Parameters
    ----------
    corpus
        The documents, with labels.
    rates
        Mean rates, words x nodes.
    memberships
        Mean memberships of the stored labels, in the order of `corpus.labels`.
    """
    assert corpus.tree is not None
    counts = csr_array(corpus.counts)
    labels = csr_array(
        (memberships, corpus.labels.indices, corpus.labels.indptr), shape=corpus.labels.shape
    ).tocsc()
    damped = 1 / (corpus.lengths + NEUTRAL_TOKENS)
    starts, documents, scores, words = [0], [], [], []
    for topic, speaks in enumerate(_speaking(corpus.tree, rates)):
        column = slice(*labels.indptr[topic : topic + 2])
        rows = labels.indices[column]
        score = labels.data[column] * damped[rows] * _sums(counts, rows, speaks)
        best = np.argsort(-score, kind="stable")[:N_DOCUMENTS]
        best = best[score[best] > 0]
        starts.append(starts[-1] + len(best))
        documents.append(rows[best])
        scores.append(score[best])
        words += [_leading_words(counts, row, speaks) for row in rows[best]]
    return Typical(
        np.array(starts),
        np.concatenate(documents).astype(np.int64),
        np.concatenate(scores),
        np.array(words, dtype=np.int32).reshape(-1, N_WORDS),
    )


def _speaking(tree: TopicTree, rates: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Yield for each topic how far each word speaks for it."""
    means: dict[tuple[int, ...], NDArray[np.float64]] = {}
    for node in range(1, tree.n_nodes):
        members = tree.comparison_set(node)
        if members not in means:
            means[members] = np.log(rates[:, list(members)].mean(axis=1))
        yield np.log(rates[:, node]) - means[members]


def _sums(
    counts: csr_array, rows: NDArray[np.integer], speaks: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what the tokens of each document speak, summed."""
    blocks = [
        counts[rows[start : start + _BLOCK]] @ speaks for start in range(0, len(rows), _BLOCK)
    ]
    return np.concatenate([np.empty(0), *blocks])


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
