"""The density of (log nu, log sigma2) when log rates and dispersions move along.

`model/interweaving.py`, words; `kernels/word_gaussians.py` has what is held fixed. Sums over words
are taken bin by bin, in order.
"""

from __future__ import annotations

import math

import numpy as np

from frex.sampler.formulas.interweaving_words import (
    group_level,
    group_terms,
    node_at,
    root_at,
    share_of,
    share_slopes,
)
from frex.sampler.formulas.rows import load, store
from frex.sampler.kernels import words
from frex.sampler.kernels.options import YES, inlined, parallel, routine
from frex.sampler.kernels.vectors import LANES
from frex.sampler.kernels.word_gaussians import eight, logs_of, put_fixed


@routine
def sum_of(x):
    """Return the sum over rows."""
    total = load(x, 0)
    for i in range(1, len(x)):
        total = total + load(x, i)
    return total


@inlined
def place_dispersions(n_children, terms, space):
    """Fill t = 1 / tau2 of eight words' groups; add up log prior plus log Jacobian, and slopes."""
    t, n_groups = space.t, len(n_children)
    for g in range(n_groups):
        level, slope, share, r = group_level(
            load(space.group_held, g), load(space.group_precisions, g), load(space.group_pulls, g),
            terms,
        )  # fmt: skip
        store(space.levels, g, level)
        store(space.shares, g, share)
        store(space.slopes, g, slope)
        store(space.group_inverses, g, r)
        store(t.value, g, 0.0 - level)
    words.rates_of(space.flat_t, space.flat_t)
    half, scale = 0.5 * terms.df, math.exp(terms.log_scale)
    for g in range(n_groups):
        precision, share, slope = load(t.value, g), load(space.shares, g), load(space.slopes, g)
        store(t.in_df, g, (0.0 - precision) * slope)
        store(t.in_scale, g, (0.0 - precision) * share)
        value, in_df, in_scale = group_terms(
            load(space.levels, g), slope, share, load(space.group_inverses, g), precision,
            n_children[g], half, scale, terms,
        )  # fmt: skip
        add_to(space, value, in_df, in_scale)
    logs_of(space.group_inverses)
    store(space.value, 0, load(space.value, 0) + 0.5 * sum_of(space.group_inverses))


@inlined
def add_to(space, value, in_df, in_scale):
    """Add to what eight words have of the density, and of its slopes."""
    store(space.value, 0, load(space.value, 0) + value)
    store(space.in_df, 0, load(space.in_df, 0) + in_df)
    store(space.in_scale, 0, load(space.in_scale, 0) + in_scale)


@inlined
def read(dual, i):
    """Return a row of values and those of their slopes."""
    return load(dual.value, i), load(dual.in_df, i), load(dual.in_scale, i)


@inlined
def write(dual, i, value, in_df, in_scale):
    """Set them."""
    store(dual.value, i, value)
    store(dual.in_df, i, in_df)
    store(dual.in_scale, i, in_scale)


@inlined
def eliminate(parents, groups, space):
    """Fill A and B of eight words with their slopes, and 1 / (A + t), children before parents."""
    a, b, t = space.a, space.b, space.t
    for i in range(len(parents)):
        nothing = 0.0 * load(a.value, i)
        write(a, i, load(a.value, i), nothing, nothing)
        write(b, i, load(b.value, i), nothing, nothing)
    p = 0
    a_value, a_df, a_scale = read(a, 0)
    b_value, b_df, b_scale = read(b, 0)
    for i in range(len(parents) - 1, 0, -1):
        if parents[i] != p:
            write(a, p, a_value, a_df, a_scale)
            write(b, p, b_value, b_df, b_scale)
            p = parents[i]
            a_value, a_df, a_scale = read(a, p)
            b_value, b_df, b_scale = read(b, p)
        own_t, t_df, t_scale = read(t, groups[i])
        own_a, in_df, in_scale = read(a, i)
        share, r = share_of(own_a, own_t)
        store(space.inverses, i, r)
        share_df, share_scale = share_slopes(t_df, t_scale, in_df, in_scale, share, r)
        a_value = a_value + share * own_a
        a_df = a_df + share_df * own_a + share * in_df
        a_scale = a_scale + share_scale * own_a + share * in_scale
        own_b, in_df, in_scale = read(b, i)
        b_value = b_value + share * own_b
        b_df = b_df + share_df * own_b + share * in_df
        b_scale = b_scale + share_scale * own_b + share * in_scale
    write(a, 0, a_value, a_df, a_scale)
    write(b, 0, b_value, b_df, b_scale)


@inlined
def place_log_rates(parents, groups, terms, space):
    """Fill eight words' log rates; add log prior plus log Jacobian, and its slopes.

    What stood in `inverses` becomes the ratio t / (A + t), whose logarithms are taken together.
    """
    a, b, t, mu = space.a, space.b, space.t, space.mu
    x, x_df, x_scale, value, in_df, in_scale, r = root_at(
        load(space.held, 0), *read(a, 0), *read(b, 0),
        load(space.root_precision, 0), terms.root_mean,
    )  # fmt: skip
    write(mu, 0, x, x_df, x_scale)
    store(space.inverses, 0, r)
    for i in range(1, len(parents)):
        p, g, r = parents[i], groups[i], load(space.inverses, i)
        x, x_df, x_scale, less, less_df, less_scale = node_at(
            load(space.held, i), r, load(a.in_df, i), load(a.in_scale, i), *read(b, i),
            *read(t, g), *read(mu, p),
        )  # fmt: skip
        write(mu, i, x, x_df, x_scale)
        value = value - less
        in_df = in_df - less_df
        in_scale = in_scale - less_scale
        store(space.inverses, i, load(t.value, g) * r)
    logs_of(space.inverses)
    add_to(space, value + 0.5 * sum_of(space.inverses), in_df, in_scale)


