"""The density of (log nu, log sigma2) when log rates and dispersions move along.

`model/interweaving.py`, words. Sums over words are taken bin by bin, in order.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from frex.sampler.kernels import rates as words
from frex.sampler.kernels.elementary import log
from frex.sampler.kernels.options import inner, parallel


class WordGaussians(NamedTuple):
    """What stands for the words' likelihoods; fixed after the warm-up."""

    curvature: Any  #: V x N, C
    pulls: Any  #: V x N, h
    group_precisions: Any  #: V x P
    group_pulls: Any  #: V x P


class Terms(NamedTuple):
    """What (nu, sigma2) says of every log tau2, with slopes in log nu; and the root's prior."""

    df: float
    log_scale: float  #: log nu sigma2
    mean: float  #: of log tau2
    mean_slope: float
    precision: float
    precision_slope: float
    constant: float  #: -(nu / 2) log 2 - log Gamma(nu / 2)
    constant_slope: float
    root_mean: float
    root_precision: float


class Dual(NamedTuple):
    """Arrays over nodes, or groups, with slopes in log nu and in log sigma2."""

    value: Any
    in_df: Any
    in_scale: Any


@inner
def dual(n):
    """Return room for n values and their slopes."""
    return Dual(np.empty(n), np.empty(n), np.empty(n))


@parallel
def match_words(data, state, modes, own_curvature, own_pulls):
    """Fill C, the diagonal of the curvature at the modes, and h = C mode + gradient."""
    n_nodes = len(data.parents)
    for b in prange(len(data.bin_starts) - 1):
        tokens = words.room(data.longest, data.width)
        rates, gradient = np.empty(n_nodes), np.empty(n_nodes)
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[spot]
            n_tokens = words.gather(f, data, state.memberships, tokens)
            words.rates_of(modes[f], rates)
            words.mix(n_tokens, tokens, rates)
            words.likelihood_gradient(f, n_tokens, data, state.exposure, tokens, rates, gradient)
            for i in range(n_nodes):
                own_curvature[f, i] = state.exposure[i] * rates[i]
                own_pulls[f, i] = own_curvature[f, i] * modes[f, i] + gradient[i]


@parallel
def match_dispersions(data, own, modes, dispersions, precisions, pulls):
    """Fill the information on every log tau2, and its pull, about the current dispersions."""
    for f in prange(len(modes)):
        a, b = own.curvature[f].copy(), own.pulls[f].copy()
        for g in range(precisions.shape[1]):
            precisions[f, g] = 0.0
            pulls[f, g] = 0.0
        for i in range(len(a) - 1, 0, -1):
            p, g = data.parents[i], data.groups[i]
            t = 1.0 / dispersions[f, g]
            w = a[i] / (a[i] + t)
            away = (b[i] - a[i] * modes[f, p]) * t / (a[i] + t)
            precisions[f, g] += 0.5 * w * w
            pulls[f, g] += 0.5 * (away * away / t - w)
            a[p] += t * w
            b[p] += t / (a[i] + t) * b[i]
        for g in range(precisions.shape[1]):
            pulls[f, g] += precisions[f, g] * math.log(dispersions[f, g])


@parallel
def standardise(data, own, terms, log_rates, dispersions, out, group_out):
    """Fill what the move holds fixed."""
    for f in prange(len(log_rates)):
        a, b = own.curvature[f].copy(), own.pulls[f].copy()
        for i in range(len(a) - 1, 0, -1):
            p = data.parents[i]
            t = 1.0 / dispersions[f, data.groups[i]]
            v = a[i] + t
            out[f, i] = (log_rates[f, i] - (b[i] + t * log_rates[f, p]) / v) * math.sqrt(v)
            a[p] += t / v * a[i]
            b[p] += t / v * b[i]
        v = a[0] + terms.root_precision
        centre = (b[0] + terms.root_precision * terms.root_mean) / v
        out[f, 0] = (log_rates[f, 0] - centre) * math.sqrt(v)
        for g in range(dispersions.shape[1]):
            v = own.group_precisions[f, g] + terms.precision
            centre = (own.group_pulls[f, g] + terms.precision * terms.mean) / v
            group_out[f, g] = (math.log(dispersions[f, g]) - centre) * math.sqrt(v)


