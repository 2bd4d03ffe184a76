"""Newton steps in the affinities of a document's few active topics, the others being held.

With weights v_a = exp(at_a) of the active topics, relative to what the softmax was over before, and
`held` what the other topics hold of it,

    theta_a = v_a / (held + sum v),    s_f = (rest_f + sum_a v_a beta_fa) / (held + sum v);

density, gradient and curvature are those of `frex.predict.kernels.modes`. Arrays over words are
in single precision and as long as whole lanes: words that are not there have no count and s = 1.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from frex.predict.kernels.lanes import ONE, WIDTH, log
from frex.sampler.formulas.dense import solve
from frex.sampler.formulas.moves import gains_enough
from frex.sampler.kernels.options import inner
from frex.sampler.kernels.space import PADDING

NEWTON_STEPS = 3
"""Newton steps after a pass, at most."""

LEAST_PIVOT = 0.5
"""Of the factored curvature, in units of the prior's."""

FARTHEST = 3.0
"""How far one step may take an affinity."""


class Active(NamedTuple):
    """Memory for the active topics of a document."""

    numbers: Any  #: of the topics
    at: Any  #: affinities, less the log of what the softmax was over
    trial: Any  #: the same after a step
    offset: Any  #: what makes them affinities less the prior's mean
    weights: Any  #: exp of the affinities
    lengths: Any  #: b
    owned: Any  #: c
    gradient: Any
    move: Any  #: the step
    lower: Any  #: active x active, flat, the curvature's factor
    cross: Any  #: active x active, sum_f w_f r_f r_f'
    counts: Any  #: words, w_f
    mixed: Any  #: words, s_f, and what is made of it
    rest: Any  #: words, the part of s_f that is of the other topics
    rates: Any  #: active x words
    shares: Any  #: active x words, r_f


class Held(NamedTuple):
    """What does not change while the active topics move."""

    length: float  #: L
    precision: float  #: 1 / lambda2
    weight: float  #: of the other topics
    expected: float  #: their expected length, times their weight


@inner
def make_active(most, n_words):
    """Return memory for so many active topics and words."""
    words = whole_lanes(max(n_words, PADDING))
    return Active(
        np.empty(most, np.int64),
        np.empty(most),
        np.empty(most),
        np.empty(most),
        np.empty(most),
        np.empty(most),
        np.empty(most),
        np.empty(most),
        np.empty(most),
        np.empty(most * most),
        np.empty((most, most)),
        np.empty(words, np.float32),
        np.empty(words, np.float32),
        np.empty(words, np.float32),
        np.empty((most, words), np.float32),
        np.empty((most, words), np.float32),
    )


@inner
def whole_lanes(n):
    """Return the least multiple of a lane's width, a power of 2, that is n or more."""
    return (n + WIDTH - 1) & -WIDTH


@inner
def take_counts(counts, z):
    """Copy a document's counts; return how many there are."""
    length = 0.0
    for i in range(len(counts)):
        length += counts[i]
        z.counts[i] = counts[i]
    for i in range(len(counts), whole_lanes(len(counts))):
        z.counts[i] = 0.0
        for a in range(len(z.numbers)):
            z.rates[a, i] = 0.0
    return length


@inner
def gather(m, words, mixed, theta, rates, z):
    """Copy the rates of the active topics, and take their part off s_f."""
    n = len(words)
    for i in range(n):
        z.rest[i] = mixed[i]
    for i in range(n, whole_lanes(n)):
        z.rest[i] = 1.0
    for a in range(m):
        k = z.numbers[a]
        share = theta[k]
        for i in range(n):
            rate = rates[words[i], k]
            z.rates[a, i] = rate
            z.rest[i] -= share * rate
    for i in range(n):  # what rounding leaves may be negative
        z.rest[i] = max(z.rest[i], np.float32(0.0))


