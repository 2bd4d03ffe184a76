"""The affinity block: for every multi-label document one trajectory of its active affinities.

For a document with active labels 1..m, B_k = sum_f beta_fk and s_f = theta' beta_f:

    log density   -l sum_k B_k theta_k + sum_f w_f log s_f + sum_k log logistic(xi_k)
                      - |xi - eta|^2 / (2 lambda2)
    gradient      theta (g - theta' g) + logistic(-xi) - (xi - eta) / lambda2,
                      g_k = sum_f w_f beta_fk / s_f - l B_k

The rates of the document's words at its labels are gathered once. The curvature is the words'
sum_f w_f (r_f - theta)(r_f - theta)', r_fk = theta_k beta_fk / s_f, and the labels'
logistic(xi)(1 - logistic(xi)), at the mode: positive semidefinite wherever it is taken.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from frex.sampler.kernels import dense
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.random import fill_normals, uniforms


class DocumentData(NamedTuple):
    """What does not change during a run: the documents with two or more labels."""

    starts: Any  #: M + 1, where a document's words start
    words: Any  #: its words
    counts: Any  #: how often, float64
    label_starts: Any  #: M + 1, where its labels start
    nodes: Any  #: the labels' nodes
    exposures: Any  #: M, l_d
    square_starts: Any  #: M + 1, where its m x m curvature starts
    bin_starts: Any  #: where a bin's documents start
    bin_documents: Any  #: documents, dealt into bins of equal work
    most_labels: int
    longest: int  #: words x labels of the document that has most


class AffinityState(NamedTuple):
    """What the block is conditional on, and what it changes."""

    affinities: Any  #: flat, changed
    memberships: Any  #: flat, changed along
    rates: Any  #: V x N
    rate_sums: Any  #: N, B
    affinity_mean: Any  #: N, eta; the root's is not used
    affinity_variance: float
    curvature: Any  #: flat m x m, held fixed


@inner
def gather(d, data, rates, buffer):
    """Copy the rates of the document's words at its labels, words in rows; return both numbers."""
    first, last = data.starts[d], data.starts[d + 1]
    label_first, label_last = data.label_starts[d], data.label_starts[d + 1]
    filled = 0
    for word in range(first, last):
        f = data.words[word]
        for label in range(label_first, label_last):
            buffer[filled] = rates[f, data.nodes[label]]
            filled += 1
    return last - first, label_last - label_first


@inner
def softmax(m, affinities, theta):
    """Fill memberships with the softmax of affinities."""
    highest = affinities[0]
    for k in range(1, m):
        highest = max(highest, affinities[k])
    total = 0.0
    for k in range(m):
        theta[k] = math.exp(affinities[k] - highest)
        total += theta[k]
    for k in range(m):
        theta[k] /= total


@inner
def log_logistic(x):
    """Return log(1 / (1 + exp(-x))) without overflow."""
    return -math.log1p(math.exp(-x)) if x > 0.0 else x - math.log1p(math.exp(x))


@inner
def logistic(x):
    """Return 1 / (1 + exp(-x)) without overflow."""
    if x > 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    return math.exp(x) / (1.0 + math.exp(x))


@inner
def word_log_likelihood(d, n, m, data, state, buffer, theta):
    """Return -l sum_k B_k theta_k + sum_f w_f log s_f."""
    label_first = data.label_starts[d]
    value = 0.0
    for k in range(m):
        value -= data.exposures[d] * state.rate_sums[data.nodes[label_first + k]] * theta[k]
    first = data.starts[d]
    for word in range(n):
        total = 0.0
        for k in range(m):
            total += theta[k] * buffer[word * m + k]
        value += data.counts[first + word] * math.log(total)
    return value


@inner
def word_gradient(d, n, m, data, state, buffer, theta, gradient):
    """Fill the gradient of the words' log likelihood in the affinities."""
    label_first, first = data.label_starts[d], data.starts[d]
    for k in range(m):
        gradient[k] = -data.exposures[d] * state.rate_sums[data.nodes[label_first + k]]
    for word in range(n):
        total = 0.0
        for k in range(m):
            total += theta[k] * buffer[word * m + k]
        weight = data.counts[first + word] / total
        for k in range(m):
            gradient[k] += weight * buffer[word * m + k]
    mean = 0.0
    for k in range(m):
        mean += theta[k] * gradient[k]
    for k in range(m):
        gradient[k] = theta[k] * (gradient[k] - mean)


@inner
def log_density(d, n, m, data, state, buffer, theta, affinities):
    """Return the document's log density at affinities whose memberships are theta."""
    value = word_log_likelihood(d, n, m, data, state, buffer, theta)
    label_first = data.label_starts[d]
    for k in range(m):
        away = affinities[k] - state.affinity_mean[data.nodes[label_first + k]]
        value += log_logistic(affinities[k]) - 0.5 * away * away / state.affinity_variance
    return value


@inner
def density_gradient(d, n, m, data, state, buffer, theta, affinities, gradient):
    """Fill the gradient of the document's log density."""
    word_gradient(d, n, m, data, state, buffer, theta, gradient)
    label_first = data.label_starts[d]
    for k in range(m):
        away = affinities[k] - state.affinity_mean[data.nodes[label_first + k]]
        gradient[k] += logistic(-affinities[k]) - away / state.affinity_variance


