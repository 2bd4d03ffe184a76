"""The density of (eta, log lambda) when affinities move along: `model/interweaving.py`, documents.

Sums over documents are taken bin by bin, in order.
"""

from __future__ import annotations

import math

from frex.sampler.formulas.documents import likelihood, softmax
from frex.sampler.formulas.interweaving_documents import Spot, add_moved, add_prior, place
from frex.sampler.formulas.interweaving_documents import standardise as standardise_one
from frex.sampler.kernels.documents import make_buffers, place_of, take_given, words_of
from frex.sampler.kernels.options import NO, inner, parallel
from frex.sampler.kernels.space import space


@inner
def spot_of(d, data):
    """Return where a document's labels and matrix are."""
    first = data.label_starts[d]
    return Spot(data.label_starts[d + 1] - first, first, data.square_starts[d], 1)


@inner
def take_means(spot, data, affinity_mean, out):
    """Copy eta of a document's labels."""
    for k in range(spot.n_labels):
        out[k] = affinity_mean[data.nodes[spot.label + k]]


@parallel("data.bin_documents")
def standardise(stretch, data, own, affinities, affinity_mean, affinity_variance, out):
    """Fill u, which the move holds fixed."""
    work, prior = space(2, data.most_labels), 1.0 / affinity_variance
    for turn in range(*stretch):
        spot = spot_of(data.bin_documents[turn], data)
        take_means(spot, data, affinity_mean, work[0])
        for k in range(spot.n_labels):
            work[1, k] = affinities[spot.label + k]
        standardise_one(spot, own, work[1], work[0], prior, out)


@parallel("data.bin_order")
def affinities_at(
    stretch, data, own, standardised, affinity_mean, affinity_variance, affinities, memberships
):
    """Fill the affinities that go with u at (eta, lambda), and memberships along."""
    prior = 1.0 / affinity_variance
    work = space(5, data.most_labels)
    mean, position, theta = work[0], work[1], work[2]
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for place_in_bin in range(data.bin_starts[b], data.bin_starts[b + 1]):
            spot = spot_of(data.bin_documents[place_in_bin], data)
            take_means(spot, data, affinity_mean, mean)
            place(spot, own, standardised, mean, prior, position, work[3], work[4], NO)
            softmax(spot.n_labels, position, theta)
            for k in range(spot.n_labels):
                affinities[spot.label + k] = position[k]
                memberships[spot.label + k] = theta[k]


@parallel("data.bin_order")
def affinity_density(
    stretch,
    data,
    state,
    own,
    standardised,
    affinity_mean,
    affinity_variance,
    at,
    known,
    with_value,
    partial,
):
    """Words, active labels, prior of their affinities and Jacobian, as (eta, log lambda) moves.

    On the way of a trajectory no value is needed, and no logarithm is taken of the words. `at` is
    their likelihood where it is known: at the affinities that the move starts from.

    `partial` is bins x (N + 2): derivatives in eta by node (the root's slot stays 0), in
    log lambda, and the value.
    """
    n_nodes, prior = len(affinity_mean), 1.0 / affinity_variance
    log_prior = math.log(prior)
    words = words_of(data, state)
    z, work = make_buffers(data.most_labels), space(3, data.most_labels)
    in_mean, in_log_sd, slopes = work[0], work[1], work[2]
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for i in range(n_nodes + 2):
            partial[b, i] = 0.0
        for place_in_bin in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[place_in_bin]
            spot = spot_of(d, data)
            m, first = spot.n_labels, spot.label
            take_given(d, data, affinity_mean, state.rate_sums, z)
            value = -0.5 * place(
                spot, own, standardised, z.mean, prior, z.position, in_mean, in_log_sd, with_value
            )
            if known:
                value += at.value[d]
                for k in range(m):
                    z.gradient[k] = at.slopes[first + k]
            else:
                softmax(m, z.position, z.theta)
                value += likelihood(
                    words, place_of(d, data), z.expected, z.theta, z.sums, z.gradient, with_value
                )
            of_prior, in_sd = add_prior(
                m, z.mean, prior, log_prior, z.position, z.gradient, slopes, with_value
            )
            in_sd += add_moved(spot, own, z.gradient, in_mean, in_log_sd, slopes)
            for k in range(m):
                partial[b, data.nodes[first + k]] += slopes[k]
            partial[b, n_nodes] += in_sd
            partial[b, n_nodes + 1] += value + of_prior
