"""The density of (eta, log lambda) when affinities move along, on the GPU; a thread has a document.

The eigenvectors are found here too.
"""

from __future__ import annotations

import math

from numba import cuda

from frex.sampler.formulas.affinities import CURVATURE_SHARE
from frex.sampler.formulas.dense import diagonalise
from frex.sampler.formulas.documents import likelihood, softmax
from frex.sampler.formulas.interweaving_documents import (
    add_moved,
    add_prior,
    place,
    pull_at,
    rotated,
    shrunk,
)
from frex.sampler.formulas.interweaving_documents import standardise as standardise_one
from frex.sampler.kernels.cuda import documents as seats
from frex.sampler.kernels.cuda.options import LANES, kernel


@kernel
def fit_gaussians(
    docs, curvature, modes, affinity_mean, affinity_variance, own, course, information
):
    """Fill the Gaussians at the modes, and what each document says of its eta, m x m."""
    slot = cuda.grid(1)
    if not seats.has_document(slot, docs):
        return
    spot, prior = seats.spot_of(slot, docs), 1.0 / affinity_variance
    m, z = spot.n_labels, seats.buffers_of(spot, course)
    matrix, basis = z.lower, own.basis[spot.square :: LANES]
    precisions, mode = own.precisions[spot.label :: LANES], modes[spot.label :: LANES]
    seats.take_means(spot, docs, affinity_mean, z.mean)
    for k in range(m * m):
        matrix[k] = CURVATURE_SHARE * curvature[spot.square + k * LANES]
    diagonalise(m, matrix, basis)
    for j in range(m):
        precisions[j] = max(matrix[j * m + j], 0.0)  # rounding
        own.pulls[spot.label + j * LANES] = pull_at(
            rotated(j, spot, own.basis, mode), precisions[j],
            rotated(j, spot, own.basis, z.mean), prior,
        )  # fmt: skip
    for k in range(m):
        for i in range(m):
            total = 0.0
            for j in range(m):
                total += shrunk(precisions[j], prior) * basis[k * m + j] * basis[i * m + j]
            information[spot.square + (k * m + i) * LANES] = total


@kernel
def standardise(docs, own, affinities, affinity_mean, affinity_variance, course, out):
    """Fill u, which the move holds fixed."""
    slot = cuda.grid(1)
    if seats.has_document(slot, docs):
        spot = seats.spot_of(slot, docs)
        mean = course.every.mean[spot.label :: LANES]
        seats.take_means(spot, docs, affinity_mean, mean)
        standardise_one(
            spot, own, affinities[spot.label :: LANES], mean, 1.0 / affinity_variance, out
        )


@kernel
def affinities_at(
    docs, own, standardised, affinity_mean, affinity_variance, course, affinities, memberships
):
    """Fill the affinities that go with u at (eta, lambda), and their memberships."""
    slot = cuda.grid(1)
    if not seats.has_document(slot, docs):
        return
    spot = seats.spot_of(slot, docs)
    z, position = seats.buffers_of(spot, course), affinities[spot.label :: LANES]
    seats.take_means(spot, docs, affinity_mean, z.mean)
    place(
        spot, own, standardised, z.mean, 1.0 / affinity_variance, position, z.momentum, z.velocity,
        False,
    )  # fmt: skip
    softmax(spot.n_labels, position, memberships[spot.label :: LANES])


@kernel
def affinity_density(docs, around, own, standardised, with_value, course, in_mean, in_document):
    """Words, active labels, prior of their affinities and Jacobian, as (eta, log lambda) moves.

    `in_mean` is 1 x labels, derivatives in eta; `in_document` 2 x slots, derivatives in log lambda
    and values. How affinities move is left where the course has momentum and velocity.
    """
    slot = cuda.grid(1)
    if not seats.has_document(slot, docs):
        return
    spot, words_at, words, z = seats.at_work(slot, docs, around, course)
    prior = 1.0 / around.affinity_variance
    m, slopes = spot.n_labels, in_mean[0][spot.label :: LANES]
    value = -0.5 * place(
        spot, own, standardised, z.mean, prior, z.position, z.momentum, z.velocity, with_value
    )
    softmax(m, z.position, z.theta)
    value += likelihood(
        words, words_at, z.expected, z.theta, z.sums, z.gradient,
        with_value,
    )  # fmt: skip
    of_prior, in_log_sd = add_prior(
        m, z.mean, prior, math.log(prior), z.position, z.gradient, slopes, with_value
    )
    in_log_sd += add_moved(spot, own, z.gradient, z.momentum, z.velocity, slopes)
    in_document[0, slot] = in_log_sd
    in_document[1, slot] = value + of_prior
