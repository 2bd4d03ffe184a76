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
from frex.sampler.kernels.elementary import exp, log
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
    width: int = 0  #: K where every topic is in every document; 0 otherwise


class RateState(NamedTuple):
    """What the block is conditional on, and what it changes."""

    log_rates: Any  #: V x N, changed
    dispersions: Any  #: V x P
    memberships: Any  #: theta of the active labels, flat
    exposure: Any  #: N, E; 0 for the root
    root_mean: float
    root_variance: float
    curvature: Any  #: V x N, minus the likelihood's Hessian, held fixed


class WordLikelihood(NamedTuple):
    """The words' log likelihood and its slopes at some log rates."""

    value: Any  #: V
    slopes: Any  #: V x N


class Address(NamedTuple):
    """Where the block's random numbers are: `kernels/random.py`."""

    key: Any
    scan: int
    stream: int


class Tokens(NamedTuple):
    """A word's tokens in documents with several labels, gathered so that loops stay in cache."""

    ends: Any  #: where a token's labels end
    nodes: Any  #: the labels' nodes; unsigned, for an index that may be negative costs a test
    theta: Any  #: the labels' memberships
    mixed: Any  #: sum over a token's labels of theta times rate
    width: int  #: K where every token has all topics, which then need no ends and no nodes


@inner
def room(longest, width=0):
    """Return room for the tokens of a word that has most of them."""
    return Tokens(
        np.empty(longest, np.int64),
        np.empty(longest, np.uint32),
        np.empty(longest),
        np.empty(longest),
        width,
    )


@inner
def gather(f, data, memberships, tokens):
    """Copy the labels of the word's tokens; return the number of tokens."""
    first, last = data.starts[f], data.starts[f + 1]
    filled = 0
    if tokens.width:
        for token in range(first, last):
            start = data.label_starts[data.documents[token]]
            tokens.theta[filled : filled + tokens.width] = memberships[start : start + tokens.width]
            filled += tokens.width
        return last - first
    for token in range(first, last):
        d = data.documents[token]
        for label in range(data.label_starts[d], data.label_starts[d + 1]):
            tokens.nodes[filled] = data.nodes[label]
            tokens.theta[filled] = memberships[label]
            filled += 1
        tokens.ends[token - first] = filled
    return last - first


@inner
def mix(n_tokens, tokens, rates):
    """Fill the mixtures s = theta' beta of the tokens; each has two labels at least."""
    nodes, theta = tokens.nodes, tokens.theta
    if tokens.width:
        own = rates[1:]
        for token in range(n_tokens):
            shares = theta[token * tokens.width : (token + 1) * tokens.width]
            total = 0.0
            for k in range(len(shares)):
                total += shares[k] * own[k]
            tokens.mixed[token] = total
        return
    start = 0
    for token in range(n_tokens):
        total = theta[start] * rates[nodes[start]] + theta[start + 1] * rates[nodes[start + 1]]
        for label in range(start + 2, tokens.ends[token]):
            total += theta[label] * rates[nodes[label]]
        tokens.mixed[token] = total
        start = tokens.ends[token]


@inner
def rates_of(log_rates, rates):
    """Fill rates with exp(log_rates)."""
    for i in range(len(rates)):
        rates[i] = exp(log_rates[i])


@inner
def log_likelihood(f, n_tokens, data, exposure, tokens, log_rates, rates):
    """Return the word's log likelihood, of tokens that are mixed."""
    value = 0.0
    for i in range(len(rates)):
        value += data.single_counts[f, i] * log_rates[i] - exposure[i] * rates[i]
    counts = data.counts[data.starts[f] : data.starts[f + 1]]
    for token in range(n_tokens):
        value += counts[token] * log(tokens.mixed[token])
    return value


