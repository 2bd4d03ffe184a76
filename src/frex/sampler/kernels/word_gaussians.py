"""What stands for the words' likelihoods when nu and sigma2 move them, and what a move holds fixed.

`model/interweaving.py`, words.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from frex.sampler.kernels import words
from frex.sampler.kernels.options import apart, once, parallel
from frex.sampler.kernels.space import space as rows
from frex.sampler.kernels.vectors import LANES, load, log, root, store


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
    """Values of eight words by node, or group, with slopes in log nu and in log sigma2."""

    value: Any
    in_df: Any
    in_scale: Any


class Eight(NamedTuple):
    """Work space of eight words: groups x lanes, nodes x lanes, then a row of lanes each."""

    t: Dual  #: 1 / tau2, the precision of a group's log rates
    a: Dual  #: A, what lies below a node knows of it
    b: Dual  #: B, its pull
    mu: Dual  #: the log rates
    group_held: Any
    group_precisions: Any
    group_pulls: Any
    levels: Any  #: log tau2
    shares: Any  #: how far they move with their prior mean
    slopes: Any  #: and with log nu
    group_inverses: Any
    held: Any
    inverses: Any  #: 1 / (A + t)
    rates: Any
    gradient: Any
    single: Any
    logs: Any  #: of the tokens
    value: Any
    in_df: Any
    in_scale: Any
    flat_t: Any  #: one lane behind the other
    flat_mu: Any
    flat_rates: Any


@once
def eight(n_nodes, n_groups):
    """Return work space."""
    g, n = np.empty((10, n_groups, LANES)), np.empty((14, n_nodes, LANES))
    r = np.zeros((4, 1, LANES))
    return Eight(
        Dual(g[0], g[1], g[2]), Dual(n[0], n[1], n[2]), Dual(n[3], n[4], n[5]),
        Dual(n[6], n[7], n[8]), g[3], g[4], g[5], g[6], g[7], g[8], g[9],
        n[9], n[10], n[11], n[12], n[13], r[0], r[1], r[2], r[3],
        g[0].reshape(-1), n[6].reshape(-1), n[11].reshape(-1),
    )  # fmt: skip


@apart
def logs_of(x):
    """Replace numbers by their logarithms."""
    for i in range(len(x)):
        store(x, i, log(load(x, i)))


@parallel("data.turns")
def match_words(stretch, data, state, modes, own_curvature, own_pulls):
    """Fill C, the diagonal of the curvature at the modes, and h = C mode + gradient."""
    n_nodes = len(data.parents)
    for turn in range(*stretch):
        b = data.turns[turn]
        work, mixed = rows(2, n_nodes), np.empty(data.longest)
        rates, gradient = work[0], work[1]
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[spot]
            words.likelihood(f, data, state, modes[f], rates, gradient, mixed)
            for i in range(n_nodes):
                own_curvature[f, i] = state.exposure[i] * rates[i]
                own_pulls[f, i] = own_curvature[f, i] * modes[f, i] + gradient[i]


@parallel("data.bin_words")
def match_dispersions(stretch, data, own, modes, dispersions, precisions, pulls):
    """Fill the information on every log tau2, and its pull, about the current dispersions."""
    for spot in range(*stretch):
        f = data.bin_words[spot]
        a, b = np.empty(modes.shape[1]), np.empty(modes.shape[1])
        for i in range(len(a)):
            a[i] = own.curvature[f, i]
            b[i] = own.pulls[f, i]
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


@parallel("data.turns")
def standardise(stretch, data, own, terms, log_rates, dispersions, out, group_out):
    """Fill what the move holds fixed."""
    n_nodes, n_groups = len(data.parents), dispersions.shape[1]
    for turn in range(*stretch):
        b = data.turns[turn]
        chosen, space = np.empty(LANES, np.int64), eight(n_nodes, n_groups)
        end = data.bin_starts[b + 1]
        for place in range(data.bin_starts[b], end, LANES):
            n = words.choose(place, end, data.bin_words, chosen)
            words.put_side_by_side(chosen, dispersions, space.t.value)
            words.put_side_by_side(chosen, log_rates, space.mu.value)
            for g in range(n_groups):
                store(space.levels, g, load(space.t.value, g))
                store(space.t.value, g, 1.0 / load(space.t.value, g))
            standardise_log_rates(chosen, data.parents, data.groups, own, terms, space)
            standardise_dispersions(chosen, own, terms, space)
            words.leave(chosen, n, space.held, out)
            words.leave(chosen, n, space.group_held, group_out)


@once
def standardise_log_rates(chosen, parents, groups, own, terms, space):
    """Fill what is held fixed of eight words' log rates, children before parents."""
    a, b, t, mu = space.a.value, space.b.value, space.t.value, space.mu.value
    words.put_side_by_side(chosen, own.curvature, a)
    words.put_side_by_side(chosen, own.pulls, b)
    p = 0
    below, pulled = load(a, 0), load(b, 0)
    for i in range(len(parents) - 1, 0, -1):
        if parents[i] != p:
            store(a, p, below)
            store(b, p, pulled)
            p = parents[i]
            below, pulled = load(a, p), load(b, p)
        own_t = load(t, groups[i])
        v = load(a, i) + own_t
        inverse = 1.0 / v
        centre = (load(b, i) + own_t * load(mu, p)) * inverse
        store(space.held, i, (load(mu, i) - centre) * root(v))
        share = own_t * inverse
        below = below + share * load(a, i)
        pulled = pulled + share * load(b, i)
    v = below + terms.root_precision
    centre = (pulled + terms.root_precision * terms.root_mean) / v
    store(space.held, 0, (load(mu, 0) - centre) * root(v))


@once
def standardise_dispersions(chosen, own, terms, space):
    """Fill what is held fixed of eight words' log dispersions; `levels` holds tau2."""
    words.put_side_by_side(chosen, own.group_precisions, space.group_precisions)
    words.put_side_by_side(chosen, own.group_pulls, space.group_pulls)
    logs_of(space.levels)
    for g in range(len(space.levels)):
        v = load(space.group_precisions, g) + terms.precision
        centre = (load(space.group_pulls, g) + terms.precision * terms.mean) / v
        store(space.group_held, g, (load(space.levels, g) - centre) * root(v))
