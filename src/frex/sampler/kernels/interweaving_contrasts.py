"""The density of (eta, log lambda) when affinities of every topic move along.

`model/interweaving.py`, documents, with the identity for a basis: a document's Gaussian has the
diagonal of its curvature alone. Sums over documents are taken bin by bin, in order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from frex.sampler.formulas.documents import softmax
from frex.sampler.formulas.interweaving_documents import gaussian_of, moved
from frex.sampler.kernels.contrasts import expect, word_terms
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.space import space


class ContrastGaussians(NamedTuple):
    """What stands for the documents' likelihoods; fixed after the warm-up."""

    precisions: Any  #: D x K, c
    pulls: Any  #: D x K, r


@parallel("data.bin_documents")
def standardise(stretch, data, own, affinities, levels, affinity_mean, affinity_variance, out):
    """Fill u, which the move holds fixed, of contrasts that get a level each."""
    n_topics = affinities.shape[1]
    prior = 1.0 / affinity_variance
    for spot in range(*stretch):
        d = data.bin_documents[spot]
        for k in range(n_topics):
            centre, precision = gaussian_of(
                own.pulls[d, k], own.precisions[d, k], affinity_mean[k], prior
            )
            out[d, k] = (affinities[d, k] + levels[d] - centre) * math.sqrt(precision)


@inner
def place(d, own, standardised, affinity_mean, prior, position, slopes):
    """Fill a document's affinities at (eta, lambda); return the sum of log precisions.

    `slopes` is 2 x K: how much an affinity moves with its eta, and with log lambda.
    """
    log_precisions = 0.0
    for k in range(len(position)):
        mean = affinity_mean[k]
        centre, precision = gaussian_of(own.pulls[d, k], own.precisions[d, k], mean, prior)
        deviation, slopes[0, k], slopes[1, k] = moved(
            standardised[d, k], centre, precision, mean, prior
        )
        log_precisions += math.log(precision)
        position[k] = centre + deviation
    return log_precisions


@parallel("data.bin_documents")
def contrasts_at(
    stretch, data, own, standardised, affinity_mean, affinity_variance, affinities, memberships
):
    """Fill the contrasts that go with u at (eta, lambda), and the memberships; levels are left."""
    n_topics = affinities.shape[1]
    for spot in range(*stretch):
        d = data.bin_documents[spot]
        slopes = space(2, n_topics)
        own_affinities = affinities[d]
        place(d, own, standardised, affinity_mean, 1.0 / affinity_variance, own_affinities, slopes)
        mean = 0.0
        for k in range(n_topics):
            mean += own_affinities[k]
        mean /= n_topics
        for k in range(n_topics):
            own_affinities[k] -= mean
        softmax(n_topics, own_affinities, memberships[d])


@parallel("data.bin_order")
def contrast_density(
    stretch, data, state, own, standardised, affinity_mean, affinity_variance, with_value, partial
):
    """Words, prior of the affinities and Jacobian, as (eta, log lambda) moves.

    `partial` is bins x (K + 2): derivatives in eta, in log lambda, and the value, which leaves the
    words out where it is not wanted.
    """
    n_topics = len(affinity_mean)
    prior = 1.0 / affinity_variance
    for turn in range(*stretch):
        b = data.bin_order[turn]
        work, slopes = space(4, n_topics), space(2, n_topics)
        position, theta, gradient, expected = work[0], work[1], work[2], work[3]
        for i in range(n_topics + 2):
            partial[b, i] = 0.0
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            value = -0.5 * place(d, own, standardised, affinity_mean, prior, position, slopes)
            softmax(n_topics, position, theta)
            expect(d, data, state, expected)
            value += word_terms(d, data, state, expected, theta, gradient, with_value)
            in_log_sd = 0.0
            for k in range(n_topics):
                deviation = position[k] - affinity_mean[k]
                value += 0.5 * (math.log(prior) - prior * deviation * deviation)
                slope = gradient[k] - prior * deviation
                partial[b, k] += prior * deviation + slope * slopes[0, k]
                # d log v^-1/2 is the share
                in_log_sd += (
                    prior * deviation * deviation - 1.0 + slope * slopes[1, k] + slopes[0, k]
                )
            partial[b, n_topics] += in_log_sd
            partial[b, n_topics + 1] += value