@inner
def place_dispersions(f, n_children, own, terms, standardised, t):
    """Fill t = 1 / tau2 of a word's groups; return log prior plus log Jacobian, and its slopes.

    With them those of log t / 2 of every child, which are the prior's of the log rates.
    """
    half = 0.5 * terms.df
    value = 0.0
    in_df = 0.0
    in_scale = 0.0
    for g in range(len(t.value)):
        v = own.group_precisions[f, g] + terms.precision
        centre = (own.group_pulls[f, g] + terms.precision * terms.mean) / v
        away = standardised[f, g] / math.sqrt(v)
        share = terms.precision / v
        level = centre + away  # log tau2
        bend = (terms.mean - centre - 0.5 * away) / v
        slope = share * terms.mean_slope + bend * terms.precision_slope
        t.value[g] = math.exp(-level)
        t.in_df[g] = -t.value[g] * slope
        t.in_scale[g] = -t.value[g] * share
        log_chi2 = terms.log_scale - level
        chi2 = math.exp(log_chi2)
        value += half * log_chi2 - 0.5 * chi2 + terms.constant - 0.5 * math.log(v)
        in_df += half * log_chi2 + terms.constant_slope - 0.5 * terms.precision_slope / v
        in_df += (half - 0.5 * chi2) * (1.0 - slope) - 0.5 * n_children[g] * slope
        in_scale += (half - 0.5 * chi2) * (1.0 - share) - 0.5 * n_children[g] * share
    return value, in_df, in_scale


@inner
def eliminate(f, parents, groups, own, t, a, b, inverse):
    """Fill A and B of a word with their slopes, and 1 / (A + t), children before parents."""
    for i in range(len(parents)):
        a.value[i] = own.curvature[f, i]
        b.value[i] = own.pulls[f, i]
        a.in_df[i] = 0.0
        a.in_scale[i] = 0.0
        b.in_df[i] = 0.0
        b.in_scale[i] = 0.0
    for i in range(len(parents) - 1, 0, -1):
        p, g = parents[i], groups[i]
        r = 1.0 / (a.value[i] + t.value[g])
        inverse[i] = r
        share = t.value[g] * r
        share_df = (t.in_df[g] - share * (a.in_df[i] + t.in_df[g])) * r
        share_scale = (t.in_scale[g] - share * (a.in_scale[i] + t.in_scale[g])) * r
        a.in_df[p] += share_df * a.value[i] + share * a.in_df[i]
        a.in_scale[p] += share_scale * a.value[i] + share * a.in_scale[i]
        a.value[p] += share * a.value[i]
        b.in_df[p] += share_df * b.value[i] + share * b.in_df[i]
        b.in_scale[p] += share_scale * b.value[i] + share * b.in_scale[i]
        b.value[p] += share * b.value[i]


