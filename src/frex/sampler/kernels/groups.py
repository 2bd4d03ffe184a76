"""Groups of siblings: their squared deviations, dispersions, and sums over words.

A group is a (word, parent) pair with the parent's J children. Its S = sum (mu_child - mu_parent)^2
is all that the dispersion and its hyperparameters see.
"""

from __future__ import annotations

import math

import numpy as np
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
def group_squares(log_rates, parents, groups, squares):
    """Fill S, words x groups."""
    for f in prange(len(log_rates)):
        squares_of(log_rates[f], parents, groups, squares[f])


@parallel
def dispersion_sums(squares, scale, sums):
    """Sum log(1 + S/q), r = S/(q + S) and r^2 over words for each parent; q is nu sigma2.

    `sums` is parents x 3.
    """
    n_words, n_groups = squares.shape
    partial = np.zeros((N_BINS, n_groups, 3))
    for b in prange(N_BINS):
        first, last = stretch(b, n_words)
        for f in range(first, last):
            for p in range(n_groups):
                s = squares[f, p]
                r = s / (scale + s)
                partial[b, p, 0] += math.log1p(s / scale)
                partial[b, p, 1] += r
                partial[b, p, 2] += r * r
    for p in range(n_groups):
        for i in range(3):
            total = 0.0
            for b in range(N_BINS):
                total += partial[b, p, i]
            sums[p, i] = total


@parallel
def draw_dispersions(squares, n_children, df, scale, address, dispersions):
    """Draw tau2 ~ Inv-chi2(J + nu, (nu sigma2 + S) / (J + nu)) of every group."""
    for f in prange(len(squares)):
        draw = 0
        for p in range(len(n_children)):
            shape = 0.5 * (n_children[p] + df)
            value, draw = gamma(address.key, f, address.scan, address.stream, draw, shape)
            dispersions[f, p] = 0.5 * (df * scale + squares[f, p]) / value


@parallel
def exponentiate(log_rates, rates, sums):
    """Fill rates, and their sums over words, B."""
    n_words, n_nodes = log_rates.shape
    partial = np.zeros((N_BINS, n_nodes))
    for b in prange(N_BINS):
        first, last = stretch(b, n_words)
        for f in range(first, last):
            for i in range(n_nodes):
                rates[f, i] = math.exp(log_rates[f, i])
                partial[b, i] += rates[f, i]
    for i in range(n_nodes):
        total = 0.0
        for b in range(N_BINS):
            total += partial[b, i]
        sums[i] = total
