"""The affinities of two labels of a document change places.

Where lambda is large a document is nearly all about one of its labels, and may be so about either:
trajectories hardly cross from one mode to the other, and a swap does. theta_i and theta_j change
places with xi_i and xi_j, and nothing else moves: with s = theta' beta_f before and
t = (theta_j - theta_i)(beta_fi - beta_fj), the log ratio of the densities is

    sum_f w_f log(1 + t / s) - l (B_i - B_j)(theta_j - theta_i)
        - (xi_i - xi_j)(eta_i - eta_j) / lambda2

The labels' log logistic(xi_i) + log logistic(xi_j) is the same before and after, and so are the
squares of the affinities.
"""

from __future__ import annotations

from frex.sampler.formulas.documents import mixture
from frex.sampler.formulas.elementary import log
from frex.sampler.formulas.moves import acceptance, bounded_size, is_accepted
from frex.sampler.formulas.options import formula, routine, scalar
from frex.sampler.formulas.random import uniforms
from frex.sampler.formulas.rows import across, load, spread

MOST_TRIES = 3
"""Pairs of labels that are tried in a scan, at most."""


@scalar
def pair_of(u, v, m):
    """Return two different labels of m, by two uniforms."""
    i = min(int(u * m), m - 1)
    j = min(int(v * (m - 1)), m - 2)
    return i, j + 1 if j >= i else j


@routine
def words_log_ratio(words, place, theta, i, j):
    """Return what the words of a document say of a swap: sum_f w_f log(1 + t / s)."""
    m, stride, rates, counts = place.n_labels, place.label_stride, words.rates, words.counts
    shift, logs = theta[j] - theta[i], spread(0.0)
    for c in range(place.n_rows):
        rate = place.rate + c * place.row_stride
        away = shift * (load(rates, rate + i * stride) - load(rates, rate + j * stride))
        mixed = mixture(m, theta, rates, rate, stride)
        logs = logs + load(counts, place.first + c * place.row_stride) * log(1.0 + away / mixed)
    return across(logs)


@formula
def swap_log_ratio(words, place, own, variance, i, j):
    """Return the log ratio of a document's densities after and before a swap."""
    shift = own.theta[j] - own.theta[i]
    change = words_log_ratio(words, place, own.theta, i, j)
    change -= (own.expected[i] - own.expected[j]) * shift
    away = own.position[i] - own.position[j]
    return change - away * (own.mean[i] - own.mean[j]) / variance


@formula
def swap_pairs(words, place, own, variance, address, d):
    """Propose swaps in a document; return their mean acceptance and size of change of energy.

    `own` has the position and theta, which change. A document of two labels has one pair to try.
    """
    m, accepted, energy = place.n_labels, 0.0, 0.0
    n_tries = min(MOST_TRIES, m - 1)
    for number in range(n_tries):
        u, v = uniforms(address.key, d, address.scan, address.stream, 2 * number)
        i, j = pair_of(u, v, m)
        change = swap_log_ratio(words, place, own, variance, i, j)
        accepted += acceptance(change) / n_tries
        energy += bounded_size(change) / n_tries
        w, _ = uniforms(address.key, d, address.scan, address.stream, 2 * number + 1)
        if is_accepted(change, w):
            held = own.position[i]
            own.position[i] = own.position[j]
            own.position[j] = held
            held = own.theta[i]
            own.theta[i] = own.theta[j]
            own.theta[j] = held
    return accepted, energy
