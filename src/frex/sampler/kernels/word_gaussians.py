"""What stands for the words' likelihoods when nu and sigma2 move them, and what a move holds fixed.

`model/interweaving.py`, words.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from frex.sampler.formulas.elementary import log
from frex.sampler.formulas.interweaving_words import (
    dispersion_information,
    held_dispersion,
    held_log_rate,
    pulled_pull,
    share_of,
)
from frex.sampler.formulas.rows import load, store
from frex.sampler.formulas.words import curvature_of
from frex.sampler.kernels import words
from frex.sampler.kernels.options import inlined, parallel, routine
from frex.sampler.kernels.space import space as rows
from frex.sampler.kernels.tree import turn_to
from frex.sampler.kernels.vectors import LANES


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
    factors: Any  #: exp of the offsets
    root_precision: Any
    logs: Any  #: of the tokens
    value: Any
    in_df: Any
    in_scale: Any
    flat_t: Any  #: one lane behind the other
    flat_mu: Any
    flat_rates: Any


@inlined
def eight(n_nodes, n_groups, n_fixed):
    """Return work space; t has rows for variances that do not move, behind the groups'."""
    t, g = np.empty((3, n_groups + n_fixed, LANES)), np.empty((7, n_groups, LANES))
    n, r = np.empty((15, n_nodes, LANES)), np.zeros((5, 1, LANES))
    return Eight(
        Dual(t[0], t[1], t[2]), Dual(n[0], n[1], n[2]), Dual(n[3], n[4], n[5]),
        Dual(n[6], n[7], n[8]), g[0], g[1], g[2], g[3], g[4], g[5], g[6],
        n[9], n[10], n[11], n[12], n[13], n[14], r[4], r[0], r[1], r[2], r[3],
        t[0, :n_groups].reshape(-1), n[6].reshape(-1), n[11].reshape(-1),
    )  # fmt: skip


@inlined
def put_fixed(chosen, fixed, n_groups, terms, space):
    """Fill the precisions that do not move, of which the root's is one."""
    t = space.t
    for lane in range(LANES):
        space.root_precision[0, lane] = terms.root_precision
    if len(fixed) > 0:
        words.put_below(chosen, fixed, n_groups, t.value)
        for row in range(n_groups, len(t.value)):
            store(t.value, row, 1.0 / load(t.value, row))
            for lane in range(LANES):
                t.in_df[row, lane] = 0.0
                t.in_scale[row, lane] = 0.0
        store(space.root_precision, 0, load(t.value, n_groups))


@routine
def logs_of(x):
    """Replace numbers by their logarithms."""
    for i in range(len(x)):
        store(x, i, log(load(x, i)))


@parallel("data.bin_order")
def match_words(stretch, data, state, modes, own_curvature, own_pulls):
    """Fill C, the diagonal of the curvature at the modes, and h = C mode + gradient."""
    n_nodes = len(data.parents)
    for turn in range(*stretch):
        b = data.bin_order[turn]
        work, mixed = rows(2, n_nodes), np.empty(data.longest)
        rates, gradient = work[0], work[1]
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[spot]
            words.likelihood(f, data, state, modes[f], rates, gradient, mixed)
            for i in range(n_nodes):
                own_curvature[f, i] = curvature_of(rates[i], state.exposure[i])
                own_pulls[f, i] = pulled_pull(own_curvature[f, i], modes[f, i], gradient[i])


@parallel("data.bin_words")
def match_dispersions(stretch, data, own, modes, dispersions, fixed, precisions, pulls):
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
            t = 1.0 / words.variance_of(f, g, dispersions, fixed)
            if g < data.n_groups:
                information, slope = dispersion_information(a[i], b[i], t, modes[f, p])
                precisions[f, g] += information
                pulls[f, g] += slope
            share, _ = share_of(a[i], t)
            a[p] += share * a[i]
            b[p] += share * b[i]
        for g in range(precisions.shape[1]):
            pulls[f, g] += precisions[f, g] * math.log(dispersions[f, g])


@parallel("data.bin_order")
def standardise(stretch, data, own, terms, log_rates, dispersions, fixed, out, group_out):
    """Fill what the move holds fixed."""
    n_nodes, n_groups = len(data.parents), dispersions.shape[1]
    chosen, space = np.empty(LANES, np.int64), eight(n_nodes, n_groups, fixed.shape[1])
    for turn in range(*stretch):
        b = data.bin_order[turn]
        end = data.bin_starts[b + 1]
        for place in range(data.bin_starts[b], end, LANES):
            n = words.choose(place, end, data.bin_words, chosen)
            words.put_side_by_side(chosen, dispersions, space.t.value)
            words.put_side_by_side(chosen, log_rates, space.mu.value)
            for g in range(n_groups):
                store(space.levels, g, load(space.t.value, g))
                store(space.t.value, g, 1.0 / load(space.t.value, g))
            put_fixed(chosen, fixed, n_groups, terms, space)
            standardise_log_rates(chosen, data.parents, data.groups, own, terms, space)
            standardise_dispersions(chosen, own, terms, space)
            words.leave(chosen, n, space.held, out)
            words.leave(chosen, n, space.group_held, group_out)


@inlined
def standardise_log_rates(chosen, parents, groups, own, terms, space):
    """Fill what is held fixed of eight words' log rates, children before parents."""
    a, b, t, mu = space.a.value, space.b.value, space.t.value, space.mu.value
    words.put_side_by_side(chosen, own.curvature, a)
    words.put_side_by_side(chosen, own.pulls, b)
    p, below, pulled = 0, load(a, 0), load(b, 0)
    for i in range(len(parents) - 1, 0, -1):
        _, below = turn_to(parents[i], p, below, a)
        p, pulled = turn_to(parents[i], p, pulled, b)
        own_a, own_b, own_t = load(a, i), load(b, i), load(t, groups[i])
        store(space.held, i, held_log_rate(load(mu, i), own_a, own_b, own_t, load(mu, p)))
        share, _ = share_of(own_a, own_t)
        below = below + share * own_a
        pulled = pulled + share * own_b
    precision = load(space.root_precision, 0)
    top = held_log_rate(load(mu, 0), below, pulled, precision, terms.root_mean)
    store(space.held, 0, top)


@inlined
def standardise_dispersions(chosen, own, terms, space):
    """Fill what is held fixed of eight words' log dispersions; `levels` holds tau2."""
    words.put_side_by_side(chosen, own.group_precisions, space.group_precisions)
    words.put_side_by_side(chosen, own.group_pulls, space.group_pulls)
    logs_of(space.levels)
    for g in range(len(space.levels)):
        precision, pull = load(space.group_precisions, g), load(space.group_pulls, g)
        store(space.group_held, g, held_dispersion(load(space.levels, g), precision, pull, terms))
