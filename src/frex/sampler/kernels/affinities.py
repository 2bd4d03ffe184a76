"""The affinity block: for every multi-label document one trajectory of its active affinities.

For a document with active labels 1..m, B_k = sum_f beta_fk and s_f = theta' beta_f:

    log density   -l sum_k B_k theta_k + sum_f w_f log s_f + sum_k log logistic(xi_k)
                      - |xi - eta|^2 / (2 lambda2)
    gradient      theta (g - theta' g) + logistic(-xi) - (xi - eta) / lambda2,
                      g_k = sum_f w_f beta_fk / s_f - l B_k

The rates of the documents' words at their labels are gathered once. The curvature is the words'
sum_f w_f (r_f - theta)(r_f - theta)', r_fk = theta_k beta_fk / s_f, and the labels'
logistic(xi)(1 - logistic(xi)), at the mode: positive semidefinite wherever it is taken.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from frex.sampler.kernels import dense
from frex.sampler.kernels.elementary import log
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
    rate_starts: Any  #: M + 1, where its gathered rates start
    bin_starts: Any  #: where a bin's documents start
    bin_documents: Any  #: documents, dealt into bins of equal work
    most_labels: int
    longest: int  #: words of the document that has most


class DocumentLikelihood(NamedTuple):
    """The log likelihood of the documents' words, and its slopes at some affinities."""

    value: Any  #: M
    slopes: Any  #: flat, by active label


class AffinityState(NamedTuple):
    """What the block is conditional on, and what it changes."""

    affinities: Any  #: flat, changed
    memberships: Any  #: flat, changed along
    gathered: Any  #: flat, rates of each document's words, a row for each label
    rate_sums: Any  #: N, B
    affinity_mean: Any  #: N, eta; the root's is not used
    affinity_variance: float
    curvature: Any  #: flat m x m, held fixed


@parallel
def gather(data, rates, gathered):
    """Copy the rates of all documents' words at their labels.

    A document has a row for each label, with its words next to one another: what loops over them
    reads memory in order, and is vectorised.
    """
    for b in prange(len(data.bin_starts) - 1):
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            place = data.rate_starts[d]
            for label in range(data.label_starts[d], data.label_starts[d + 1]):
                for word in range(data.starts[d], data.starts[d + 1]):
                    gathered[place] = rates[data.words[word], data.nodes[label]]
                    place += 1


@inner
def sizes(d, data):
    """Return how many words and labels a document has."""
    return data.starts[d + 1] - data.starts[d], data.label_starts[d + 1] - data.label_starts[d]


@inner
def rates_at(d, k, n, data, state):
    """Return the gathered rates of the document's k-th label."""
    place = data.rate_starts[d] + k * n
    return state.gathered[place : place + n]


@inner
def mix(d, n, m, data, state, theta, mixed):
    """Fill s_f = sum_k theta_k beta_fk of the document's words."""
    # a loop over a slice has no index that might be negative, and so is vectorised
    own = rates_at(d, 0, n, data, state)
    share = theta[0]
    for word in range(n):
        mixed[word] = share * own[word]
    for k in range(1, m):
        own = rates_at(d, k, n, data, state)
        share = theta[k]
        for word in range(n):
            mixed[word] += share * own[word]


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
def word_log_likelihood(d, n, m, data, state, theta, mixed):
    """Return -l sum_k B_k theta_k + sum_f w_f log s_f, of words that are mixed."""
    label_first, counts = data.label_starts[d], data.counts[data.starts[d] : data.starts[d + 1]]
    value = 0.0
    for k in range(m):
        value -= data.exposures[d] * state.rate_sums[data.nodes[label_first + k]] * theta[k]
    for word in range(n):
        value += counts[word] * log(mixed[word])
    return value


@inner
def word_gradient(d, n, m, data, state, theta, mixed, gradient):
    """Fill the gradient of the words' log likelihood; their mixtures become w_f / s_f."""
    label_first, counts = data.label_starts[d], data.counts[data.starts[d] : data.starts[d + 1]]
    for word in range(n):
        mixed[word] = counts[word] / mixed[word]
    mean = 0.0
    for k in range(m):
        own = rates_at(d, k, n, data, state)
        slope = -data.exposures[d] * state.rate_sums[data.nodes[label_first + k]]
        for word in range(n):
            slope += mixed[word] * own[word]
        gradient[k] = slope
        mean += theta[k] * slope
    for k in range(m):
        gradient[k] = theta[k] * (gradient[k] - mean)


@inner
def prior_log_density(d, m, data, state, affinities):
    """Return the log density of the document's active affinities and labels."""
    label_first = data.label_starts[d]
    value = 0.0
    for k in range(m):
        away = affinities[k] - state.affinity_mean[data.nodes[label_first + k]]
        value += log_logistic(affinities[k]) - 0.5 * away * away / state.affinity_variance
    return value


@inner
def add_prior_gradient(d, m, data, state, affinities, gradient):
    """Add the gradient of that."""
    label_first = data.label_starts[d]
    for k in range(m):
        away = affinities[k] - state.affinity_mean[data.nodes[label_first + k]]
        gradient[k] += logistic(-affinities[k]) - away / state.affinity_variance


