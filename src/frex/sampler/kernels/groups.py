"""Groups of siblings: their squared deviations and dispersions.

A group is a (word, parent) pair with the parent's J children. Its S = sum (mu_child - mu_parent)^2
is all that the dispersion and its hyperparameters see.
"""

from __future__ import annotations

import math

from numba import prange

from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.random import gamma


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
