"""The rate block: for every word one Hamiltonian trajectory of its log rates, and its mode.

For a word f, with r_dk = theta_dk beta_fk / theta_d' beta_f its topics' shares in document d:

    log density   n_f' mu + sum_d w_d log(theta_d' beta) - E' beta - (mu - psi)' Lambda (mu - psi)/2
    gradient      n_f + sum_d w_d r_d - E beta - Lambda (mu - psi)

The sums are over the multi-label documents that have the word: they are gathered once into a buffer
and stay in cache while the trajectory runs. The logarithm is taken at its two ends only.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numba import prange

from frex.sampler.kernels import tree as algebra
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.random import fill_normals, uniforms


class WordData(NamedTuple):
    """What does not change during a run. Words are columns; nodes are topics plus one."""

    starts: Any  #: V + 1, where a word's tokens start
    documents: Any  #: rows of the multi-label documents that have the word
    counts: Any  #: how often, float64
    label_starts: Any  #: M + 1, where a document's labels start
    nodes: Any  #: the labels' nodes, int32
    single_counts: Any  #: V x N, counts in single-label documents; column 0 is zero
    parents: Any  #: N
    groups: Any  #: N, the column of the dispersions of a node's parent; the root's is not used
    bin_starts: Any  #: where a bin's words start
    bin_words: Any  #: words, dealt into bins of equal work
    longest: int  #: labels of all tokens of the word that has most


class RateState(NamedTuple):
    """What the block is conditional on, and what it changes."""

    log_rates: Any  #: V x N, changed
    dispersions: Any  #: V x P
    memberships: Any  #: theta of the active labels, flat
    exposure: Any  #: N, E; 0 for the root
    root_mean: float
    root_variance: float
    curvature: Any  #: V x N, minus the likelihood's Hessian, held fixed


class Address(NamedTuple):
    """Where the block's random numbers are: `kernels/random.py`."""

    key: Any
    scan: int
    stream: int


@inner
def gather(f, data, memberships, ends, nodes, theta):
    """Copy the labels of the word's tokens into buffers; return the number of tokens."""
    first, last = data.starts[f], data.starts[f + 1]
    filled = 0
    for token in range(first, last):
        d = data.documents[token]
        for label in range(data.label_starts[d], data.label_starts[d + 1]):
            nodes[filled] = data.nodes[label]
            theta[filled] = memberships[label]
            filled += 1
        ends[token - first] = filled
    return last - first


@inner
def rates_of(log_rates, rates):
    """Fill rates with exp(log_rates)."""
    for i in range(len(rates)):
        rates[i] = math.exp(log_rates[i])


@inner
def likelihood_gradient(f, n_tokens, data, exposure, ends, nodes, theta, rates, gradient):
    """Fill the gradient of the word's log likelihood at its rates."""
    for i in range(len(rates)):
        gradient[i] = 0.0
    first = data.starts[f]
    start = 0
    for token in range(n_tokens):
        end = ends[token]
        total = 0.0
        for label in range(start, end):
            total += theta[label] * rates[nodes[label]]
        weight = data.counts[first + token] / total
        for label in range(start, end):
            gradient[nodes[label]] += weight * theta[label]
        start = end
    for i in range(len(rates)):
        gradient[i] = data.single_counts[f, i] + rates[i] * (gradient[i] - exposure[i])


@inner
def log_likelihood(f, n_tokens, data, exposure, ends, nodes, theta, log_rates, rates):
    """Return the word's log likelihood."""
    value = 0.0
    for i in range(len(rates)):
        value += data.single_counts[f, i] * log_rates[i] - exposure[i] * rates[i]
    first = data.starts[f]
    start = 0
    for token in range(n_tokens):
        end = ends[token]
        total = 0.0
        for label in range(start, end):
            total += theta[label] * rates[nodes[label]]
        value += data.counts[first + token] * math.log(total)
        start = end
    return value


@inner
def precisions(f, data, state, out):
    """Fill each node's precision about its parent, first the root's about its mean."""
    out[0] = 1.0 / state.root_variance
    for i in range(1, len(out)):
        out[i] = 1.0 / state.dispersions[f, data.groups[i]]


