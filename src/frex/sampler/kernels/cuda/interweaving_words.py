"""The density of (log nu, log sigma2) when log rates and dispersions move along, on the GPU.

As `kernels/interweaving_words.py`: a block has a word and its tree, a level at a time. Every
quantity has slopes in log nu and in log sigma2; arrays that hold all three have them as their first
axis, in this order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numba import cuda, float64

from frex.sampler.formulas.elementary import exp
from frex.sampler.formulas.interweaving_words import (
    dispersion_information,
    group_level,
    group_terms,
    held_dispersion,
    held_log_rate,
    node_at,
    pulled_pull,
    root_at,
    share_of,
    share_slopes,
)
from frex.sampler.formulas.words import curvature_of
from frex.sampler.kernels.cuda.blocks import block_sum
from frex.sampler.kernels.cuda.options import WORD_THREADS, device, kernel
from frex.sampler.kernels.cuda.rates import likelihood_slope, log_likelihood


class Work(NamedTuple):
    """The words' numbers on the way, each with its slopes."""

    t: Any  #: 3 x V x P, 1 / tau2
    a: Any  #: 3 x V x N
    b: Any  #: 3 x V x N
    mu: Any  #: 3 x V x N
    terms: Any  #: 3 x V, each word's part of the density


@kernel
def match_words(words, given, modes, path, own):
    """Fill C, the diagonal of the curvature at the modes, and h = C mode + gradient."""
    f = cuda.blockIdx.x
    for i in range(cuda.threadIdx.x, modes.shape[1], cuda.blockDim.x):
        curvature = curvature_of(path.rates[f, i], given.exposure[i])
        slope = likelihood_slope(f, i, words, given, path)
        own.curvature[f, i] = curvature
        own.pulls[f, i] = pulled_pull(curvature, modes[f, i], slope)


@device
def eliminate_at(f, tree, own, dispersions, a, b):
    """Fill A and B of a word at its dispersions, without slopes, children before parents."""
    for level in range(len(tree.level_starts) - 2, -1, -1):
        first = tree.level_starts[level] + cuda.threadIdx.x
        for spot in range(first, tree.level_starts[level + 1], cuda.blockDim.x):
            i = tree.level_nodes[spot]
            a[0, f, i] = own.curvature[f, i]
            b[0, f, i] = own.pulls[f, i]
            for child in range(tree.child_starts[i], tree.child_starts[i + 1]):
                c = tree.children[child]
                share, _ = share_of(a[0, f, c], 1.0 / dispersions[f, tree.groups[c]])
                a[0, f, i] += share * a[0, f, c]
                b[0, f, i] += share * b[0, f, c]
        cuda.syncthreads()


@kernel
def match_dispersions(tree, own, group_parents, modes, dispersions, work):
    """Fill the information on every log tau2, and its pull, about the current dispersions."""
    f = cuda.blockIdx.x
    a, b = work.a, work.b
    eliminate_at(f, tree, own, dispersions, a, b)
    for g in range(cuda.threadIdx.x, len(group_parents), cuda.blockDim.x):
        p, t = group_parents[g], 1.0 / dispersions[f, g]
        precision = 0.0
        pull = 0.0
        for child in range(tree.child_starts[p], tree.child_starts[p + 1]):
            c = tree.children[child]
            information, slope = dispersion_information(a[0, f, c], b[0, f, c], t, modes[f, p])
            precision += information
            pull += slope
        own.group_precisions[f, g] = precision
        own.group_pulls[f, g] = pull + precision * math.log(dispersions[f, g])


@kernel
def standardise(tree, own, terms, log_rates, dispersions, work, out, group_out):
    """Fill what the move holds fixed."""
    f = cuda.blockIdx.x
    a, b = work.a, work.b
    eliminate_at(f, tree, own, dispersions, a, b)
    for i in range(cuda.threadIdx.x, log_rates.shape[1], cuda.blockDim.x):
        t = terms.root_precision if i == 0 else 1.0 / dispersions[f, tree.groups[i]]
        above = terms.root_mean if i == 0 else log_rates[f, tree.parents[i]]
        out[f, i] = held_log_rate(log_rates[f, i], a[0, f, i], b[0, f, i], t, above)
    for g in range(cuda.threadIdx.x, dispersions.shape[1], cuda.blockDim.x):
        group_out[f, g] = held_dispersion(
            math.log(dispersions[f, g]), own.group_precisions[f, g], own.group_pulls[f, g], terms
        )


@device
def place_dispersion(f, g, own, terms, standardised, n_children, t):
    """Fill 1 / tau2 of a group; return log prior plus log Jacobian, and its slopes."""
    level, slope, share, r = group_level(
        standardised[f, g], own.group_precisions[f, g], own.group_pulls[f, g], terms
    )
    given = exp(-level)
    t[0, f, g], t[1, f, g], t[2, f, g] = given, -given * slope, -given * share
    value, in_df, in_scale = group_terms(
        level, slope, share, r, given, n_children[g], 0.5 * terms.df, math.exp(terms.log_scale),
        terms,
    )  # fmt: skip
    return value + 0.5 * math.log(r), in_df, in_scale


