"""The density of (log nu, log sigma2) when log rates and dispersions move along, on the GPU.

Twin of `kernels/interweaving_words.py`: a block has a word and its tree, a level at a time. Every
quantity has slopes in log nu and in log sigma2; arrays that hold all three have them as their first
axis, in this order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numba import cuda, float64

from frex.sampler.kernels.cuda.blocks import block_sum
from frex.sampler.kernels.cuda.elementary import exp
from frex.sampler.kernels.cuda.options import WORD_THREADS, device, kernel
from frex.sampler.kernels.cuda.rates import likelihood_slope, log_likelihood


class Gaussians(NamedTuple):
    """What stands for the words' likelihoods; fixed after the warm-up."""

    curvature: Any  #: V x N
    pulls: Any  #: V x N
    group_precisions: Any  #: V x P
    group_pulls: Any  #: V x P


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
        curvature = given.exposure[i] * path.rates[f, i]
        own.curvature[f, i] = curvature
        own.pulls[f, i] = curvature * modes[f, i] + likelihood_slope(f, i, words, given, path)


@device
def eliminated(f, i, tree, dispersions, a, b):
    """Fill A and B of a node from its children's."""
    for child in range(tree.child_starts[i], tree.child_starts[i + 1]):
        c = tree.children[child]
        t = 1.0 / dispersions[f, tree.groups[c]]
        share = t / (a[0, f, c] + t)
        a[0, f, i] += share * a[0, f, c]
        b[0, f, i] += share * b[0, f, c]


@device
def eliminate_at(f, tree, own, dispersions, a, b):
    """Fill A and B of a word at its dispersions, without slopes, children before parents."""
    for level in range(len(tree.level_starts) - 2, -1, -1):
        first = tree.level_starts[level] + cuda.threadIdx.x
        for spot in range(first, tree.level_starts[level + 1], cuda.blockDim.x):
            i = tree.level_nodes[spot]
            a[0, f, i] = own.curvature[f, i]
            b[0, f, i] = own.pulls[f, i]
            eliminated(f, i, tree, dispersions, a, b)
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
            w = a[0, f, c] / (a[0, f, c] + t)
            away = (b[0, f, c] - a[0, f, c] * modes[f, p]) * t / (a[0, f, c] + t)
            precision += 0.5 * w * w
            pull += 0.5 * (away * away / t - w)
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
        v = a[0, f, i] + t
        out[f, i] = (log_rates[f, i] - (b[0, f, i] + t * above) / v) * math.sqrt(v)
    for g in range(cuda.threadIdx.x, dispersions.shape[1], cuda.blockDim.x):
        v = own.group_precisions[f, g] + terms.precision
        centre = (own.group_pulls[f, g] + terms.precision * terms.mean) / v
        group_out[f, g] = (math.log(dispersions[f, g]) - centre) * math.sqrt(v)


@device
def place_dispersion(f, g, own, terms, standardised, t):
    """Fill 1 / tau2 of a group; return log prior plus log Jacobian, and its slopes."""
    half = 0.5 * terms.df
    v = own.group_precisions[f, g] + terms.precision
    centre = (own.group_pulls[f, g] + terms.precision * terms.mean) / v
    away = standardised[f, g] / math.sqrt(v)
    share = terms.precision / v
    level = centre + away  # log tau2
    bend = (terms.mean - centre - 0.5 * away) / v
    slope = share * terms.mean_slope + bend * terms.precision_slope
    given = math.exp(-level)
    t[0, f, g], t[1, f, g], t[2, f, g] = given, -given * slope, -given * share
    log_chi2 = terms.log_scale - level
    chi2 = math.exp(log_chi2)
    value = half * log_chi2 - 0.5 * chi2 + terms.constant - 0.5 * math.log(v)
    in_df = half * log_chi2 + terms.constant_slope - 0.5 * terms.precision_slope / v
    in_df += (half - 0.5 * chi2) * (1.0 - slope)
    in_scale = (half - 0.5 * chi2) * (1.0 - share)
    return value, in_df, in_scale


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
        v = a[0, f, c] + t[0, f, g]
        share = t[0, f, g] / v
        share_df = (t[1, f, g] - share * (a[1, f, c] + t[1, f, g])) / v
        share_scale = (t[2, f, g] - share * (a[2, f, c] + t[2, f, g])) / v
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
    v = a[0, f, 0] + terms.root_precision
    centre = (b[0, f, 0] + terms.root_precision * terms.root_mean) / v
    away = standardised[f, 0] / math.sqrt(v)
    turn = centre + 0.5 * away
    level = centre + away
    in_df, in_scale = (b[1, f, 0] - turn * a[1, f, 0]) / v, (b[2, f, 0] - turn * a[2, f, 0]) / v
    mu[0, f, 0], mu[1, f, 0], mu[2, f, 0] = level, in_df, in_scale
    pull = terms.root_precision * (level - terms.root_mean)
    return (
        -0.5 * (math.log(v) + pull * (level - terms.root_mean)),
        -0.5 * a[1, f, 0] / v - pull * in_df,
        -0.5 * a[2, f, 0] / v - pull * in_scale,
    )


@device
def place_node(f, i, tree, standardised, t, a, b, mu):
    """Fill a node's log rate, its parent's being there; return what `place_root` does."""
    p, g = tree.parents[i], tree.groups[i]
    t0, t1, t2 = t[0, f, g], t[1, f, g], t[2, f, g]
    m0, m1, m2 = mu[0, f, p], mu[1, f, p], mu[2, f, p]
    v = a[0, f, i] + t0
    v_df, v_scale = a[1, f, i] + t1, a[2, f, i] + t2
    centre = (b[0, f, i] + t0 * m0) / v
    away = standardised[f, i] / math.sqrt(v)
    turn = centre + 0.5 * away
    level = centre + away
    in_df = (b[1, f, i] + t1 * m0 + t0 * m1 - turn * v_df) / v
    in_scale = (b[2, f, i] + t2 * m0 + t0 * m2 - turn * v_scale) / v
    mu[0, f, i], mu[1, f, i], mu[2, f, i] = level, in_df, in_scale
    gap = level - m0
    half_square = 0.5 * gap * gap
    return (
        0.5 * math.log(t0 / v) - t0 * half_square,
        0.5 * (t1 / t0 - v_df / v) - t1 * half_square - t0 * gap * (in_df - m1),
        0.5 * (t2 / t0 - v_scale / v) - t2 * half_square - t0 * gap * (in_scale - m2),
    )


@kernel
def place_words(tree, own, terms, standardised, group_standardised, work, path):
    """Fill every word's dispersions and log rates, and its prior and Jacobian, with all slopes."""
    buffer = cuda.shared.array(WORD_THREADS, float64)
    f, first, stride = cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x
    t, a, b, mu = work.t, work.a, work.b, work.mu
    value = 0.0
    in_df = 0.0
    in_scale = 0.0
    for g in range(first, t.shape[2], stride):
        part = place_dispersion(f, g, own, terms, group_standardised, t)
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
