"""The likelihood of the documents' words.

For a document with active labels 1..m, B_k = sum_f beta_fk and s_f = theta' beta_f:

    log likelihood   -l sum_k B_k theta_k + sum_f w_f log s_f
    gradient         theta (g - theta' g),  g_k = sum_f w_f beta_fk / s_f - l B_k

in the affinities. The rates of the documents' words at their labels are gathered once, a row for
each label, and taken eight words at a time: a document's last eight are filled up with words that
it has not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from frex.sampler.kernels.elementary import exp
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.vectors import LANES, across, load, log, spread, store


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
    turns: Any  #: bins, in the order in which threads take them
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


@parallel("data.turns")
def gather(stretch, data, rates, gathered):
    """Copy the rates of all documents' words at their labels; those that fill up are 1."""
    n_nodes = np.uint64(rates.shape[1])
    for turn in range(*stretch):
        b = data.turns[turn]
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
def softmax(m, affinities, theta):
    """Fill memberships with the softmax of affinities."""
    highest = affinities[0]
    for k in range(1, m):
        highest = max(highest, affinities[k])
    for k in range(m):
        theta[k] = exp(affinities[k] - highest)
    total = 0.0  # in a loop of its own, whose order of adding does not depend on addresses
    for k in range(m):
        total += theta[k]
    for k in range(m):
        theta[k] /= total


@inner
def add_words(d, m, data, gathered, theta, sums, with_value):
    """Fill sum_f w_f beta_fk / s_f of m labels; return sum_f w_f log s_f if asked for."""
    first, place = data.eight_starts[d], data.rate_starts[d]
    n = data.eight_starts[d + 1] - first
    logs = spread(0.0)
    for k in range(m):
        store(sums, k, logs)
    for c in range(n):
        mixed = theta[0] * load(gathered, place + c)
        for k in range(1, m):
            mixed = mixed + theta[k] * load(gathered, place + k * n + c)
        count = load(data.eights, first + c)
        if with_value:
            logs = logs + count * log(mixed)
        share = count / mixed
        for k in range(m):
            store(sums, k, load(sums, k) + share * load(gathered, place + k * n + c))
    return logs


@inner
def add_words_of_two(d, data, gathered, theta, sums, with_value):
    """Do the same for two labels, as most documents have: all sums are in registers."""
    first, place = data.eight_starts[d], data.rate_starts[d]
    n = data.eight_starts[d + 1] - first
    logs = spread(0.0)
    sum_one, sum_two = logs, logs
    for c in range(n):
        one, two = load(gathered, place + c), load(gathered, place + n + c)
        mixed = theta[0] * one + theta[1] * two
        count = load(data.eights, first + c)
        if with_value:
            logs = logs + count * log(mixed)
        share = count / mixed
        sum_one = sum_one + share * one
        sum_two = sum_two + share * two
    store(sums, 0, sum_one)
    store(sums, 1, sum_two)
    return logs


@inner
def likelihood(d, m, data, state, theta, sums, gradient, with_value):
    """Fill the gradient of the words' log likelihood; return that, or nothing where not asked for.

    `sums` is room for m vectors.
    """
    if m == 2:
        logs = add_words_of_two(d, data, state.gathered, theta, sums, with_value)
    else:
        logs = add_words(d, m, data, state.gathered, theta, sums, with_value)
    value = across(logs)
    label_first, mean = data.label_starts[d], 0.0
    for k in range(m):
        expected = data.exposures[d] * state.rate_sums[data.nodes[label_first + k]]
        value -= expected * theta[k]
        gradient[k] = across(load(sums, k)) - expected
        mean += theta[k] * gradient[k]
    for k in range(m):
        gradient[k] = theta[k] * (gradient[k] - mean)
    return value


@inner
def curvature_at(d, m, data, state, theta, out):
    """Fill the words' curvature sum_f w_f (r_f - theta)(r_f - theta)', m x m flat.

    With r_fk = theta_k beta_fk / s_f.
    """
    length = LANES * (data.eight_starts[d + 1] - data.eight_starts[d])
    place, flat = LANES * data.rate_starts[d], state.gathered.reshape(-1)
    n_words, first = data.starts[d + 1] - data.starts[d], first_count(d, data)
    counts = data.eights.reshape(-1)[first : first + n_words]
    for k in range(m * m):
        out[k] = 0.0
    for word in range(len(counts)):
        total = 0.0
        for k in range(m):
            total += theta[k] * flat[place + k * length + word]
        for k in range(m):
            excess = theta[k] * (flat[place + k * length + word] / total - 1.0)
            for j in range(k + 1):
                other = theta[j] * (flat[place + j * length + word] / total - 1.0)
                out[k * m + j] += counts[word] * excess * other
    for k in range(m):
        for j in range(k):
            out[j * m + k] = out[k * m + j]


@parallel("data.bin_documents")
def memberships_of(stretch, data, affinities, memberships):
    """Fill the documents' memberships from their affinities."""
    for spot in range(*stretch):
        d = data.bin_documents[spot]
        first, last = data.label_starts[d], data.label_starts[d + 1]
        softmax(last - first, affinities[first:last], memberships[first:last])
