"""The corpora of the benchmarks, all drawn from the model.

Two ways: `model_corpus` and `wide_corpus` by the simulator, as `frex simulate` draws; `rcv1_sized`
with rates by the simulator and documents by kernels here, on all cores, for ten times as many.
"""

# mypy: disable-error-code="no-untyped-def"
# ruff: noqa: ANN001, ANN201 - Numba infers the types of what it compiles

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numba import njit, prange
from scipy.optimize import brentq
from scipy.sparse import csr_array

from frex.corpus import Corpus
from frex.model import Hyperparameters, branching_tree, simulate
from frex.model.labels import log_label_probability
from frex.sampler.formulas.random import normals, uniforms
from frex.tree import TopicTree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

N_WORDS, BRANCHING = 10_421, (6, 16)
MEAN_LENGTH = 125
LABELS_PER_DOCUMENT = 0.72
"""With it a third of the documents that have a label have several."""

RARE, USUAL = 2.0, 20.0
"""Documents of a topic of a wide tree on average: of one half of the topics, and of the other."""

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


def wide_corpus(branching: Sequence[int], n_documents: int, n_words: int) -> Corpus:
    """Draw a corpus of many topics, half of which have next to no documents, but one at least."""
    tree, sd = branching_tree(branching), 1.0

    def mean(of_topic: float) -> float:
        """Return the affinity mean of topics that have so many documents on average."""
        log_share = np.log(of_topic / n_documents)
        return float(brentq(lambda eta: log_label_probability(eta, sd)[1] - log_share, -50, 50))

    rare = np.random.default_rng(0).permutation(tree.n_topics) % 2 == 0
    hyper = Hyperparameters(
        root_mean=0.0,
        root_variance=1.0,
        affinity_mean=np.where(rare, mean(RARE), mean(USUAL)),
        affinity_variance=sd**2,
        dispersion_df=8.0,
        dispersion_scale=0.5,
    )
    drawn = simulate(tree, n_documents, n_words, rates="zipf", hyper=hyper, drop_empty=True, seed=1)
    return with_a_document_each(drawn.corpus)


def with_a_document_each(corpus: Corpus) -> Corpus:
    """Return the corpus with a document, whichever it is, filed under each topic that has none."""
    labels = corpus.labels
    empty = np.flatnonzero(np.bincount(labels.indices, minlength=labels.shape[1]) == 0)
    rows = np.random.default_rng(1).permutation(labels.shape[0])[: len(empty)]
    added = csr_array((np.ones(len(empty), np.bool_), (rows, empty)), shape=labels.shape)
    return replace(corpus, labels=csr_array(labels + added))


def with_topics_twice(corpus: Corpus) -> Corpus:
    """Return the corpus with the labels of every second document in a twin of the tree."""
    tree, n_topics = corpus.tree, corpus.n_topics
    assert tree is not None
    names = tree.names
    above = [None if parent == 0 else names[parent] for parent in tree.parents[1:]]
    twins = [None if name is None else f"{name}'" for name in above]
    both = TopicTree([*tree.topics, *(f"{name}'" for name in tree.topics)], [*above, *twins])
    second = np.repeat(np.arange(corpus.n_documents) % 2, np.diff(corpus.labels.indptr))
    labels = csr_array(
        (corpus.labels.data, corpus.labels.indices + n_topics * second, corpus.labels.indptr),
        shape=(corpus.n_documents, 2 * n_topics),
    )
    return with_a_document_each(Corpus(corpus.counts, labels, corpus.words, corpus.ids, both))


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
