"""The rate block with the paper's full Hessian: O(N^3) a word, the reference for the tree's.

The curvature is minus the likelihood's Hessian at the mode, diag(E beta - sum w r) + sum w r r',
with what is negative on that diagonal set to 0: it is then positive semidefinite, and the mass
positive definite whatever the dispersions become.
"""

from __future__ import annotations

import numpy as np

from frex.sampler.formulas.dense import cholesky, multiply_lower, solve
from frex.sampler.formulas.words import curvature_of
from frex.sampler.kernels import words
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.rates import decide, eight, n_variances, trajectories
from frex.sampler.kernels.vectors import LANES


@parallel("data.bin_order")
def curvature_at(stretch, data, state, modes, curvature):
    """Fill every word's curvature at its mode, N x N."""
    n_nodes = len(data.parents)
    for turn in range(*stretch):
        b = data.bin_order[turn]
        rates = np.empty(n_nodes)
        diagonal = np.empty(n_nodes)
        shares = np.empty((n_nodes, 2))  # of a token: nodes, and theta beta
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            nodes, theta = data.nodes, state.theta
            words.rates_of(modes[f], rates)
            words.add_offsets(f, data, rates)
            own = curvature[f]
            for i in range(n_nodes):
                diagonal[i] = curvature_of(rates[i], state.exposure[i])
                for j in range(n_nodes):
                    own[i, j] = 0.0
            start, more = data.label_starts[f], data.more_starts[f]
            first, middle, last = words.tokens_of(f, data)
            for token in range(first, last):
                end = start + 2
                if data.width:  # every document has all topics, and labels need no nodes
                    start = np.int64(data.firsts[token])
                    end = start + data.width
                elif token >= middle:
                    end = start + np.int64(data.sizes[more])
                    more += 1
                for label in range(start, end):
                    at = np.int64(1 + label - start if data.width else nodes[label])
                    shares[label - start, 0] = at
                    shares[label - start, 1] = theta[label] * rates[at]
                total = shares[: end - start, 1].sum()
                w = data.counts[token]
                for a in range(end - start):
                    node, share = np.int64(shares[a, 0]), shares[a, 1] / total
                    diagonal[node] -= w * share
                    for c in range(end - start):
                        own[node, np.int64(shares[c, 0])] += w * share * shares[c, 1] / total
                start = end
            for i in range(n_nodes):
                own[i, i] += max(diagonal[i], 0.0)


@inner
def prepare_dense(parents, chosen, precision, curvature, space):
    """Fill the workspace with the Cholesky factors of curvature + Lambda."""
    n_nodes = len(parents)
    for lane in range(LANES):
        own, lower = curvature[chosen[lane]], space[lane]
        for i in range(n_nodes):
            for j in range(i + 1):
                lower[i * n_nodes + j] = own[i, j]
        for i in range(n_nodes):
            t, p = precision[i, lane], parents[i]
            lower[i * n_nodes + i] += t
            if i > 0:
                lower[i * n_nodes + p] -= t
                lower[p * n_nodes + p] += t
        cholesky(n_nodes, lower)


@inner
def momenta_of_dense(parents, space, x):
    """Turn normals into momenta."""
    for lane in range(LANES):
        multiply_lower(len(parents), space[lane], x[:, lane])


@inner
def velocities_of_dense(parents, space, x):
    """Turn momenta into velocities."""
    for lane in range(LANES):
        solve(len(parents), space[lane], x[:, lane])


update_eight_dense = trajectories(prepare_dense, momenta_of_dense, velocities_of_dense)


@parallel("data.bin_order")
def update_rates(stretch, data, state, address, step, splitting, accepted, energy, value, slopes):
    """Draw every word's log rates by one trajectory; fill what each one did, and its likelihood."""
    n_nodes = len(data.parents)
    log_rates = state.log_rates
    chosen, own = np.empty(LANES, np.int64), eight(n_nodes, n_variances(state))
    space, one = np.empty((LANES, n_nodes * n_nodes)), np.empty((2, n_nodes))
    for turn in range(*stretch):
        b = data.bin_order[turn]
        mixed, end = np.empty(data.longest), data.bin_starts[b + 1]
        for place in range(data.bin_starts[b], end, LANES):
            n = words.choose(place, end, data.bin_words, chosen)
            update_eight_dense(
                chosen, n, data, state, address, step, splitting, own, space, one, mixed,
                value, slopes,
            )  # fmt: skip
            decide(chosen, n, own, log_rates, accepted, energy, value, slopes)
