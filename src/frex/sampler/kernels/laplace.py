"""The Gaussian about every word's mode: variances of log rates and of deviations, and draws.

Given its parent a node is Normal(m_i x_parent, 1 / d_i), with the pivots d and multipliers m of the
tree's factor: variances go down the tree in one pass.
"""

from __future__ import annotations

import math

from frex.sampler.kernels import tree as algebra
from frex.sampler.kernels.options import parallel
from frex.sampler.kernels.random import fill_normals
from frex.sampler.kernels.space import space
from frex.sampler.kernels.words import precisions


@parallel("data.bin_words")
def deviation_variances(stretch, data, state, squares):
    """Add to each group's S what its children's deviations vary about the mode."""
    n_nodes = len(data.parents)
    for spot in range(*stretch):
        f = data.bin_words[spot]
        work = space(5, n_nodes)
        precision, inverses, multipliers, spare, variance = (
            work[0],
            work[1],
            work[2],
            work[3],
            work[4],
        )
        precisions(f, data, state, precision)
        algebra.factor(data.parents, precision, state.curvature[f], inverses, multipliers, spare)
        variance[0] = inverses[0]
        for i in range(1, n_nodes):
            above, m = variance[data.parents[i]], multipliers[i]
            variance[i] = m * m * above + inverses[i]
            squares[f, data.groups[i]] += (1.0 - m) ** 2 * above + inverses[i]


@parallel("data.bin_words")
def log_rate_variances(stretch, data, state, variances):
    """Fill every log rate's variance about the mode."""
    n_nodes = len(data.parents)
    for spot in range(*stretch):
        f = data.bin_words[spot]
        work = space(5, n_nodes)
        precision, inverses, multipliers, spare, own = work[0], work[1], work[2], work[3], work[4]
        precisions(f, data, state, precision)
        algebra.factor(data.parents, precision, state.curvature[f], inverses, multipliers, spare)
        own[0] = inverses[0]
        for i in range(1, n_nodes):
            m = multipliers[i]
            own[i] = m * m * own[data.parents[i]] + inverses[i]
        for i in range(n_nodes):
            variances[f, i] = own[i]


@parallel("data.bin_words")
def draw_log_rates(stretch, data, state, modes, address, out):
    """Draw log rates from the Gaussian about the modes."""
    n_nodes = len(data.parents)
    for spot in range(*stretch):
        f = data.bin_words[spot]
        work = space(5, n_nodes)
        precision, inverses, multipliers, spare, noise = work[0], work[1], work[2], work[3], work[4]
        precisions(f, data, state, precision)
        algebra.factor(data.parents, precision, state.curvature[f], inverses, multipliers, spare)
        fill_normals(address.key, f, address.scan, address.stream, 0, noise)
        noise[0] *= math.sqrt(inverses[0])
        for i in range(1, n_nodes):
            noise[i] = noise[i] * math.sqrt(inverses[i]) + multipliers[i] * noise[data.parents[i]]
        for i in range(n_nodes):
            out[f, i] = modes[f, i] + noise[i]
