"""The corpora of the benchmarks, all drawn from the model.

Two ways: `model_corpus` by the simulator, as `frex simulate` draws it; `rcv1_sized` with rates by
the simulator and documents by kernels here, on all cores, for ten times as many.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ANN001, ANN201 - Numba infers the types of what it compiles

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit, prange
from scipy.sparse import csr_array

from frex.corpus import Corpus
from frex.model import branching_tree, simulate
from frex.sampler.kernels.random import normals, uniforms

if TYPE_CHECKING:
    from numpy.typing import NDArray

N_WORDS, BRANCHING = 10_421, (6, 16)
MEAN_LENGTH = 125
LABELS_PER_DOCUMENT = 0.72
"""With it a third of the documents that have a label have several."""

RCV1_DOCUMENTS = 806_791
MOST_LABELS = 16


def model_corpus(n_documents: int) -> Corpus:
    """Draw a corpus of the words, topics and label counts of RCV1; every document has a label."""
    n_drawn = int(n_documents / 0.5)
    corpus, _ = simulate(
        branching_tree(BRANCHING),
        n_drawn,
        N_WORDS,
        rates="zipf",
        mean_length=MEAN_LENGTH,
        labels_per_document=LABELS_PER_DOCUMENT,
        drop_empty=True,
        seed=1,
    )
    return corpus.take(np.arange(min(n_documents, corpus.n_documents)))


def describe(corpus: Corpus) -> str:
    """Return the corpus' sizes."""
    n_labels: NDArray[np.int32] = np.diff(corpus.labels.indptr)
    return (
        f"{corpus.n_documents:,} documents, {corpus.n_tokens:,} tokens, {corpus.n_words:,} words, "
        f"{corpus.tree.n_nodes if corpus.tree else 0} nodes, {(n_labels > 1).mean():.0%} with "
        f"several labels, at most {n_labels.max()}"
    )


@njit(parallel=True, cache=True)
def draw_labels(hyper, topics, shares, n_labels):
    """Draw every document's labels, until it has one, and its memberships."""
    seed, mean, sd = hyper
    for d in prange(len(topics)):
        tries, m = 0, 0
        while m == 0:
            for k in range(len(mean)):
                z, _ = normals(seed, d, k, 0, tries)
                u, _ = uniforms(seed, d, k, 1, tries)
                affinity = mean[k] + sd * z
                if u < 1.0 / (1.0 + np.exp(-affinity)) and m < MOST_LABELS:
                    topics[d, m] = k
                    shares[d, m] = np.exp(affinity)
                    m += 1
            tries += 1
        n_labels[d] = m
        shares[d, :m] /= shares[d, :m].sum()


@njit(parallel=True, cache=True)
def draw_tokens(drawn, starts, cumulated, tokens, n_distinct):
    """Draw every document's tokens, and sort them."""
    seed, topics, shares = drawn
    for d in prange(len(starts) - 1):
        own = tokens[starts[d] : starts[d + 1]]
        for t in range(len(own)):
            u, v = uniforms(seed, d, t, 2, 0)
            k = 0
            while u > shares[d, k] and k < MOST_LABELS - 1 and shares[d, k + 1] > 0:
                u -= shares[d, k]
                k += 1
            topic = topics[d, k]
            own[t] = min(np.searchsorted(cumulated[topic], v), cumulated.shape[1] - 1)
        own.sort()
        distinct = 0
        for t in range(len(own)):
            distinct += t == 0 or own[t] != own[t - 1]
        n_distinct[d] = distinct


@njit(parallel=True, cache=True)
def count_tokens(starts, tokens, row_starts, words, counts):
    """Count every document's words."""
    for d in prange(len(starts) - 1):
        place = row_starts[d] - 1
        for t in range(starts[d], starts[d + 1]):
            if t == starts[d] or tokens[t] != tokens[t - 1]:
                place += 1
                words[place] = tokens[t]
                counts[place] = 0
            counts[place] += 1


def rcv1_sized(n_documents: int = RCV1_DOCUMENTS, seed: int = 1) -> Corpus:
    """Draw a corpus of the size of RCV1: rates by the simulator, documents on all cores at once."""
    tree = branching_tree(BRANCHING)
    _, truth = simulate(
        tree, 100, N_WORDS, rates="zipf", mean_length=MEAN_LENGTH,
        labels_per_document=LABELS_PER_DOCUMENT, drop_empty=True, seed=seed,
    )  # fmt: skip
    rates = np.exp(truth.log_rates[:, 1:].T)
    cumulated = np.cumsum(rates / rates.sum(axis=1, keepdims=True), axis=1)
    key = np.uint64(seed)
    topics = np.zeros((n_documents, MOST_LABELS), np.int32)
    shares, n_labels = np.zeros(topics.shape), np.zeros(n_documents, np.int64)
    hyper = truth.hyper
    draw_labels(
        (key, hyper.affinity_mean, np.sqrt(hyper.affinity_variance)), topics, shares, n_labels
    )
    rng = np.random.default_rng(seed)
    lengths = np.maximum(1, rng.poisson(rng.gamma(4, MEAN_LENGTH / 4, n_documents)))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    tokens, n_distinct = np.empty(starts[-1], np.int16), np.empty(n_documents, np.int64)
    draw_tokens((key, topics, shares), starts, cumulated, tokens, n_distinct)
    row_starts = np.concatenate([[0], np.cumsum(n_distinct)])
    words, counts = np.empty(row_starts[-1], np.int32), np.empty(row_starts[-1], np.int32)
    count_tokens(starts, tokens, row_starts, words, counts)
    label_starts = np.concatenate([[0], np.cumsum(n_labels)])
    active = topics[np.arange(MOST_LABELS) < n_labels[:, None]]
    return Corpus(
        csr_array((counts, words, row_starts), shape=(n_documents, N_WORDS)),
        csr_array(
            (np.ones(len(active), np.bool_), active, label_starts),
            shape=(n_documents, tree.n_topics),
        ),
        [f"w{f}" for f in range(N_WORDS)],
        [f"d{d}" for d in range(n_documents)],
        tree,
    )