@inner
def likelihood_gradient(f, n_tokens, data, exposure, tokens, rates, gradient):
    """Fill the gradient of the word's log likelihood, of tokens that are mixed."""
    for i in range(len(rates)):
        gradient[i] = 0.0
    nodes, theta = tokens.nodes, tokens.theta
    counts = data.counts[data.starts[f] : data.starts[f + 1]]
    start = 0
    if tokens.width:
        own = gradient[1:]
        for token in range(n_tokens):
            weight = counts[token] / tokens.mixed[token]
            shares = theta[token * tokens.width : (token + 1) * tokens.width]
            for k in range(len(shares)):
                own[k] += weight * shares[k]
        n_tokens = 0
    for token in range(n_tokens):
        weight = counts[token] / tokens.mixed[token]
        gradient[nodes[start]] += weight * theta[start]
        gradient[nodes[start + 1]] += weight * theta[start + 1]
        for label in range(start + 2, tokens.ends[token]):
            gradient[nodes[label]] += weight * theta[label]
        start = tokens.ends[token]
    for i in range(len(rates)):
        gradient[i] = data.single_counts[f, i] + rates[i] * (gradient[i] - exposure[i])


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
        f, data, state, address, epsilon, splitting, tokens, space, work, log_rates, value, slopes
    ):
        """Draw a word's log rates by one trajectory; return the change of energy.

        `value` and `slopes` are filled with the likelihood at the log rates that it leaves.
        """
        n_nodes, n_stages = len(data.parents), len(splitting.drifts)
        position, rates, gradient = work[0], work[1], work[2]
        precision, momentum, velocity, end_slopes = work[3], work[4], work[5], work[6]
        n_tokens = gather(f, data, state.memberships, tokens)
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
        reached = 0.0
        before = 0.0
        change = 0.0
        for stage in range(n_stages + 1):
            mix(n_tokens, tokens, rates)
            likelihood_gradient(f, n_tokens, data, state.exposure, tokens, rates, gradient)
            if stage in (0, n_stages):  # no logarithm on the way
                before = change
                reached = log_likelihood(f, n_tokens, data, state.exposure, tokens, position, rates)
                change = reached - algebra.prior_energy(
                    data.parents, precision, state.root_mean, position
                )
                if stage == 0:
                    change -= 0.5 * kinetic
                    value[f] = reached
                    for i in range(n_nodes):
                        slopes[f, i] = gradient[i]
                else:
                    for i in range(n_nodes):
                        end_slopes[i] = gradient[i]
            algebra.add_prior_gradient(data.parents, precision, state.root_mean, position, gradient)
            kick = splitting.kicks[stage] * epsilon
            for i in range(n_nodes):
                momentum[i] += kick * gradient[i]
                velocity[i] = momentum[i]
            solve(data.parents, space, velocity)
            if stage < n_stages:
                drift = splitting.drifts[stage] * epsilon
                for i in range(n_nodes):
                    position[i] += drift * velocity[i]
                rates_of(position, rates)
        kinetic = 0.0
        for i in range(n_nodes):
            kinetic += momentum[i] * velocity[i]
        change -= 0.5 * kinetic + before
        if math.isfinite(change) and math.log(u) < change:
            value[f] = reached
            for i in range(n_nodes):
                log_rates[f, i] = position[i]
                slopes[f, i] = end_slopes[i]
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
def update_rates(data, state, address, step, splitting, accepted, energy, value, slopes):
    """Draw every word's log rates by one trajectory; fill what each one did, and its likelihood."""
    n_nodes = len(data.parents)
    log_rates = state.log_rates
    for b in prange(len(data.bin_starts) - 1):
        tokens = room(data.longest, data.width)
        space = np.empty((3, n_nodes))
        work = np.empty((7, n_nodes))
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            energy[f] = update_word_tree(
                f, data, state, address, step[f], splitting,
                tokens, space, work, log_rates, value, slopes,
            )  # fmt: skip
            accepted[f] = acceptance(energy[f])


@parallel
def find_rate_modes(data, state, n_iterations, tolerance, modes):
    """Find every word's conditional mode by Newton steps with the tree's curvature, halved if need.

    `modes` holds where to start, and then the modes.
    """
    n_nodes = len(data.parents)
    for b in prange(len(data.bin_starts) - 1):
        tokens = room(data.longest, data.width)
        work = np.empty((8, n_nodes))
        rates, gradient, precision, curvature = work[0], work[1], work[2], work[3]
        pivots, multipliers, spare, trial = work[4], work[5], work[6], work[7]
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            n_tokens = gather(f, data, state.memberships, tokens)
            precisions(f, data, state, precision)
            mode = modes[f]
            rates_of(mode, rates)
            mix(n_tokens, tokens, rates)
            value = log_likelihood(
                f, n_tokens, data, state.exposure, tokens, mode, rates
            ) - algebra.prior_energy(data.parents, precision, state.root_mean, mode)
            for _ in range(n_iterations):
                likelihood_gradient(f, n_tokens, data, state.exposure, tokens, rates, gradient)
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
                    mix(n_tokens, tokens, rates)
                    reached = log_likelihood(
                        f, n_tokens, data, state.exposure, tokens, trial, rates
                    ) - algebra.prior_energy(data.parents, precision, state.root_mean, trial)
                    if reached >= value + 1e-4 * size * slope:
                        break
                    size *= 0.5
                else:  # no step of any size is better: rounding decides, and this is the mode
                    break
                value = reached
                for i in range(n_nodes):
                    mode[i] = trial[i]
