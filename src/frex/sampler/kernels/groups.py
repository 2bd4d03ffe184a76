"""Groups of siblings: their squared deviations and dispersions.

`formulas/dispersions.py` says what a group is.
"""

from __future__ import annotations

import numpy as np

from frex.sampler.formulas.dispersions import dispersion, shape_of
from frex.sampler.formulas.elementary import exp
from frex.sampler.formulas.random import attempt, gamma, gamma_of
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.random import fill_attempts

SPARE = 4
"""Attempts at a gamma variate that are made beyond one for each group of a word."""


@inner
def squares_of(log_rates, parents, groups, out):
    """Fill S of each of a word's groups."""
    for p in range(len(out)):
        out[p] = 0.0
    for i in range(1, len(parents)):
        deviation = log_rates[i] - log_rates[parents[i]]
        if groups[i] < len(out):  # not of a node with a known mean
            out[groups[i]] += deviation * deviation


@parallel("words")
def group_squares(stretch, words, log_rates, parents, groups, squares):
    """Fill S of some words, in an array words x groups of all."""
    for spot in range(*stretch):
        f = words[spot]
        squares_of(log_rates[f], parents, groups, squares[f])


@parallel("words")
def draw_dispersions(stretch, squares, n_children, df, scale, address, words, dispersions):
    """Draw tau2 ~ Inv-chi2(J + nu, (nu sigma2 + S) / (J + nu)) of every group of some words."""
    n_groups = len(n_children)
    low = shape_of(n_children.min(), df) < 1.0
    attempts, values = np.empty((n_groups + SPARE, 2)), np.empty(n_groups)
    for spot in range(*stretch):
        f = words[spot]
        if low:
            fill_gammas(address, f, n_children, df, values)
        else:
            fill_usual_gammas(address, f, n_children, df, attempts, values)
        for p in range(n_groups):
            dispersions[f, p] = dispersion(squares[f, p], df, scale, values[p])


@inner
def fill_gammas(address, f, n_children, df, out):
    """Fill a Gamma((J + nu) / 2, 1) variate for each of a word's groups."""
    draw = 0
    for p in range(len(out)):
        shape = shape_of(n_children[p], df)
        out[p], draw = gamma(address.key, f, address.scan, address.stream, draw, shape)


@inner
def fill_usual_gammas(address, f, n_children, df, attempts, out):
    """Fill the same where no shape is below 1: nearly all attempts succeed, so many are made."""
    fill_attempts(address.key, f, address.scan, address.stream, attempts)
    made = 0
    for p in range(len(out)):
        shape = shape_of(n_children[p], df)
        value = 0.0
        while value == 0.0:
            if made < len(attempts):
                x, u = attempts[made, 0], attempts[made, 1]
            else:
                x, u = attempt(address.key, f, address.scan, address.stream, 2 * made)
            made += 1
            value = gamma_of(x, u, shape)
        out[p] = value


@parallel("rows")
def copy_rows(stretch, rows, out):
    """Copy an array over words to another, which may have another precision, with all threads."""
    for f in range(*stretch):
        for i in range(rows.shape[1]):
            out[f, i] = rows[f, i]


@parallel("words")
def exponentiate(stretch, words, log_rates, factors, rows, rates):
    """Fill the rates of some words, each in a row of its own."""
    for spot in range(*stretch):
        f, row = words[spot], rows[spot]
        for i in range(log_rates.shape[1]):
            rates[row, i] = exp(log_rates[f, i])
        if len(factors) > 0:
            for i in range(log_rates.shape[1]):
                rates[row, i] *= factors[f, i]