@inner
def curvature_at(d, n, m, data, buffer, theta, affinities, out):
    """Fill the words' and labels' curvature, m x m flat."""
    first = data.starts[d]
    for k in range(m * m):
        out[k] = 0.0
    for word in range(n):
        total = 0.0
        for k in range(m):
            total += theta[k] * buffer[word * m + k]
        w = data.counts[first + word]
        for k in range(m):
            excess = theta[k] * (buffer[word * m + k] / total - 1.0)
            for j in range(k + 1):
                out[k * m + j] += w * excess * theta[j] * (buffer[word * m + j] / total - 1.0)
    for k in range(m):
        for j in range(k):
            out[j * m + k] = out[k * m + j]
        p = logistic(affinities[k])
        out[k * m + k] += p * (1.0 - p)


@inner
def mass_factor(m, curvature, variance, lower):
    """Fill the Cholesky factor of curvature + 1 / lambda2."""
    for k in range(m):
        for j in range(m):
            lower[k, j] = curvature[k * m + j]
        lower[k, k] += 1.0 / variance
    dense.cholesky(m, lower)


@parallel
def update_affinities(data, state, address, step, n_steps, accepted, energy):
    """Draw every document's active affinities by one trajectory; fill what each one did."""
    most = data.most_labels
    affinities, memberships = state.affinities, state.memberships
    for b in prange(len(data.bin_starts) - 1):
        buffer = np.empty(data.longest)
        lower = np.empty((most, most))
        work = np.empty((5, most))
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[place]
            n, m = gather(d, data, state.rates, buffer)
            position, theta, gradient = work[0, :m], work[1, :m], work[2, :m]
            momentum, velocity = work[3, :m], work[4, :m]
            mass_factor(m, state.curvature[data.square_starts[d] :], state.affinity_variance, lower)
            draw = fill_normals(address.key, d, address.scan, address.stream, 0, momentum)
            kinetic = 0.0
            for k in range(m):
                kinetic += momentum[k] ** 2
            dense.multiply_lower(m, lower, momentum)
            jitter, u = uniforms(address.key, d, address.scan, address.stream, draw)
            epsilon = step[d] * (0.8 + 0.4 * jitter)

            label_first = data.label_starts[d]
            for k in range(m):
                position[k] = affinities[label_first + k]
            softmax(m, position, theta)
            before = log_density(d, n, m, data, state, buffer, theta, position) - 0.5 * kinetic
            for leap in range(n_steps + 1):
                density_gradient(d, n, m, data, state, buffer, theta, position, gradient)
                share = 0.5 if leap in (0, n_steps) else 1.0
                for k in range(m):
                    momentum[k] += share * epsilon * gradient[k]
                    velocity[k] = momentum[k]
                dense.solve(m, lower, velocity)
                if leap < n_steps:
                    for k in range(m):
                        position[k] += epsilon * velocity[k]
                    softmax(m, position, theta)
            kinetic = 0.0
            for k in range(m):
                kinetic += momentum[k] * velocity[k]
            change = (
                log_density(d, n, m, data, state, buffer, theta, position) - 0.5 * kinetic - before
            )
            energy[d] = change
            accepted[d] = 0.0
            if math.isfinite(change):
                accepted[d] = min(1.0, math.exp(change))
                if math.log(u) < change:
                    for k in range(m):
                        affinities[label_first + k] = position[k]
                        memberships[label_first + k] = theta[k]


@parallel
def find_affinity_modes(data, state, n_iterations, tolerance, modes, curvature):
    """Find every document's mode by halved Newton steps, and the curvature there.

    `modes` holds where to start, and then the modes.
    """
    most = data.most_labels
    for b in prange(len(data.bin_starts) - 1):
        buffer = np.empty(data.longest)
        lower = np.empty((most, most))
        work = np.empty((4, most))
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[place]
            n, m = gather(d, data, state.rates, buffer)
            label_first, square = data.label_starts[d], data.square_starts[d]
            mode, own = modes[label_first : label_first + m], curvature[square : square + m * m]
            theta, gradient, move, trial = work[0, :m], work[1, :m], work[2, :m], work[3, :m]
            softmax(m, mode, theta)
            value = log_density(d, n, m, data, state, buffer, theta, mode)
            for _ in range(n_iterations):
                density_gradient(d, n, m, data, state, buffer, theta, mode, gradient)
                curvature_at(d, n, m, data, buffer, theta, mode, own)
                mass_factor(m, own, state.affinity_variance, lower)
                slope = 0.0
                for k in range(m):
                    move[k] = gradient[k]
                dense.solve(m, lower, move)
                for k in range(m):
                    slope += gradient[k] * move[k]
                if slope < tolerance:
                    break
                size = 1.0
                for _ in range(30):
                    for k in range(m):
                        trial[k] = mode[k] + size * move[k]
                    softmax(m, trial, theta)
                    reached = log_density(d, n, m, data, state, buffer, theta, trial)
                    if reached >= value + 1e-4 * size * slope:
                        break
                    size *= 0.5
                else:
                    break
                value = reached
                for k in range(m):
                    mode[k] = trial[k]
            softmax(m, mode, theta)
            curvature_at(d, n, m, data, buffer, theta, mode, own)


@parallel
def memberships_of(data, affinities, memberships):
    """Fill all memberships from the affinities."""
    for d in prange(len(data.label_starts) - 1):
        first, last = data.label_starts[d], data.label_starts[d + 1]
        softmax(last - first, affinities[first:last], memberships[first:last])
