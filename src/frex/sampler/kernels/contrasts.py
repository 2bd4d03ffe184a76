"""The affinity block where every topic is in every document, and no label says anything.

Affinities are contrasts: a document's sum to 0, and so do eta's (`model/contrasts.py`). With
B_k = sum_f beta_fk and s_f = theta' beta_f:

    log density   -l sum_k B_k theta_k + sum_f w_f log s_f - |xi - eta|^2 / (2 lambda2)
    gradient      theta (g - theta' g) - (xi - eta) / lambda2,
                      g_k = sum_f w_f beta_fk / s_f - l B_k

A word's rates in all topics lie side by side in memory, so nothing is gathered, and the loops over
topics are vectorised. The mass is diag(q) - u u', q = a + 1 / lambda2, u = a / sqrt(sum a): it maps
contrasts to contrasts, and costs K for a document.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from frex.sampler.formulas.documents import add_rates, finish_gradient, mixture, softmax, weighed
from frex.sampler.formulas.moves import acceptance, gains_enough, is_accepted, jittered
from frex.sampler.formulas.random import uniforms
from frex.sampler.kernels.documents import first_count
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.random import fill_normals
from frex.sampler.kernels.space import space


class ContrastState(NamedTuple):
    """What the block is conditional on, and what it changes."""

    affinities: Any  #: D x K, changed
    memberships: Any  #: D x K, changed along
    rates: Any  #: V x N
    rate_sums: Any  #: N, B
    affinity_mean: Any  #: K, eta
    affinity_variance: float
    weights: Any  #: D x K, a, held fixed


@inner
def expect(d, data, state, out):
    """Fill what is expected of each topic in a document, l B."""
    for k in range(len(out)):
        out[k] = data.exposures[d] * state.rate_sums[k + 1]


@inner
def word_terms(d, data, state, expected, theta, gradient, with_value):
    """Fill the gradient of the words' log likelihood; return that, or 0 where it is not wanted."""
    n_topics = len(theta)
    value = 0.0
    for k in range(n_topics):
        gradient[k] = 0.0
    first, counts, rates = data.starts[d], data.eights.reshape(-1), state.rates.reshape(-1)
    shift = first_count(d, data) - first
    for place in range(first, data.starts[d + 1]):
        rate = data.words[place] * state.rates.shape[1] + 1
        count = counts[shift + place]
        mixed = mixture(n_topics, theta, rates, rate, 1)
        weight, value = weighed(count, mixed, value, with_value)
        add_rates(n_topics, weight, rates, rate, 1, gradient)
    return value + finish_gradient(n_topics, expected, theta, gradient)


@inner
def log_density(d, data, state, expected, theta, affinities, gradient, with_value):
    """Fill the gradient of the document's log density; return that where it is wanted."""
    value = word_terms(d, data, state, expected, theta, gradient, with_value)
    for k in range(len(theta)):
        deviation = affinities[k] - state.affinity_mean[k]
        value -= 0.5 * deviation * deviation / state.affinity_variance
        gradient[k] -= deviation / state.affinity_variance
    return value


@inner
def weights_at(d, data, state, theta, affinities, gradient, out):
    """Fill the weights that stand for the words' curvature, where the density has a gradient."""
    n_topics = len(theta)
    for k in range(n_topics):
        out[k] = 0.0
    first, counts, rates = data.starts[d], data.eights.reshape(-1), state.rates.reshape(-1)
    shift = first_count(d, data) - first
    for place in range(first, data.starts[d + 1]):
        rate = data.words[place] * state.rates.shape[1] + 1
        mixed = mixture(n_topics, theta, rates, rate, 1)
        for k in range(n_topics):
            excess = rates[rate + k] / mixed - 1.0
            out[k] += counts[shift + place] * excess * excess
    total = 0.0
    for k in range(n_topics):
        words = gradient[k] + (affinities[k] - state.affinity_mean[k]) / state.affinity_variance
        out[k] = theta[k] * theta[k] * out[k] + max(0.0, -words)
        total += out[k]
    if total > 0.0:
        for k in range(n_topics):
            out[k] /= 1.0 - min(out[k] / total, 0.5)


@inner
def prepare_mass(weights, variance, scale, tilt):
    """Fill q and u; return 1 - sum u^2 / q, which is 1 for a document without words."""
    total = 0.0
    for k in range(len(weights)):
        total += weights[k]
    root = math.sqrt(total) if total > 0.0 else 1.0
    rest = 0.0 if total > 0.0 else 1.0
    for k in range(len(weights)):
        scale[k] = weights[k] + 1.0 / variance
        tilt[k] = weights[k] / root
        if total > 0.0:  # the same as 1 - sum u^2 / q, without cancellation
            rest += weights[k] / (total * variance * scale[k])
    return rest


@inner
def to_momenta(scale, tilt, rest, x):
    """Turn normals into momenta, draws of Normal(0, mass) among the contrasts.

    With v = u / sqrt(q), the mass is sqrt(q) (1 - c v v')^2 sqrt(q), (1 - c |v|^2)^2 = 1 - |v|^2.
    """
    along = 0.0
    for k in range(len(x)):
        along += tilt[k] / math.sqrt(scale[k]) * x[k]
    along *= (1.0 - math.sqrt(rest)) / (1.0 - rest) if rest < 1.0 else 0.0
    mean = 0.0
    for k in range(len(x)):
        x[k] = math.sqrt(scale[k]) * x[k] - along * tilt[k]
        mean += x[k]
    mean /= len(x)
    for k in range(len(x)):
        x[k] -= mean


