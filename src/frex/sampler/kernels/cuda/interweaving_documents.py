"""The density of (eta, log lambda) when affinities move along, on the GPU; a thread has a document.

Twin of `kernels/interweaving_documents.py`, with the eigenvectors found here too.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numba import cuda

from frex.sampler.kernels.cuda.affinities import log_logistic, logistic, softmax, word_terms
from frex.sampler.kernels.cuda.options import LANES, device, kernel

_MOST_SWEEPS = 30


class Gaussians(NamedTuple):
    """What stands for the documents' likelihoods; fixed after the warm-up."""

    basis: Any  #: m x m each, eigenvectors in columns
    precisions: Any
    pulls: Any


@device
def rotate(square, m, p, q, matrix, basis):
    """Turn the p-th and q-th coordinates so that the matrix is 0 between them (Jacobi, 1846)."""
    off = matrix[square + (p * m + q) * LANES]
    gap = matrix[square + (q * m + q) * LANES] - matrix[square + (p * m + p) * LANES]
    half = 0.5 * gap / off
    t = (1.0 if half >= 0.0 else -1.0) / (abs(half) + math.sqrt(half * half + 1.0))
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    for k in range(m):
        a, b = matrix[square + (k * m + p) * LANES], matrix[square + (k * m + q) * LANES]
        matrix[square + (k * m + p) * LANES] = c * a - s * b
        matrix[square + (k * m + q) * LANES] = s * a + c * b
    for k in range(m):
        a, b = matrix[square + (p * m + k) * LANES], matrix[square + (q * m + k) * LANES]
        matrix[square + (p * m + k) * LANES] = c * a - s * b
        matrix[square + (q * m + k) * LANES] = s * a + c * b
        a, b = basis[square + (k * m + p) * LANES], basis[square + (k * m + q) * LANES]
        basis[square + (k * m + p) * LANES] = c * a - s * b
        basis[square + (k * m + q) * LANES] = s * a + c * b


@device
def diagonalise(square, m, matrix, basis):
    """Make a symmetric matrix diagonal, and fill its eigenvectors."""
    for k in range(m):
        for j in range(m):
            basis[square + (k * m + j) * LANES] = 1.0 if k == j else 0.0
    for _ in range(_MOST_SWEEPS):
        turned = False
        for p in range(m):
            for q in range(p + 1, m):
                off = abs(matrix[square + (p * m + q) * LANES])
                scale = abs(matrix[square + (p * m + p) * LANES]) + abs(
                    matrix[square + (q * m + q) * LANES]
                )
                if off > 1e-16 * scale:
                    rotate(square, m, p, q, matrix, basis)
                    turned = True
        if not turned:
            break


@kernel
def match(docs, curvature, modes, affinity_mean, affinity_variance, own, spare, told):
    """Fill the Gaussians at the modes, and what each document says of its eta, m x m."""
    slot = cuda.grid(1)
    if slot >= len(docs.documents) or docs.documents[slot] < 0:
        return
    group, lane = slot // LANES, slot % LANES
    m = docs.n_labels[group]
    first, square = docs.label_starts[group] + lane, docs.square_starts[group] + lane
    prior = 1.0 / affinity_variance
    for k in range(m * m):
        spare[square + k * LANES] = curvature[square + k * LANES]
    diagonalise(square, m, spare, own.basis)
    for j in range(m):
        precision = max(spare[square + (j * m + j) * LANES], 0.0)  # rounding
        mode = 0.0
        mean = 0.0
        for k in range(m):
            turn = own.basis[square + (k * m + j) * LANES]
            mode += turn * modes[first + k * LANES]
            mean += turn * affinity_mean[docs.nodes[first + k * LANES]]
        own.precisions[first + j * LANES] = precision
        own.pulls[first + j * LANES] = (precision + prior) * mode - prior * mean
    for k in range(m):
        for i in range(m):
            total = 0.0
            for j in range(m):
                precision = own.precisions[first + j * LANES]
                share = prior * precision / (precision + prior)
                total += (
                    share
                    * own.basis[square + (k * m + j) * LANES]
                    * own.basis[square + (i * m + j) * LANES]
                )
            told[square + (k * m + i) * LANES] = total


@device
def conditional(first, square, j, m, docs, own, affinity_mean, prior):
    """Return mean and precision of a document's j-th rotated affinity, and its prior mean."""
    mean = 0.0
    for k in range(m):
        turn = own.basis[square + (k * m + j) * LANES]
        mean += turn * affinity_mean[docs.nodes[first + k * LANES]]
    precision = own.precisions[first + j * LANES] + prior
    return (own.pulls[first + j * LANES] + prior * mean) / precision, precision, mean