@inner
def place_log_rates(f, parents, groups, terms, standardised, t, a, b, inverse, mu):
    """Fill a word's log rates; return log prior plus log Jacobian, and its slopes.

    What stood in `inverse` becomes the ratio t / (A + t), whose logarithms are taken together.
    """
    r = 1.0 / (a.value[0] + terms.root_precision)
    centre = (b.value[0] + terms.root_precision * terms.root_mean) * r
    away = standardised[f, 0] * math.sqrt(r)
    turn = centre + 0.5 * away
    mu.value[0] = centre + away
    mu.in_df[0] = (b.in_df[0] - turn * a.in_df[0]) * r
    mu.in_scale[0] = (b.in_scale[0] - turn * a.in_scale[0]) * r
    pull = terms.root_precision * (mu.value[0] - terms.root_mean)
    value = -0.5 * pull * (mu.value[0] - terms.root_mean)
    in_df = -0.5 * a.in_df[0] * r - pull * mu.in_df[0]
    in_scale = -0.5 * a.in_scale[0] * r - pull * mu.in_scale[0]
    inverse[0] = r
    for i in range(1, len(parents)):
        p, g, r = parents[i], groups[i], inverse[i]
        v_df, v_scale = a.in_df[i] + t.in_df[g], a.in_scale[i] + t.in_scale[g]
        centre = (b.value[i] + t.value[g] * mu.value[p]) * r
        away = standardised[f, i] * math.sqrt(r)
        turn = centre + 0.5 * away
        mu.value[i] = centre + away
        mu.in_df[i] = (
            b.in_df[i] + t.in_df[g] * mu.value[p] + t.value[g] * mu.in_df[p] - turn * v_df
        ) * r
        mu.in_scale[i] = (
            b.in_scale[i] + t.in_scale[g] * mu.value[p] + t.value[g] * mu.in_scale[p]
            - turn * v_scale
        ) * r  # fmt: skip
        gap = mu.value[i] - mu.value[p]
        pull = t.value[g] * gap
        half_square = 0.5 * gap * gap
        value -= t.value[g] * half_square
        in_df -= 0.5 * v_df * r + t.in_df[g] * half_square + pull * (mu.in_df[i] - mu.in_df[p])
        in_scale -= 0.5 * v_scale * r + t.in_scale[g] * half_square
        in_scale -= pull * (mu.in_scale[i] - mu.in_scale[p])
        inverse[i] = t.value[g] * r
    for i in range(len(inverse)):
        value += 0.5 * log(inverse[i])
    return value, in_df, in_scale


@parallel
def word_density(
    data, state, own, terms, standardised, group_standardised, at, known,
    log_rates, dispersions, partial,
):  # fmt: skip
    """Words, prior of log rates and dispersions, and Jacobian, as (log nu, log sigma2) moves.

    `at` is the words' likelihood where it is known: at the log rates that the move starts from.
    `partial` is bins x 3: the value and its slopes. Log rates and dispersions are filled with those
    that go with what is held fixed.
    """
    n_nodes, n_groups = len(data.parents), own.group_precisions.shape[1]
    n_children = np.zeros(n_groups)
    for i in range(1, n_nodes):
        n_children[data.groups[i]] += 1.0
    for bin_ in prange(len(data.bin_starts) - 1):
        tokens = words.room(data.longest, data.width)
        rates, gradient = np.empty(n_nodes), np.empty(n_nodes)
        t, a, b, mu = dual(n_groups), dual(n_nodes), dual(n_nodes), dual(n_nodes)
        inverse = np.empty(n_nodes)
        for i in range(3):
            partial[bin_, i] = 0.0
        for spot in range(data.bin_starts[bin_], data.bin_starts[bin_ + 1]):
            f = data.bin_words[spot]
            above = place_dispersions(f, n_children, own, terms, group_standardised, t)
            eliminate(f, data.parents, data.groups, own, t, a, b, inverse)
            below = place_log_rates(
                f, data.parents, data.groups, terms, standardised, t, a, b, inverse, mu
            )
            for i in range(n_nodes):
                log_rates[f, i] = mu.value[i]
            for g in range(n_groups):
                dispersions[f, g] = 1.0 / t.value[g]
            if known:
                value = at.value[f]
                for i in range(n_nodes):
                    gradient[i] = at.slopes[f, i]
            else:
                n_tokens = words.gather(f, data, state.memberships, tokens)
                words.rates_of(mu.value, rates)
                words.mix(n_tokens, tokens, rates)
                words.likelihood_gradient(
                    f, n_tokens, data, state.exposure, tokens, rates, gradient
                )
                value = words.log_likelihood(
                    f, n_tokens, data, state.exposure, tokens, mu.value, rates
                )
            in_df = 0.0
            in_scale = 0.0
            for i in range(n_nodes):
                in_df += gradient[i] * mu.in_df[i]
                in_scale += gradient[i] * mu.in_scale[i]
            partial[bin_, 0] += value + above[0] + below[0]
            partial[bin_, 1] += in_df + above[1] + below[1]
            partial[bin_, 2] += in_scale + above[2] + below[2]
