"""Densities of the two interweaving moves, which carry many items along with a hyperparameter.

Each returns a sum over items and its derivative, taken bin by bin in order.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from frex.sampler.kernels import affinities as documents
from frex.sampler.kernels import rates as words
from frex.sampler.kernels.options import inner, parallel


@parallel
def affinity_density(data, state, standardised, affinity_mean, affinity_sd, partial):
    """Words and labels at xi = eta + lambda z, as a function of (eta, log lambda).

    `partial` is bins x (N + 2): derivatives in eta by node (the root's slot stays 0), in
    log lambda, and the value.
    """
    most = data.most_labels
    n_nodes = len(affinity_mean)
    for b in prange(len(data.bin_starts) - 1):
        buffer = np.empty(data.longest)
        work = np.empty((3, most))
        for i in range(n_nodes + 2):
            partial[b, i] = 0.0
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[place]
            n, m = documents.gather(d, data, state.rates, buffer)
            position, theta, gradient = work[0, :m], work[1, :m], work[2, :m]
            first = data.label_starts[d]
            for k in range(m):
                position[k] = (
                    affinity_mean[data.nodes[first + k]] + affinity_sd * standardised[first + k]
                )
            documents.softmax(m, position, theta)
            value = documents.word_log_likelihood(d, n, m, data, state, buffer, theta)
            documents.word_gradient(d, n, m, data, state, buffer, theta, gradient)
            for k in range(m):
                value += documents.log_logistic(position[k])
                slope = gradient[k] + documents.logistic(-position[k])
                partial[b, data.nodes[first + k]] += slope
                partial[b, n_nodes] += slope * affinity_sd * standardised[first + k]
            partial[b, n_nodes + 1] += value


@inner
def scale_weak(factor, parents, groups, weak, log_rates, out):
    """Fill log rates whose deviations in weak groups are multiplied; descendants move along."""
    out[0] = log_rates[0]
    for i in range(1, len(parents)):
        away = log_rates[i] - log_rates[parents[i]]
        if weak[groups[i]]:
            away *= factor
        out[i] = out[parents[i]] + away


@parallel
def scaled_likelihood(data, state, weak, factor, partial):
    """Word likelihood when the weak groups' deviations are multiplied by a factor c.

    `partial` is bins x 2: the value and its derivative in log c.
    """
    n_nodes = len(data.parents)
    for b in prange(len(data.bin_starts) - 1):
        ends = np.empty(data.longest, np.int64)
        nodes = np.empty(data.longest, np.int32)
        theta = np.empty(data.longest)
        work = np.empty((4, n_nodes))
        position, rates, gradient, carried = work[0], work[1], work[2], work[3]
        partial[b, 0] = 0.0
        partial[b, 1] = 0.0
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            n_tokens = words.gather(f, data, state.memberships, ends, nodes, theta)
            scale_weak(factor, data.parents, data.groups, weak[f], state.log_rates[f], position)
            words.rates_of(position, rates)
            partial[b, 0] += words.log_likelihood(
                f, n_tokens, data, state.exposure, ends, nodes, theta, position, rates
            )
            words.likelihood_gradient(
                f, n_tokens, data, state.exposure, ends, nodes, theta, rates, gradient
            )
            carried[0] = 0.0
            for i in range(1, n_nodes):
                p = data.parents[i]
                carried[i] = carried[p]
                if weak[f, data.groups[i]]:
                    carried[i] += position[i] - position[p]
                partial[b, 1] += gradient[i] * carried[i]


@parallel
def apply_scaling(data, log_rates, weak, factor):
    """Multiply the weak groups' deviations of every word, in place."""
    for f in prange(len(log_rates)):
        moved = np.empty(log_rates.shape[1])
        scale_weak(factor, data.parents, data.groups, weak[f], log_rates[f], moved)
        log_rates[f] = moved


@parallel
def weak_groups(data, rates, exposure, threshold, weak):
    """Mark the groups whose subtree expects fewer counts than a threshold, sum E_j beta_fj."""
    n_nodes = len(data.parents)
    for f in prange(len(rates)):
        expected = np.empty(n_nodes)
        for i in range(n_nodes):
            expected[i] = exposure[i] * rates[f, i]
        below = np.zeros(n_nodes)  # of a node's descendants, without its own
        for i in range(n_nodes - 1, 0, -1):
            below[data.parents[i]] += expected[i] + below[i]
        for i in range(1, n_nodes):
            weak[f, data.groups[i]] = below[data.parents[i]] < threshold
