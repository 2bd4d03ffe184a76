"""The density of (log nu, log sigma2) when log rates and dispersions move along.

`model/interweaving.py`, words; `kernels/word_gaussians.py` has what is held fixed. Sums over words
are taken bin by bin, in order.
"""

from __future__ import annotations

import math

import numpy as np

from frex.sampler.kernels import words
from frex.sampler.kernels.options import YES, apart, once, parallel
from frex.sampler.kernels.vectors import LANES, load, root, store
from frex.sampler.kernels.word_gaussians import eight, logs_of


@apart
def sum_of(x):
    """Return the sum over rows."""
    total = load(x, 0)
    for i in range(1, len(x)):
        total = total + load(x, i)
    return total


@once
def place_dispersions(n_children, terms, space):
    """Fill t = 1 / tau2 of eight words' groups; add up log prior plus log Jacobian, and slopes.

    With them those of log t / 2 of every child, which are the prior's of the log rates.
    """
    t, n_groups = space.t, len(n_children)
    for g in range(n_groups):
        r = 1.0 / (load(space.group_precisions, g) + terms.precision)
        centre = (load(space.group_pulls, g) + terms.precision * terms.mean) * r
        away = load(space.group_held, g) * root(r)
        share = terms.precision * r
        bend = (terms.mean - centre - 0.5 * away) * r
        store(space.levels, g, centre + away)
        store(space.shares, g, share)
        store(space.slopes, g, share * terms.mean_slope + bend * terms.precision_slope)
        store(space.group_inverses, g, r)
        store(t.value, g, 0.0 - centre - away)
    words.rates_of(space.flat_t, space.flat_t)
    half, scale = 0.5 * terms.df, math.exp(terms.log_scale)
    for g in range(n_groups):
        precision, share, slope = load(t.value, g), load(space.shares, g), load(space.slopes, g)
        store(t.in_df, g, (0.0 - precision) * slope)
        store(t.in_scale, g, (0.0 - precision) * share)
        halves = half * (terms.log_scale - load(space.levels, g))
        chi2 = 0.5 * scale * precision
        children = 0.5 * n_children[g]
        store(space.value, 0, load(space.value, 0) + (halves - chi2 + terms.constant))
        in_df = halves + (half - chi2) * (1.0 - slope) - children * slope + terms.constant_slope
        in_df = in_df - 0.5 * terms.precision_slope * load(space.group_inverses, g)
        store(space.in_df, 0, load(space.in_df, 0) + in_df)
        in_scale = (half - chi2) * (1.0 - share) - children * share
        store(space.in_scale, 0, load(space.in_scale, 0) + in_scale)
    logs_of(space.group_inverses)
    store(space.value, 0, load(space.value, 0) + 0.5 * sum_of(space.group_inverses))


@once
def eliminate(parents, groups, space):
    """Fill A and B of eight words with their slopes, and 1 / (A + t), children before parents."""
    a, b, t = space.a, space.b, space.t
    for i in range(len(parents)):
        nothing = 0.0 * load(a.value, i)
        store(a.in_df, i, nothing)
        store(a.in_scale, i, nothing)
        store(b.in_df, i, nothing)
        store(b.in_scale, i, nothing)
    p = 0
    a_value, a_df, a_scale = load(a.value, 0), load(a.in_df, 0), load(a.in_scale, 0)
    b_value, b_df, b_scale = load(b.value, 0), load(b.in_df, 0), load(b.in_scale, 0)
    for i in range(len(parents) - 1, 0, -1):
        if parents[i] != p:
            store(a.value, p, a_value)
            store(a.in_df, p, a_df)
            store(a.in_scale, p, a_scale)
            store(b.value, p, b_value)
            store(b.in_df, p, b_df)
            store(b.in_scale, p, b_scale)
            p = parents[i]
            a_value, a_df, a_scale = load(a.value, p), load(a.in_df, p), load(a.in_scale, p)
            b_value, b_df, b_scale = load(b.value, p), load(b.in_df, p), load(b.in_scale, p)
        g = groups[i]
        own_t, t_df, t_scale = load(t.value, g), load(t.in_df, g), load(t.in_scale, g)
        own_a, in_df, in_scale = load(a.value, i), load(a.in_df, i), load(a.in_scale, i)
        r = 1.0 / (own_a + own_t)
        store(space.inverses, i, r)
        share = own_t * r
        share_df = (t_df - share * (in_df + t_df)) * r
        share_scale = (t_scale - share * (in_scale + t_scale)) * r
        a_value = a_value + share * own_a
        a_df = a_df + share_df * own_a + share * in_df
        a_scale = a_scale + share_scale * own_a + share * in_scale
        own_b = load(b.value, i)
        b_value = b_value + share * own_b
        b_df = b_df + share_df * own_b + share * load(b.in_df, i)
        b_scale = b_scale + share_scale * own_b + share * load(b.in_scale, i)
    store(a.value, 0, a_value)
    store(a.in_df, 0, a_df)
    store(a.in_scale, 0, a_scale)
    store(b.value, 0, b_value)
    store(b.in_df, 0, b_df)
    store(b.in_scale, 0, b_scale)