@inner
def log_density(n, m, at, held, z):
    """Return the log density as a function of the active affinities, less what is constant.

    Also returns the weight of all topics and their mean expected length; fills weights and s_f.
    """
    words = whole_lanes(n)
    total, mean, value = held.weight, held.expected, 0.0
    for i in range(words):
        z.mixed[i] = z.rest[i]
    for a in range(m):
        z.weights[a] = math.exp(at[a])
        total += z.weights[a]
        mean += z.weights[a] * z.lengths[a]
        value -= 0.5 * held.precision * (at[a] + z.offset[a]) ** 2
        weight, rates = np.float32(z.weights[a]), z.rates[a]
        for i in range(words):
            z.mixed[i] += weight * rates[i]
    for i in range(words):  # in double precision, so that small steps can be distinguished
        value += np.float64(z.counts[i]) * log(z.mixed[i])
    return value - held.length * math.log(total) - mean / total, total, mean / total


@inner
def fill_gradient(n, m, total, mean, held, z):
    """Fill shares and gradient; return how far an affinity still has to go, about."""
    words = whole_lanes(n)
    for i in range(words):
        z.mixed[i] = ONE / z.mixed[i]
    farthest = 0.0
    for a in range(m):
        owned = np.float32(0.0)
        weight, rates, shares = np.float32(z.weights[a]), z.rates[a], z.shares[a]
        for i in range(words):
            share = weight * rates[i] * z.mixed[i]
            shares[i] = share
            owned += z.counts[i] * share
        z.owned[a] = owned
        expected = z.weights[a] / total * (held.length + z.lengths[a] - mean)
        z.gradient[a] = owned - expected - held.precision * (z.at[a] + z.offset[a])
        farthest = max(farthest, abs(z.gradient[a]) / (held.precision + max(expected, 0.0)))
    return farthest


@inner
def fill_cross(n, m, z):
    """Fill sum_f w_f r_f r_f', its lower half."""
    words = whole_lanes(n)
    for a in range(m):
        shares = z.shares[a]
        for i in range(words):
            z.mixed[i] = z.counts[i] * shares[i]
        for b in range(a + 1):
            shares, product = z.shares[b], np.float32(0.0)
            for i in range(words):
                product += z.mixed[i] * shares[i]
            z.cross[a, b] = product


@inner
def factor_curvature(m, total, mean, held, z):
    """Fill a Cholesky factor of the curvature, made positive where it is not.

    A pivot that is negative counts as if it were positive: a step then leaves a saddle, where
    cautious ones would creep. One near 0 becomes a share of the bound.
    """
    for a in range(m):
        share, level = z.weights[a] / total, held.length + z.lengths[a] - mean
        for b in range(a):
            entry = z.cross[a, b]
            entry -= share * z.weights[b] / total * (level + z.lengths[b] - mean)
            for c in range(b):
                entry -= z.lower[a * m + c] * z.lower[b * m + c]
            z.lower[a * m + b] = entry / z.lower[b * m + b]
        pivot = share * (level - share * (2.0 * level - held.length)) + held.precision
        pivot += z.cross[a, a] - z.owned[a]
        for c in range(a):
            pivot -= z.lower[a * m + c] ** 2
        z.lower[a * m + a] = math.sqrt(max(abs(pivot), LEAST_PIVOT * held.precision))


@inner
def newton(n, m, held, tolerance, z):
    """Take Newton steps in the active affinities, halved until they climb; return how far."""
    moved = 0.0
    value, total, mean = log_density(n, m, z.at, held, z)
    for _ in range(NEWTON_STEPS):
        if fill_gradient(n, m, total, mean, held, z) < tolerance:
            break
        fill_cross(n, m, z)
        factor_curvature(m, total, mean, held, z)
        slope, longest = 0.0, 0.0
        for a in range(m):
            z.move[a] = z.gradient[a]
        solve(m, z.lower, z.move)
        for a in range(m):
            slope += z.gradient[a] * z.move[a]
            longest = max(longest, abs(z.move[a]))
        size = min(1.0, FARTHEST / longest)
        while True:
            for a in range(m):
                z.trial[a] = z.at[a] + size * z.move[a]
            reached, total, mean = log_density(n, m, z.trial, held, z)
            if gains_enough(reached, value, size, slope):
                break
            size *= 0.5
            if size < 1e-6:  # rounding: this is as near as it gets
                return moved
        value = reached
        moved += size * longest
        for a in range(m):
            z.at[a] = z.trial[a]
    return moved
