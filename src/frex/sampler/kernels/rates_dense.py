"""The rate block with the paper's full Hessian: O(N^3) a word, the reference for the tree's.

The curvature is minus the likelihood's Hessian at the mode, diag(E beta - sum w r) + sum w r r',
with what is negative on that diagonal set to 0: it is then positive semidefinite, and the mass
positive definite whatever the dispersions become.
"""

from __future__ import annotations

import numpy as np
from numba import prange

from frex.sampler.kernels import dense
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.rates import acceptance, gather, rates_of, room, word_trajectory


@parallel
def curvature_at(data, state, modes, curvature):
    """Fill every word's curvature at its mode, N x N."""
    n_nodes = len(data.parents)
    for b in prange(len(data.bin_starts) - 1):
        tokens = room(data.longest)
        rates = np.empty(n_nodes)
        diagonal = np.empty(n_nodes)
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            n_tokens = gather(f, data, state.memberships, tokens)
            ends, nodes, theta = tokens.ends, tokens.nodes, tokens.theta
            rates_of(modes[f], rates)
            own = curvature[f]
            for i in range(n_nodes):
                diagonal[i] = state.exposure[i] * rates[i]
                for j in range(n_nodes):
                    own[i, j] = 0.0
            start = 0
            for token in range(n_tokens):
                total = 0.0
                for label in range(start, ends[token]):
                    total += theta[label] * rates[nodes[label]]
                w = data.counts[data.starts[f] + token]
                for a in range(start, ends[token]):
                    share = theta[a] * rates[nodes[a]] / total
                    diagonal[nodes[a]] -= w * share
                    for c in range(start, ends[token]):
                        other = theta[c] * rates[nodes[c]] / total
                        own[nodes[a], nodes[c]] += w * share * other
                start = ends[token]
            for i in range(n_nodes):
                own[i, i] += max(diagonal[i], 0.0)


@inner
def prepare_dense(parents, precision, curvature, space):
    """Fill the workspace with the Cholesky factor of curvature + Lambda."""
    n_nodes = len(parents)
    for i in range(n_nodes):
        for j in range(i + 1):
            space[i, j] = curvature[i, j]
    for i in range(n_nodes):
        space[i, i] += precision[i]
        if i > 0:
            space[i, parents[i]] -= precision[i]
            space[parents[i], parents[i]] += precision[i]
    dense.cholesky(n_nodes, space)


@inner
def colour_dense(parents, space, x):
    """Turn normals into momenta."""
    dense.multiply_lower(len(parents), space, x)


@inner
def solve_dense(parents, space, x):
    """Turn momenta into velocities."""
    dense.solve(len(parents), space, x)


update_word_dense = word_trajectory(prepare_dense, colour_dense, solve_dense)


@parallel
def update_rates(data, state, address, step, splitting, accepted, energy, value, slopes):
    """Draw every word's log rates by one trajectory; fill what each one did, and its likelihood."""
    n_nodes = len(data.parents)
    log_rates = state.log_rates
    for b in prange(len(data.bin_starts) - 1):
        tokens = room(data.longest)
        space = np.empty((n_nodes, n_nodes))
        work = np.empty((7, n_nodes))
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            energy[f] = update_word_dense(
                f, data, state, address, step[f], splitting,
                tokens, space, work, log_rates, value, slopes,
            )  # fmt: skip
            accepted[f] = acceptance(energy[f])
