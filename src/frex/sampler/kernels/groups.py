"""Groups of siblings: their squared deviations, dispersions, and sums over words.

A group is a (word, parent) pair with the parent's J children. Its S = sum (mu_child - mu_parent)^2
is all that the dispersion and its hyperparameters see.
"""

from __future__ import annotations

import math

from numba import prange

from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.random import gamma

N_BINS = 64
"""Sums are taken over this many stretches of words, then over the stretches in order."""


@inner
def stretch(b, n):
    """Return where the b-th of the stretches of n items starts and ends."""
    return b * n // N_BINS, (b + 1) * n // N_BINS


@inner
def squares_of(log_rates, parents, groups, out):
    """Fill S of each of a word's groups."""
    for p in range(len(out)):
        out[p] = 0.0
    for i in range(1, len(parents)):
        away = log_rates[i] - log_rates[parents[i]]
        out[groups[i]] += away * away


@parallel
def group_squares(words, log_rates, parents, groups, squares):
    """Fill S of some words, in an array words x groups of all."""
    for spot in prange(len(words)):
        f = words[spot]
        squares_of(log_rates[f], parents, groups, squares[f])


@parallel
def dispersion_sums(squares, scale, bin_, partial):
    """Sum log(1 + S/q), r = S/(q + S) and r^2 over words for each parent; q is nu sigma2.

    `partial` is bins x parents x 3, of the stretches from `bin_` on.
    """
    n_words, n_groups = squares.shape
    for b in prange(len(partial)):
        partial[b] = 0.0
        first, last = stretch(bin_ + b, n_words)
        for f in range(first, last):
            for p in range(n_groups):
                s = squares[f, p]
                r = s / (scale + s)
                partial[b, p, 0] += math.log1p(s / scale)
                partial[b, p, 1] += r
                partial[b, p, 2] += r * r


@parallel
def draw_dispersions(squares, n_children, df, scale, address, words, dispersions):
    """Draw tau2 ~ Inv-chi2(J + nu, (nu sigma2 + S) / (J + nu)) of every group of some words."""
    for spot in prange(len(words)):
        f = words[spot]
        draw = 0
        for p in range(len(n_children)):
            shape = 0.5 * (n_children[p] + df)
            value, draw = gamma(address.key, f, address.scan, address.stream, draw, shape)
            dispersions[f, p] = 0.5 * (df * scale + squares[f, p]) / value


@parallel
def exponentiate(words, log_rates, rows, rates):
    """Fill the rates of some words, each in a row of its own."""
    for spot in prange(len(words)):
        f, row = words[spot], rows[spot]
        for i in range(log_rates.shape[1]):
            rates[row, i] = math.exp(log_rates[f, i])


@parallel
def rate_sums(rates, rows, bin_, partial):
    """Sum rates over words, B; a word has its row.

    `partial` is bins x nodes, of the stretches from `bin_` on.
    """
    for b in prange(len(partial)):
        partial[b] = 0.0
        first, last = stretch(bin_ + b, len(rows))
        for f in range(first, last):
            row = rows[f]
            for i in range(rates.shape[1]):
                partial[b, i] += rates[row, i]