def word_trajectory(prepare, colour, solve):
    """Build the update of one word for a kind of mass.

    Parameters
    ----------
    prepare
        Fill a word's workspace from its curvature and prior precision.
    colour
        Turn normals into momenta.
    solve
        Turn momenta into velocities.
    """

    @inner
    def update_word(
        f, data, state, address, epsilon, n_steps, ends, nodes, theta, space, work, log_rates
    ):
        """Draw a word's log rates by one trajectory; return the change of energy."""
        n_nodes = len(data.parents)
        position, rates, gradient = work[0], work[1], work[2]
        precision, momentum, velocity = work[3], work[4], work[5]
        n_tokens = gather(f, data, state.memberships, ends, nodes, theta)
        precisions(f, data, state, precision)
        prepare(data.parents, precision, state.curvature[f], space)
        draw = fill_normals(address.key, f, address.scan, address.stream, 0, momentum)
        kinetic = 0.0
        for i in range(n_nodes):
            kinetic += momentum[i] ** 2  # p' M^-1 p is the square of the normals
        colour(data.parents, space, momentum)
        jitter, u = uniforms(address.key, f, address.scan, address.stream, draw)
        epsilon *= 0.8 + 0.4 * jitter

        for i in range(n_nodes):
            position[i] = log_rates[f, i]
        rates_of(position, rates)
        before = (
            log_likelihood(f, n_tokens, data, state.exposure, ends, nodes, theta, position, rates)
            - algebra.prior_energy(data.parents, precision, state.root_mean, position)
            - 0.5 * kinetic
        )
        for leap in range(n_steps + 1):
            likelihood_gradient(
                f, n_tokens, data, state.exposure, ends, nodes, theta, rates, gradient
            )
            algebra.add_prior_gradient(data.parents, precision, state.root_mean, position, gradient)
            share = 0.5 if leap in (0, n_steps) else 1.0
            for i in range(n_nodes):
                momentum[i] += share * epsilon * gradient[i]
                velocity[i] = momentum[i]
            solve(data.parents, space, velocity)
            if leap < n_steps:
                for i in range(n_nodes):
                    position[i] += epsilon * velocity[i]
                rates_of(position, rates)
        kinetic = 0.0
        for i in range(n_nodes):
            kinetic += momentum[i] * velocity[i]
        change = (
            log_likelihood(f, n_tokens, data, state.exposure, ends, nodes, theta, position, rates)
            - algebra.prior_energy(data.parents, precision, state.root_mean, position)
            - 0.5 * kinetic
            - before
        )
        if math.isfinite(change) and math.log(u) < change:
            for i in range(n_nodes):
                log_rates[f, i] = position[i]
        return change

    return update_word


@inner
def acceptance(change):
    """Return the probability of acceptance; 0 where the trajectory diverged."""
    return min(1.0, math.exp(change)) if math.isfinite(change) else 0.0


@inner
def prepare_tree(parents, precision, curvature, space):
    """Factor Lambda + diag(curvature) into the first two rows of a workspace."""
    algebra.factor(parents, precision, curvature, space[0], space[1], space[2])


@inner
def colour_tree(parents, space, x):
    """Turn normals into momenta."""
    algebra.colour(parents, space[0], space[1], x)


@inner
def solve_tree(parents, space, x):
    """Turn momenta into velocities."""
    algebra.solve(parents, space[0], space[1], x)


update_word_tree = word_trajectory(prepare_tree, colour_tree, solve_tree)


@parallel
def update_rates(data, state, address, step, n_steps, accepted, energy):
    """Draw every word's log rates by one trajectory; fill what each one did."""
    n_nodes = len(data.parents)
    log_rates = state.log_rates
    for b in prange(len(data.bin_starts) - 1):
        ends = np.empty(data.longest, np.int64)
        nodes = np.empty(data.longest, np.int32)
        theta = np.empty(data.longest)
        space = np.empty((3, n_nodes))
        work = np.empty((6, n_nodes))
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            energy[f] = update_word_tree(
                f, data, state, address, step[f], n_steps,
                ends, nodes, theta, space, work, log_rates,
            )  # fmt: skip
            accepted[f] = acceptance(energy[f])


@parallel
def find_rate_modes(data, state, n_iterations, tolerance, modes):
    """Find every word's conditional mode by Newton steps with the tree's curvature, halved if need.

    `modes` holds where to start, and then the modes.
    """
    n_nodes = len(data.parents)
    for b in prange(len(data.bin_starts) - 1):
        ends = np.empty(data.longest, np.int64)
        nodes = np.empty(data.longest, np.int32)
        theta = np.empty(data.longest)
        work = np.empty((8, n_nodes))
        rates, gradient, precision, curvature = work[0], work[1], work[2], work[3]
        pivots, multipliers, spare, trial = work[4], work[5], work[6], work[7]
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            n_tokens = gather(f, data, state.memberships, ends, nodes, theta)
            precisions(f, data, state, precision)
            mode = modes[f]
            rates_of(mode, rates)
            value = log_likelihood(
                f, n_tokens, data, state.exposure, ends, nodes, theta, mode, rates
            ) - algebra.prior_energy(data.parents, precision, state.root_mean, mode)
            for _ in range(n_iterations):
                likelihood_gradient(
                    f, n_tokens, data, state.exposure, ends, nodes, theta, rates, gradient
                )
                algebra.add_prior_gradient(data.parents, precision, state.root_mean, mode, gradient)
                for i in range(n_nodes):
                    curvature[i] = state.exposure[i] * rates[i]
                algebra.factor(data.parents, precision, curvature, pivots, multipliers, spare)
                slope = 0.0
                for i in range(n_nodes):
                    spare[i] = gradient[i]
                algebra.solve(data.parents, pivots, multipliers, spare)
                for i in range(n_nodes):
                    slope += gradient[i] * spare[i]
                if slope < tolerance:
                    break
                size = 1.0
                for _ in range(30):  # from the corpus rate the full step overshoots
                    for i in range(n_nodes):
                        trial[i] = mode[i] + size * spare[i]
                    rates_of(trial, rates)
                    reached = log_likelihood(
                        f, n_tokens, data, state.exposure, ends, nodes, theta, trial, rates
                    ) - algebra.prior_energy(data.parents, precision, state.root_mean, trial)
                    if reached >= value + 1e-4 * size * slope:
                        break
                    size *= 0.5
                else:  # no step of any size is better: rounding decides, and this is the mode
                    break
                value = reached
                for i in range(n_nodes):
                    mode[i] = trial[i]