@inner
def log_density(d, n, m, data, state, theta, affinities, mixed):
    """Return the document's log density at affinities whose memberships are theta."""
    mix(d, n, m, data, state, theta, mixed)
    return word_log_likelihood(d, n, m, data, state, theta, mixed) + prior_log_density(
        d, m, data, state, affinities
    )


@inner
def density_gradient(d, n, m, data, state, theta, affinities, mixed, gradient):
    """Fill the gradient of the document's log density."""
    mix(d, n, m, data, state, theta, mixed)
    word_gradient(d, n, m, data, state, theta, mixed, gradient)
    add_prior_gradient(d, m, data, state, affinities, gradient)


@inner
def curvature_at(d, n, m, data, state, theta, affinities, mixed, out):
    """Fill the words' and labels' curvature, m x m flat."""
    first, place = data.starts[d], data.rate_starts[d]
    mix(d, n, m, data, state, theta, mixed)
    for k in range(m * m):
        out[k] = 0.0
    for word in range(n):
        total = mixed[word]
        w = data.counts[first + word]
        for k in range(m):
            excess = theta[k] * (state.gathered[place + k * n + word] / total - 1.0)
            for j in range(k + 1):
                other = theta[j] * (state.gathered[place + j * n + word] / total - 1.0)
                out[k * m + j] += w * excess * other
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
def update_affinities(data, state, address, step, splitting, accepted, energy, value, slopes):
    """Draw every document's active affinities by one trajectory; fill what each one did.

    `value` and `slopes`, by document and by label, are filled with the words' likelihood at the
    affinities that it leaves.
    """
    most, n_stages = data.most_labels, len(splitting.drifts)
    affinities, memberships = state.affinities, state.memberships
    for b in prange(len(data.bin_starts) - 1):
        mixed = np.empty(data.longest)
        lower = np.empty((most, most))
        work = np.empty((6, most))
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[place]
            n, m = sizes(d, data)
            position, theta, gradient = work[0, :m], work[1, :m], work[2, :m]
            momentum, velocity, end_slopes = work[3, :m], work[4, :m], work[5, :m]
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
            reached = 0.0
            before = 0.0
            change = 0.0
            for stage in range(n_stages + 1):
                mix(d, n, m, data, state, theta, mixed)
                if stage in (0, n_stages):  # no logarithm on the way
                    before = change
                    reached = word_log_likelihood(d, n, m, data, state, theta, mixed)
                    change = reached + prior_log_density(d, m, data, state, position)
                word_gradient(d, n, m, data, state, theta, mixed, gradient)
                if stage == 0:
                    change -= 0.5 * kinetic
                    value[d] = reached
                    for k in range(m):
                        slopes[label_first + k] = gradient[k]
                elif stage == n_stages:
                    for k in range(m):
                        end_slopes[k] = gradient[k]
                add_prior_gradient(d, m, data, state, position, gradient)
                kick = splitting.kicks[stage] * epsilon
                for k in range(m):
                    momentum[k] += kick * gradient[k]
                    velocity[k] = momentum[k]
                dense.solve(m, lower, velocity)
                if stage < n_stages:
                    drift = splitting.drifts[stage] * epsilon
                    for k in range(m):
                        position[k] += drift * velocity[k]
                    softmax(m, position, theta)
            kinetic = 0.0
            for k in range(m):
                kinetic += momentum[k] * velocity[k]
            change -= 0.5 * kinetic + before
            energy[d] = change
            accepted[d] = 0.0
            if math.isfinite(change):
                accepted[d] = min(1.0, math.exp(change))
                if math.log(u) < change:
                    value[d] = reached
                    for k in range(m):
                        slopes[label_first + k] = end_slopes[k]
                        affinities[label_first + k] = position[k]
                        memberships[label_first + k] = theta[k]


@parallel
def find_affinity_modes(data, state, n_iterations, tolerance, modes, curvature):
    """Find every document's mode by halved Newton steps, and the curvature there.

    `modes` holds where to start, and then the modes.
    """
    most = data.most_labels
    for b in prange(len(data.bin_starts) - 1):
        mixed = np.empty(data.longest)
        lower = np.empty((most, most))
        work = np.empty((4, most))
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[place]
            n, m = sizes(d, data)
            label_first, square = data.label_starts[d], data.square_starts[d]
            mode, own = modes[label_first : label_first + m], curvature[square : square + m * m]
            theta, gradient, move, trial = work[0, :m], work[1, :m], work[2, :m], work[3, :m]
            softmax(m, mode, theta)
            value = log_density(d, n, m, data, state, theta, mode, mixed)
            for _ in range(n_iterations):
                density_gradient(d, n, m, data, state, theta, mode, mixed, gradient)
                curvature_at(d, n, m, data, state, theta, mode, mixed, own)
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
                    reached = log_density(d, n, m, data, state, theta, trial, mixed)
                    if reached >= value + 1e-4 * size * slope:
                        break
                    size *= 0.5
                else:
                    break
                value = reached
                for k in range(m):
                    mode[k] = trial[k]
            softmax(m, mode, theta)
            curvature_at(d, n, m, data, state, theta, mode, mixed, own)


@parallel
def memberships_of(data, affinities, memberships):
    """Fill all memberships from the affinities."""
    for d in prange(len(data.label_starts) - 1):
        first, last = data.label_starts[d], data.label_starts[d + 1]
        softmax(last - first, affinities[first:last], memberships[first:last])