@once
def place_log_rates(parents, groups, terms, space):
    """Fill eight words' log rates; add log prior plus log Jacobian, and its slopes.

    What stood in `inverses` becomes the ratio t / (A + t), whose logarithms are taken together.
    """
    a, b, t, mu = space.a, space.b, space.t, space.mu
    r = 1.0 / (load(a.value, 0) + terms.root_precision)
    centre = (load(b.value, 0) + terms.root_precision * terms.root_mean) * r
    away = load(space.held, 0) * root(r)
    turn = centre + 0.5 * away
    top = centre + away
    top_df = (load(b.in_df, 0) - turn * load(a.in_df, 0)) * r
    top_scale = (load(b.in_scale, 0) - turn * load(a.in_scale, 0)) * r
    store(mu.value, 0, top)
    store(mu.in_df, 0, top_df)
    store(mu.in_scale, 0, top_scale)
    store(space.inverses, 0, r)
    pull = terms.root_precision * (top - terms.root_mean)
    value = load(space.value, 0) - 0.5 * pull * (top - terms.root_mean)
    in_df = load(space.in_df, 0) - 0.5 * load(a.in_df, 0) * r - pull * top_df
    in_scale = load(space.in_scale, 0) - 0.5 * load(a.in_scale, 0) * r - pull * top_scale
    for i in range(1, len(parents)):
        p, g, r = parents[i], groups[i], load(space.inverses, i)
        own_t, t_df, t_scale = load(t.value, g), load(t.in_df, g), load(t.in_scale, g)
        above, above_df, above_scale = load(mu.value, p), load(mu.in_df, p), load(mu.in_scale, p)
        v_df, v_scale = load(a.in_df, i) + t_df, load(a.in_scale, i) + t_scale
        centre = (load(b.value, i) + own_t * above) * r
        away = load(space.held, i) * root(r)
        turn = centre + 0.5 * away
        own = centre + away
        own_df = (load(b.in_df, i) + t_df * above + own_t * above_df - turn * v_df) * r
        own_scale = load(b.in_scale, i) + t_scale * above + own_t * above_scale - turn * v_scale
        own_scale = own_scale * r
        store(mu.value, i, own)
        store(mu.in_df, i, own_df)
        store(mu.in_scale, i, own_scale)
        gap = own - above
        pull = own_t * gap
        half_square = 0.5 * gap * gap
        value = value - own_t * half_square
        in_df = in_df - (0.5 * v_df * r + t_df * half_square + pull * (own_df - above_df))
        in_scale = in_scale - (0.5 * v_scale * r + t_scale * half_square)
        in_scale = in_scale - pull * (own_scale - above_scale)
        store(space.inverses, i, own_t * r)
    logs_of(space.inverses)
    store(space.value, 0, value + 0.5 * sum_of(space.inverses))
    store(space.in_df, 0, in_df)
    store(space.in_scale, 0, in_scale)


@once
def place(chosen, data, own, n_children, terms, held, group_held, space):
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
    eliminate(data.parents, data.groups, space)
    place_log_rates(data.parents, data.groups, terms, space)


@once
def add_likelihoods(chosen, n, data, state, one, mixed, space):
    """Fill the likelihoods' gradients at the log rates, and add the likelihoods to the values."""
    words.rates_of(space.flat_mu, space.flat_rates)
    words.put_side_by_side(chosen, data.single_counts, space.single)
    words.add_all_tokens(
        chosen, n, data, state.theta, space.rates, space.gradient, mixed, one, YES, space.logs
    )
    words.finish_gradient(space.single, state.exposure, space.rates, space.gradient)
    part = words.single_part(space.single, state.exposure, space.mu.value, space.rates)
    store(space.value, 0, load(space.value, 0) + part + load(space.logs, 0))


@once
def take_likelihoods(chosen, at, space):
    """Do the same where they are known."""
    words.put_side_by_side(chosen, at.slopes, space.gradient)
    for lane in range(LANES):
        space.value[0, lane] += at.value[chosen[lane]]


@once
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


@parallel("data.turns")
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
        n_children[data.groups[i]] += 1.0
    for turn in range(*stretch):
        bin_ = data.turns[turn]
        chosen, space = np.empty(LANES, np.int64), eight(n_nodes, n_groups)
        mixed, one = np.empty(data.longest), np.empty((2, n_nodes))
        for i in range(3):
            partial[bin_, i] = 0.0
        end = data.bin_starts[bin_ + 1]
        for spot in range(data.bin_starts[bin_], end, LANES):
            n = words.choose(spot, end, data.bin_words, chosen)
            place(chosen, data, own, n_children, terms, standardised, group_standardised, space)
            if known:
                take_likelihoods(chosen, at, space)
            else:
                add_likelihoods(chosen, n, data, state, one, mixed, space)
                words.leave(chosen, n, space.mu.value, log_rates)
                for g in range(n_groups):
                    store(space.levels, g, 1.0 / load(space.t.value, g))
                words.leave(chosen, n, space.levels, dispersions)
            add_up(n, space, bin_, partial)