@inner
def solve(scale, tilt, rest, x, out):
    """Fill velocities from momenta; return their product."""
    along = 0.0
    for k in range(len(x)):
        along += tilt[k] * x[k] / scale[k]
    along /= rest
    product = 0.0
    for k in range(len(x)):
        out[k] = (x[k] + along * tilt[k]) / scale[k]
        product += out[k] * x[k]
    return product


@inner
def keep_centred(x, out):
    """Copy what sums to 0 but for rounding."""
    mean = 0.0
    for k in range(len(x)):
        mean += x[k]
    mean /= len(x)
    for k in range(len(x)):
        out[k] = x[k] - mean


@inner
def buffers(n_topics):
    """Return buffers of a document."""
    work = space(8, n_topics)
    return work[0], work[1], work[2], work[3], work[4], work[5], work[6], work[7]


@parallel("data.bin_order")
def update_contrasts(stretch, data, state, address, step, splitting, accepted, energy):
    """Draw every document's affinities by one trajectory; fill what each one did."""
    n_topics, n_stages = state.affinities.shape[1], len(splitting.drifts)
    affinities, memberships = state.affinities, state.memberships
    for turn in range(*stretch):
        b = data.bin_order[turn]
        theta, gradient, scale, tilt, expected, position, momentum, velocity = buffers(n_topics)
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            rest = prepare_mass(state.weights[d], state.affinity_variance, scale, tilt)
            draw = fill_normals(address.key, d, address.scan, address.stream, 0, momentum)
            to_momenta(scale, tilt, rest, momentum)
            jitter, u = uniforms(address.key, d, address.scan, address.stream, draw)
            expect(d, data, state, expected)
            epsilon = jittered(step[d], jitter)

            for k in range(n_topics):
                position[k] = affinities[d, k]
                theta[k] = memberships[d, k]
            kinetic = solve(scale, tilt, rest, momentum, velocity)
            before = log_density(d, data, state, expected, theta, position, gradient, True)
            before -= 0.5 * kinetic
            after = before
            for stage in range(n_stages):
                kick, drift = splitting.kicks[stage] * epsilon, splitting.drifts[stage] * epsilon
                for k in range(n_topics):
                    momentum[k] += kick * gradient[k]
                solve(scale, tilt, rest, momentum, velocity)
                for k in range(n_topics):
                    position[k] += drift * velocity[k]
                softmax(n_topics, position, theta)
                last = stage == n_stages - 1
                after = log_density(d, data, state, expected, theta, position, gradient, last)
            for k in range(n_topics):
                momentum[k] += splitting.kicks[n_stages] * epsilon * gradient[k]
            change = after - 0.5 * solve(scale, tilt, rest, momentum, velocity) - before
            energy[d] = change
            accepted[d] = acceptance(change)
            if is_accepted(change, u):
                keep_centred(position, affinities[d])
                for k in range(n_topics):
                    memberships[d, k] = theta[k]


@parallel("out")
def word_log_likelihoods(stretch, data, state, out):
    """Fill the log likelihood of each document's words."""
    for d in range(*stretch):
        work = space(2, state.memberships.shape[1])
        expect(d, data, state, work[0])
        out[d] = word_terms(d, data, state, work[0], state.memberships[d], work[1], True)


@parallel("data.bin_order")
def find_contrast_modes(stretch, data, state, n_iterations, tolerance, modes, weights, slopes):
    """Find every document's mode by halved Newton steps with the mass, and the weights there.

    `modes` holds where to start, and then the modes; `slopes` what the last step would have gained.
    """
    n_topics = modes.shape[1]
    for turn in range(*stretch):
        b = data.bin_order[turn]
        theta, gradient, scale, tilt, expected, trial, move, ahead = buffers(n_topics)
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            mode = modes[d]
            expect(d, data, state, expected)
            softmax(n_topics, mode, theta)
            value = log_density(d, data, state, expected, theta, mode, gradient, True)
            for _ in range(n_iterations):
                weights_at(d, data, state, theta, mode, gradient, weights[d])
                rest = prepare_mass(weights[d], state.affinity_variance, scale, tilt)
                slope = solve(scale, tilt, rest, gradient, move)
                slopes[d] = slope
                if slope < tolerance:
                    break
                size = 1.0
                for _ in range(30):
                    for k in range(n_topics):
                        trial[k] = mode[k] + size * move[k]
                    softmax(n_topics, trial, theta)
                    reached = log_density(d, data, state, expected, theta, trial, ahead, True)
                    if gains_enough(reached, value, size, slope):
                        break
                    size *= 0.5
                else:
                    softmax(n_topics, mode, theta)
                    break
                value = reached
                for k in range(n_topics):
                    gradient[k] = ahead[k]
                keep_centred(trial, mode)
            weights_at(d, data, state, theta, mode, gradient, weights[d])
