"""The documents' words, and where each document finds its own.

`formulas/documents.py` has their likelihood. The rates of the documents' words at their labels are
gathered once, a row for each label, and taken eight words at a time: a document's last eight are
filled up with words that it has not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from frex.sampler.formulas.affinities import Buffers
from frex.sampler.formulas.documents import Place, Words, softmax
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.space import borrowed, space
from frex.sampler.kernels.vectors import LANES


class DocumentData(NamedTuple):
    """What does not change during a run: the documents with two or more labels."""

    starts: Any  #: M + 1, where a document's words start
    words: Any  #: its words
    eight_starts: Any  #: M + 1, where its words start, eight at a time
    eights: Any  #: x 8, float32, how often the document has them; 0 for words that fill up
    label_starts: Any  #: M + 1, where its labels start
    nodes: Any  #: the labels' nodes
    exposures: Any  #: M, l_d
    square_starts: Any  #: M + 1, where its m x m curvature starts
    rate_starts: Any  #: M + 1, where its gathered rates start, eight at a time
    bin_starts: Any  #: where a bin's documents start
    bin_documents: Any  #: documents, in bins of equal work
    bin_order: Any  #: bins, in the order in which threads take them
    most_labels: int


class DocumentLikelihood(NamedTuple):
    """The log likelihood of the documents' words, and its slopes at some affinities."""

    value: Any  #: M
    slopes: Any  #: flat, by active label


class AffinityState(NamedTuple):
    """What affinities are conditional on, and what changes with them."""

    affinities: Any  #: flat, changed
    memberships: Any  #: flat, changed along
    gathered: Any  #: x 8, rates of each document's words, a row for each label
    rate_sums: Any  #: N, B
    affinity_mean: Any  #: N, eta; the root's is not used
    affinity_variance: float
    curvature: Any  #: flat m x m, held fixed


@parallel("data.bin_order")
def gather(stretch, data, rates, gathered):
    """Copy the rates of all documents' words at their labels; those that fill up are 1."""
    n_nodes = np.uint64(rates.shape[1])
    for turn in range(*stretch):
        b = data.bin_order[turn]
        flat, table = gathered.reshape(-1), rates.reshape(-1)
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            first, last = np.uint64(data.starts[d]), np.uint64(data.starts[d + 1])
            length = np.uint64(LANES * (data.eight_starts[d + 1] - data.eight_starts[d]))
            place = np.uint64(LANES * data.rate_starts[d])
            for label in range(data.label_starts[d], data.label_starts[d + 1]):
                node = np.uint64(data.nodes[label])
                for word in range(first, last):
                    flat[place + word - first] = table[np.uint64(data.words[word]) * n_nodes + node]
                for word in range(place + last - first, place + length):
                    flat[word] = 1.0
                place += length


@inner
def first_count(d, data):
    """Return the place in the flat `eights` of the count of a document's first word."""
    return LANES * data.eight_starts[d]


@inner
def place_of(d, data):
    """Return where a document's words are among those of all, eight in a row."""
    first = data.eight_starts[d]
    n_rows = data.eight_starts[d + 1] - first
    n_labels = data.label_starts[d + 1] - data.label_starts[d]
    return Place(n_labels, n_rows, first, data.rate_starts[d], n_rows, 1)


@inner
def word_place_of(d, data):
    """Return the same where each word is taken by itself."""
    place = place_of(d, data)
    n_words = data.starts[d + 1] - data.starts[d]
    return Place(
        place.n_labels,
        n_words,
        first_count(d, data),
        LANES * place.rate,
        LANES * place.label_stride,
        1,
    )


@inner
def make_buffers(most):
    """Return buffers of a document with so many labels at most."""
    memory = space(1, (7 + LANES + most) * most)[0]
    own = borrowed(memory)
    work, rest = own[: 7 * most].reshape((7, most)), own[7 * most :]
    sums, lower = rest[: LANES * most].reshape((most, LANES)), rest[LANES * most :]
    return Buffers(
        work[0], work[1], work[2], work[3], work[4], work[5], work[6], sums, lower, memory
    )


@inner
def words_of(data, state):
    """Return the words of all documents, eight in a row."""
    return Words(borrowed(state.gathered), borrowed(data.eights))


@inner
def take_given(d, data, affinity_mean, rate_sums, own):
    """Copy eta of a document's labels, and l B."""
    first = data.label_starts[d]
    for k in range(data.label_starts[d + 1] - first):
        node = data.nodes[first + k]
        own.mean[k] = affinity_mean[node]
        own.expected[k] = data.exposures[d] * rate_sums[node]


@parallel("data.bin_documents")
def memberships_of(stretch, data, affinities, memberships):
    """Fill the documents' memberships from their affinities."""
    for spot in range(*stretch):
        d = data.bin_documents[spot]
        first, last = data.label_starts[d], data.label_starts[d + 1]
        softmax(last - first, affinities[first:last], memberships[first:last])