@device
def eliminate(f, i, tree, own, t, a, b):
    """Fill A and B of a node with their slopes, from its children's."""
    a0, b0 = own.curvature[f, i], own.pulls[f, i]
    a1 = 0.0
    a2 = 0.0
    b1 = 0.0
    b2 = 0.0
    for child in range(tree.child_starts[i], tree.child_starts[i + 1]):
        c = tree.children[child]
        g = tree.groups[c]
        share, r = share_of(a[0, f, c], t[0, f, g])
        share_df, share_scale = share_slopes(
            t[1, f, g], t[2, f, g], a[1, f, c], a[2, f, c], share, r
        )
        a1 += share_df * a[0, f, c] + share * a[1, f, c]
        a2 += share_scale * a[0, f, c] + share * a[2, f, c]
        a0 += share * a[0, f, c]
        b1 += share_df * b[0, f, c] + share * b[1, f, c]
        b2 += share_scale * b[0, f, c] + share * b[2, f, c]
        b0 += share * b[0, f, c]
    a[0, f, i], a[1, f, i], a[2, f, i] = a0, a1, a2
    b[0, f, i], b[1, f, i], b[2, f, i] = b0, b1, b2


@device
def place_root(f, terms, standardised, a, b, mu):
    """Fill a word's root; return log prior plus log Jacobian, and its slopes."""
    level, level_df, level_scale, value, in_df, in_scale, r = root_at(
        standardised[f, 0], a[0, f, 0], a[1, f, 0], a[2, f, 0],
        b[0, f, 0], b[1, f, 0], b[2, f, 0], terms.root_precision, terms.root_mean,
    )  # fmt: skip
    mu[0, f, 0], mu[1, f, 0], mu[2, f, 0] = level, level_df, level_scale
    return value + 0.5 * math.log(r), in_df, in_scale


@device
def place_node(f, i, tree, standardised, t, a, b, mu):
    """Fill a node's log rate, its parent's being there; return what `place_root` does."""
    p, g = tree.parents[i], tree.groups[i]
    _, r = share_of(a[0, f, i], t[0, f, g])
    level, level_df, level_scale, less, less_df, less_scale = node_at(
        standardised[f, i], r, a[1, f, i], a[2, f, i], b[0, f, i], b[1, f, i], b[2, f, i],
        t[0, f, g], t[1, f, g], t[2, f, g], mu[0, f, p], mu[1, f, p], mu[2, f, p],
    )  # fmt: skip
    mu[0, f, i], mu[1, f, i], mu[2, f, i] = level, level_df, level_scale
    return 0.5 * math.log(t[0, f, g] * r) - less, -less_df, -less_scale


@kernel
def place_words(tree, own, terms, n_children, standardised, group_standardised, work, path):
    """Fill every word's dispersions and log rates, and its prior and Jacobian, with all slopes."""
    buffer = cuda.shared.array(WORD_THREADS, float64)
    f, first, stride = cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x
    t, a, b, mu = work.t, work.a, work.b, work.mu
    value = 0.0
    in_df = 0.0
    in_scale = 0.0
    for g in range(first, t.shape[2], stride):
        part = place_dispersion(f, g, own, terms, group_standardised, n_children, t)
        value += part[0]
        in_df += part[1]
        in_scale += part[2]
    cuda.syncthreads()
    n_levels = len(tree.level_starts) - 1
    for level in range(n_levels - 1, -1, -1):
        for spot in range(tree.level_starts[level] + first, tree.level_starts[level + 1], stride):
            eliminate(f, tree.level_nodes[spot], tree, own, t, a, b)
        cuda.syncthreads()
    for level in range(n_levels):
        for spot in range(tree.level_starts[level] + first, tree.level_starts[level + 1], stride):
            i = tree.level_nodes[spot]
            if i == 0:
                part = place_root(f, terms, standardised, a, b, mu)
            else:
                part = place_node(f, i, tree, standardised, t, a, b, mu)
            value += part[0]
            in_df += part[1]
            in_scale += part[2]
            path.position[f, i] = mu[0, f, i]
            path.rates[f, i] = exp(mu[0, f, i])
        cuda.syncthreads()
    value = block_sum(value, buffer)
    in_df, in_scale = block_sum(in_df, buffer), block_sum(in_scale, buffer)
    if first == 0:
        work.terms[0, f], work.terms[1, f], work.terms[2, f] = value, in_df, in_scale
        path.moving[f] = 1


@kernel
def add_likelihood(words, given, path, known, is_known, work):
    """Add each word's likelihood and its slopes, as they are known or as the stretches have them.

    It is known at the log rates that the move starts from.
    """
    buffer = cuda.shared.array(WORD_THREADS, float64)
    f = cuda.blockIdx.x
    value = known.value[f] if is_known else log_likelihood(f, words, given, path, buffer)
    in_df = 0.0
    in_scale = 0.0
    for i in range(cuda.threadIdx.x, path.rates.shape[1], cuda.blockDim.x):
        slope = known.slopes[f, i] if is_known else likelihood_slope(f, i, words, given, path)
        in_df += slope * work.mu[1, f, i]
        in_scale += slope * work.mu[2, f, i]
    in_df, in_scale = block_sum(in_df, buffer), block_sum(in_scale, buffer)
    if cuda.threadIdx.x == 0:
        work.terms[0, f] += value
        work.terms[1, f] += in_df
        work.terms[2, f] += in_scale


@kernel
def take(work, log_rates, dispersions):
    """Take over the log rates and dispersions of the last `place_words`."""
    f = cuda.blockIdx.x
    for i in range(cuda.threadIdx.x, log_rates.shape[1], cuda.blockDim.x):
        log_rates[f, i] = work.mu[0, f, i]
    for g in range(cuda.threadIdx.x, dispersions.shape[1], cuda.blockDim.x):
        dispersions[f, g] = 1.0 / work.t[0, f, g]
