"""The density of (eta, log lambda) when affinities move along: `model/interweaving.py`, documents.

Sums over documents are taken bin by bin, in order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from frex.sampler.kernels import documents
from frex.sampler.kernels.affinities import log_logistic, logistic
from frex.sampler.kernels.elementary import log
from frex.sampler.kernels.options import NO, inner, parallel
from frex.sampler.kernels.space import space
from frex.sampler.kernels.vectors import LANES


class DocumentGaussians(NamedTuple):
    """What stands for the documents' likelihoods, flat over labels; fixed after the warm-up."""

    basis: Any  #: flat m x m, eigenvectors in columns
    precisions: Any  #: c
    pulls: Any  #: r, in the basis


@inner
def conditional(d, j, m, data, own, affinity_mean, prior):
    """Return mean and precision of a document's j-th rotated affinity, and its prior mean."""
    first, square = data.label_starts[d], data.square_starts[d]
    mean = 0.0
    for k in range(m):
        mean += own.basis[square + k * m + j] * affinity_mean[data.nodes[first + k]]
    precision = own.precisions[first + j] + prior
    return (own.pulls[first + j] + prior * mean) / precision, precision, mean


@parallel("data.bin_documents")
def standardise(stretch, data, own, affinities, affinity_mean, affinity_variance, out):
    """Fill u, which the move holds fixed."""
    for spot in range(*stretch):
        d = data.bin_documents[spot]
        first, square = data.label_starts[d], data.square_starts[d]
        m = data.label_starts[d + 1] - first
        for j in range(m):
            centre, precision, _ = conditional(
                d, j, m, data, own, affinity_mean, 1.0 / affinity_variance
            )
            rotated = 0.0
            for k in range(m):
                rotated += own.basis[square + k * m + j] * affinities[first + k]
            out[first + j] = (rotated - centre) * math.sqrt(precision)


@inner
def place(d, m, data, own, standardised, affinity_mean, prior, position, slopes, with_value):
    """Fill a document's affinities at (eta, lambda); return the sum of log precisions if asked for.

    `slopes` is 2 x m: how much a rotated affinity moves with its rotated eta, and with log lambda.
    """
    first, square = data.label_starts[d], data.square_starts[d]
    log_precisions = 0.0
    for k in range(m):
        position[k] = 0.0
    for j in range(m):
        centre, precision, mean = conditional(d, j, m, data, own, affinity_mean, prior)
        away = standardised[first + j] / math.sqrt(precision)
        share = prior / precision
        slopes[0, j] = share
        slopes[1, j] = share * (2.0 * (centre - mean) + away)
        if with_value:
            log_precisions += log(precision)
        for k in range(m):
            position[k] += own.basis[square + k * m + j] * (centre + away)
    return log_precisions


@parallel("data.turns")
def affinities_at(
    stretch, data, own, standardised, affinity_mean, affinity_variance, affinities, memberships
):
    """Fill the affinities that go with u at (eta, lambda), and memberships along."""
    for turn in range(*stretch):
        b = data.turns[turn]
        slopes, work = space(2, data.most_labels), space(2, data.most_labels)
        position, theta = work[0], work[1]
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            first = data.label_starts[d]
            m = data.label_starts[d + 1] - first
            place(
                d, m, data, own, standardised, affinity_mean, 1.0 / affinity_variance,
                position, slopes, NO,
            )  # fmt: skip
            documents.softmax(m, position, theta)
            for k in range(m):
                affinities[first + k] = position[k]
                memberships[first + k] = theta[k]


@parallel("data.turns")
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
    most, n_nodes = data.most_labels, len(affinity_mean)
    prior = 1.0 / affinity_variance
    log_prior = math.log(prior)
    for turn in range(*stretch):
        b = data.turns[turn]
        sums, work, slopes = np.empty((most, LANES)), space(3, most), space(2, most)
        position, theta, gradient = work[0], work[1], work[2]
        for i in range(n_nodes + 2):
            partial[b, i] = 0.0
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            first, square = data.label_starts[d], data.square_starts[d]
            m = data.label_starts[d + 1] - first
            value = -0.5 * place(
                d, m, data, own, standardised, affinity_mean, prior, position, slopes, with_value
            )
            if known:
                value += at.value[d]
                for k in range(m):
                    gradient[k] = at.slopes[first + k]
            else:
                documents.softmax(m, position, theta)
                value += documents.likelihood(d, m, data, state, theta, sums, gradient, with_value)
            in_log_sd = 0.0
            for k in range(m):
                away = position[k] - affinity_mean[data.nodes[first + k]]
                if with_value:
                    value += log_logistic(position[k])
                value += 0.5 * (log_prior - prior * away * away)
                gradient[k] += logistic(-position[k]) - prior * away
                partial[b, data.nodes[first + k]] += prior * away
                in_log_sd += prior * away * away - 1.0
            for j in range(m):
                slope = 0.0
                for k in range(m):
                    slope += own.basis[square + k * m + j] * gradient[k]
                in_log_sd += slope * slopes[1, j] + slopes[0, j]  # d log v^-1/2 is the share
                for k in range(m):
                    moved = own.basis[square + k * m + j] * slopes[0, j]
                    partial[b, data.nodes[first + k]] += slope * moved
            partial[b, n_nodes] += in_log_sd
            partial[b, n_nodes + 1] += value