@kernel
def standardise(docs, own, affinities, affinity_mean, affinity_variance, out):
    """Fill u, which the move holds fixed."""
    slot = cuda.grid(1)
    if slot >= len(docs.documents) or docs.documents[slot] < 0:
        return
    group, lane = slot // LANES, slot % LANES
    m = docs.n_labels[group]
    first, square = docs.label_starts[group] + lane, docs.square_starts[group] + lane
    for j in range(m):
        centre, precision, _ = conditional(
            first, square, j, m, docs, own, affinity_mean, 1.0 / affinity_variance
        )
        rotated = 0.0
        for k in range(m):
            rotated += own.basis[square + (k * m + j) * LANES] * affinities[first + k * LANES]
        out[first + j * LANES] = (rotated - centre) * math.sqrt(precision)


@device
def place(first, square, m, docs, own, standardised, affinity_mean, prior, position, course):
    """Fill a document's affinities at (eta, lambda); return the sum of log precisions.

    How much a rotated affinity moves with its rotated eta, and with log lambda, is left where the
    course has momentum and velocity.
    """
    log_precisions = 0.0
    for k in range(m):
        position[first + k * LANES] = 0.0
    for j in range(m):
        centre, precision, mean = conditional(first, square, j, m, docs, own, affinity_mean, prior)
        away = standardised[first + j * LANES] / math.sqrt(precision)
        share = prior / precision
        course.momentum[first + j * LANES] = share
        course.velocity[first + j * LANES] = share * (2.0 * (centre - mean) + away)
        log_precisions += math.log(precision)
        for k in range(m):
            turn = own.basis[square + (k * m + j) * LANES]
            position[first + k * LANES] += turn * (centre + away)
    return log_precisions


@kernel
def affinities_at(
    docs, own, standardised, affinity_mean, affinity_variance, course, affinities, memberships
):
    """Fill the affinities that go with u at (eta, lambda), and their memberships."""
    slot = cuda.grid(1)
    if slot >= len(docs.documents) or docs.documents[slot] < 0:
        return
    group, lane = slot // LANES, slot % LANES
    m = docs.n_labels[group]
    first, square = docs.label_starts[group] + lane, docs.square_starts[group] + lane
    prior = 1.0 / affinity_variance
    place(first, square, m, docs, own, standardised, affinity_mean, prior, affinities, course)
    softmax(first, m, affinities, memberships)


@kernel
def affinity_density(docs, around, own, standardised, with_value, course, in_mean, in_document):
    """Words, active labels, prior of their affinities and Jacobian, as (eta, log lambda) moves.

    `in_mean` is 1 x labels, derivatives in eta; `in_document` 2 x slots, derivatives in log lambda
    and values.
    """
    slot = cuda.grid(1)
    if slot >= len(docs.documents) or docs.documents[slot] < 0:
        return
    group, lane = slot // LANES, slot % LANES
    m, prior = docs.n_labels[group], 1.0 / around.affinity_variance
    first, square = docs.label_starts[group] + lane, docs.square_starts[group] + lane
    position, theta, gradient = course.position, course.theta, course.gradient
    value = -0.5 * place(
        first, square, m, docs, own, standardised, around.affinity_mean, prior, position, course
    )
    softmax(first, m, position, theta)
    value += word_terms(slot, docs, around, theta, with_value, gradient)
    in_log_sd = 0.0
    for k in range(m):
        spot = first + k * LANES
        away = position[spot] - around.affinity_mean[docs.nodes[spot]]
        if with_value:
            value += log_logistic(position[spot])
        value += 0.5 * (math.log(prior) - prior * away * away)
        gradient[spot] += logistic(-position[spot]) - prior * away
        in_mean[0, spot] = prior * away
        in_log_sd += prior * away * away - 1.0
    for j in range(m):
        slope = 0.0
        for k in range(m):
            slope += own.basis[square + (k * m + j) * LANES] * gradient[first + k * LANES]
        share = course.momentum[first + j * LANES]
        in_log_sd += slope * course.velocity[first + j * LANES] + share
        for k in range(m):
            turn = own.basis[square + (k * m + j) * LANES]
            in_mean[0, first + k * LANES] += slope * turn * share
    in_document[0, slot] = in_log_sd
    in_document[1, slot] = value
