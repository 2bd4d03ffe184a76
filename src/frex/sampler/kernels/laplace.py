"""The Gaussian about every word's mode: variances of log rates and of deviations, and draws.

They go down the tree in one pass.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from frex.sampler.formulas.elementary import root
from frex.sampler.formulas.rows import load, store
from frex.sampler.formulas.tree import deviation_variance, drawn_below, variance_below
from frex.sampler.kernels import tree as algebra
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.random import fill_normals
from frex.sampler.kernels.rates import TreeSpace, n_variances, prepare_tree, put_precisions
from frex.sampler.kernels.space import space
from frex.sampler.kernels.vectors import LANES
from frex.sampler.kernels.words import choose, precisions


@inner
def factored(f, data, state):
    """Return a word's inverse pivots and multipliers, and work space."""
    work = space(5, len(data.parents))
    precisions(f, data, state, work[0])
    algebra.factor(data.parents, work[0], state.curvature[f], work[1], work[2], work[3])
    return work[1], work[2], work[4]


@inner
def fill_variances(parents, inverses, multipliers, out):
    """Fill a word's variances, down the tree."""
    out[0] = inverses[0]
    for i in range(1, len(out)):
        out[i] = variance_below(inverses[i], multipliers[i], out[parents[i]])


@parallel("data.bin_words")
def deviation_variances(stretch, data, state, squares):
    """Add to each group's S what its children's deviations vary about the mode."""
    for spot in range(*stretch):
        f = data.bin_words[spot]
        inverses, multipliers, variances = factored(f, data, state)
        fill_variances(data.parents, inverses, multipliers, variances)
        for i in range(1, len(variances)):
            above = variances[data.parents[i]]
            if data.groups[i] < data.n_groups:
                squares[f, data.groups[i]] += deviation_variance(inverses[i], multipliers[i], above)


@parallel("data.bin_words")
def log_rate_variances(stretch, data, state, variances):
    """Fill every log rate's variance about the mode."""
    for spot in range(*stretch):
        f = data.bin_words[spot]
        inverses, multipliers, own = factored(f, data, state)
        fill_variances(data.parents, inverses, multipliers, own)
        for i in range(len(own)):
            variances[f, i] = own[i]


class DrawSpace(NamedTuple):
    """Work space of eight words: nodes x lanes each, and a row a group for their precisions."""

    precision: Any
    noise: Any
    groups: Any


@parallel("data.bin_words")
def draw_log_rates(stretch, data, state, modes, address, out):
    """Draw log rates from the Gaussian about the modes, eight words side by side."""
    parents, n_nodes = data.parents, len(data.parents)
    chosen, normals = np.empty(LANES, np.int64), np.empty(n_nodes)
    many = np.empty((6, n_nodes, LANES))
    own = DrawSpace(many[0], many[1], np.empty((n_variances(state), LANES)))
    factors = TreeSpace(many[2], many[3], many[4], many[5])
    for spot in range(stretch[0], stretch[1], LANES):
        n = choose(spot, stretch[1], data.bin_words, chosen)
        put_precisions(chosen, data, state, own)
        prepare_tree(parents, chosen, own.precision, state.curvature, factors)
        for lane in range(LANES):
            fill_normals(address.key, chosen[lane], address.scan, address.stream, 0, normals)
            for i in range(n_nodes):
                own.noise[i, lane] = normals[i]
        store(own.noise, 0, load(own.noise, 0) * root(load(factors.inverses, 0)))
        for i in range(1, n_nodes):
            above = load(own.noise, parents[i])
            inverse, multiplier = load(factors.inverses, i), load(factors.multipliers, i)
            store(own.noise, i, drawn_below(load(own.noise, i), inverse, multiplier, above))
        for lane in range(n):
            f = chosen[lane]
            for i in range(n_nodes):
                out[f, i] = modes[f, i] + own.noise[i, lane]