@inlined
def place(chosen, data, fixed, own, n_children, terms, held, group_held, space):
    """Place eight words where (nu, sigma2) puts them, with prior and Jacobian and their slopes."""
    words.put_side_by_side(chosen, group_held, space.group_held)
    words.put_side_by_side(chosen, own.group_precisions, space.group_precisions)
    words.put_side_by_side(chosen, own.group_pulls, space.group_pulls)
    words.put_side_by_side(chosen, held, space.held)
    words.put_side_by_side(chosen, own.curvature, space.a.value)
    words.put_side_by_side(chosen, own.pulls, space.b.value)
    for lane in range(LANES):
        space.value[0, lane] = 0.0
        space.in_df[0, lane] = 0.0
        space.in_scale[0, lane] = 0.0
    place_dispersions(n_children, terms, space)
    put_fixed(chosen, fixed, len(n_children), terms, space)
    eliminate(data.parents, data.groups, space)
    place_log_rates(data.parents, data.groups, terms, space)


@inlined
def add_likelihoods(chosen, n, data, state, one, mixed, space):
    """Fill the likelihoods' gradients at the log rates, and add the likelihoods to the values."""
    words.rates_of(space.flat_mu, space.flat_rates)
    words.put_side_by_side(chosen, data.factors, space.factors)
    words.add_offsets_of_eight(data, space.factors, space.rates)
    words.put_side_by_side(chosen, data.single_counts, space.single)
    words.add_all_tokens(
        chosen, n, data, state.theta, space.rates, space.gradient, mixed, one, YES, space.logs
    )
    words.finish_gradient(space.single, state.exposure, space.rates, space.gradient)
    part = words.single_part(space.single, state.exposure, space.mu.value, space.rates)
    store(space.value, 0, load(space.value, 0) + part + load(space.logs, 0))


@inlined
def take_likelihoods(chosen, at, space):
    """Do the same where they are known."""
    words.put_side_by_side(chosen, at.slopes, space.gradient)
    for lane in range(LANES):
        space.value[0, lane] += at.value[chosen[lane]]


@inlined
def add_up(n, space, bin_, partial):
    """Add value and slopes of n words of the eight, the likelihood's through the log rates."""
    in_df, in_scale = load(space.in_df, 0), load(space.in_scale, 0)
    for i in range(len(space.gradient)):
        slope = load(space.gradient, i)
        in_df = in_df + slope * load(space.mu.in_df, i)
        in_scale = in_scale + slope * load(space.mu.in_scale, i)
    store(space.in_df, 0, in_df)
    store(space.in_scale, 0, in_scale)
    for lane in range(n):
        partial[bin_, 0] += space.value[0, lane]
        partial[bin_, 1] += space.in_df[0, lane]
        partial[bin_, 2] += space.in_scale[0, lane]


@parallel("data.bin_order")
def word_density(
    stretch, data, state, own, terms, standardised, group_standardised, at, known,
    log_rates, dispersions, partial,
):  # fmt: skip
    """Words, prior of log rates and dispersions, and Jacobian, as (log nu, log sigma2) moves.

    `at` is the words' likelihood where it is known: at the log rates that the move starts from.
    `partial` is bins x 3: the value and its slopes. Where the likelihood is not known, log rates
    and dispersions are filled with those that go with what is held fixed.
    """
    n_nodes, n_groups = len(data.parents), own.group_precisions.shape[1]
    n_children = np.zeros(n_groups)
    for i in range(1, n_nodes):
        if data.groups[i] < n_groups:
            n_children[data.groups[i]] += 1.0
    chosen = np.empty(LANES, np.int64)
    space = eight(n_nodes, n_groups, state.fixed.shape[1])
    mixed, one = np.empty(data.longest), np.empty((2, n_nodes))
    for turn in range(*stretch):
        bin_ = data.bin_order[turn]
        for i in range(3):
            partial[bin_, i] = 0.0
        end = data.bin_starts[bin_ + 1]
        for spot in range(data.bin_starts[bin_], end, LANES):
            n = words.choose(spot, end, data.bin_words, chosen)
            place(
                chosen, data, state.fixed, own, n_children, terms, standardised,
                group_standardised, space,
            )  # fmt: skip
            if known:
                take_likelihoods(chosen, at, space)
            else:
                add_likelihoods(chosen, n, data, state, one, mixed, space)
                words.leave(chosen, n, space.mu.value, log_rates)
                for g in range(n_groups):
                    store(space.levels, g, 1.0 / load(space.t.value, g))
                words.leave(chosen, n, space.levels, dispersions)
            add_up(n, space, bin_, partial)
