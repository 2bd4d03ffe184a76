"""The rate block: for every word one Hamiltonian trajectory of its log rates, and its mode.

    log density   log likelihood (`kernels/words.py`) - (mu - psi)' Lambda (mu - psi) / 2

Eight words go side by side through the stages of their trajectories. Logarithms are taken at the
two ends only.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from frex.sampler.formulas.moves import acceptance, gains_enough, is_accepted, jittered
from frex.sampler.formulas.random import uniforms
from frex.sampler.formulas.rows import load, store
from frex.sampler.formulas.words import curvature_of
from frex.sampler.kernels import tree as algebra
from frex.sampler.kernels import words
from frex.sampler.kernels.options import inlined, inner, parallel, routine
from frex.sampler.kernels.random import fill_normals
from frex.sampler.kernels.space import space
from frex.sampler.kernels.vectors import LANES


class Eight(NamedTuple):
    """Work space of eight words: nodes x lanes, then one row of lanes each."""

    position: Any
    rates: Any
    flat_position: Any  #: the same, one lane behind the other
    flat_rates: Any
    gradient: Any
    precision: Any
    momentum: Any
    velocity: Any
    single: Any  #: counts in single-label documents
    slopes: Any  #: the likelihood's at the end
    factors: Any  #: exp of the offsets
    groups: Any  #: groups x lanes, the precision of their log rates
    change: Any  #: of energy
    reached: Any  #: the likelihood at the end
    logs: Any  #: the tokens' part of it
    epsilon: Any
    uniform: Any


@inlined
def eight(n_nodes, n_groups):
    """Return work space."""
    many, one = np.empty((9, n_nodes, LANES)), np.zeros((5, 1, LANES))
    groups = np.empty((n_groups, LANES))
    return Eight(
        many[0], many[1], many[0].reshape(-1), many[1].reshape(-1), many[2], many[3], many[4],
        many[5], many[6], many[7], many[8],
        groups, one[0], one[1], one[2], one[3], one[4],
    )  # fmt: skip


@inlined
def draw_momenta(chosen, address, step, normals, own):
    """Fill standard normals, the jittered steps, and the uniforms that decide."""
    for lane in range(LANES):
        f = chosen[lane]
        draw = fill_normals(address.key, f, address.scan, address.stream, 0, normals)
        for i in range(len(normals)):
            own.momentum[i, lane] = normals[i]
        jitter, u = uniforms(address.key, f, address.scan, address.stream, draw)
        own.epsilon[0, lane] = jittered(step[f], jitter)
        own.uniform[0, lane] = u


@inlined
def put_precisions(chosen, data, state, own):
    """Fill each node's precision about its parent, first the root's about its mean."""
    words.put_side_by_side(chosen, state.dispersions, own.groups)
    words.put_below(chosen, state.fixed, data.n_groups, own.groups)
    for g in range(len(own.groups)):
        store(own.groups, g, 1.0 / load(own.groups, g))
    for i in range(1, len(data.parents)):
        store(own.precision, i, load(own.groups, data.groups[i]))
    for lane in range(LANES):
        own.precision[0, lane] = 1.0 / state.root_variance
    if len(state.fixed) > 0:
        store(own.precision, 0, load(own.groups, data.n_groups))


@routine
def product(a, b):
    """Return the sum over nodes of a times b."""
    total = load(a, 0) * load(b, 0)
    for i in range(1, len(a)):
        total = total + load(a, i) * load(b, i)
    return total


@inner
def log_density(parents, state, own):
    """Return the words' log densities, and note their likelihoods; the tokens' logs are known."""
    part = words.single_part(own.single, state.exposure, own.position, own.rates)
    store(own.reached, 0, part + load(own.logs, 0))
    prior = algebra.prior_energy(parents, own.precision, state.root_mean, own.position)
    return load(own.reached, 0) - prior


def trajectories(prepare, to_momenta, solve):
    """Build the update of eight words for a kind of mass.

    Parameters
    ----------
    prepare
        Fill the words' workspace from their curvature and prior precision.
    to_momenta
        Turn normals into momenta.
    solve
        Turn momenta into velocities.
    """

    @inlined
    def update_eight(
        chosen, n, data, state, address, step, splitting, own, space, one, mixed, value, slopes
    ):
        """Take eight words, of which n count, along their trajectories.

        `value` and `slopes` are filled with the likelihood where they start.
        """
        parents, n_stages = data.parents, len(splitting.drifts)
        words.put_side_by_side(chosen, state.log_rates, own.position)
        words.put_side_by_side(chosen, data.single_counts, own.single)
        words.put_side_by_side(chosen, data.factors, own.factors)
        put_precisions(chosen, data, state, own)
        prepare(parents, chosen, own.precision, state.curvature, space)
        draw_momenta(chosen, address, step, one[0], own)
        kinetic = product(own.momentum, own.momentum)  # p' M^-1 p is the square of the normals
        to_momenta(parents, space, own.momentum)
        epsilon = load(own.epsilon, 0)
        for stage in range(n_stages + 1):
            words.rates_of(own.flat_position, own.flat_rates)
            words.add_offsets_of_eight(data, own.factors, own.rates)
            words.add_all_tokens(
                chosen, n, data, state.theta, own.rates, own.gradient, mixed, one,
                stage in (0, n_stages), own.logs,  # no logarithm on the way
            )  # fmt: skip
            words.finish_gradient(own.single, state.exposure, own.rates, own.gradient)
            if stage == 0:
                store(own.change, 0, 0.5 * kinetic - log_density(parents, state, own))
                for lane in range(n):
                    value[chosen[lane]] = own.reached[0, lane]
                words.leave(chosen, n, own.gradient, slopes)
            elif stage == n_stages:
                store(own.change, 0, load(own.change, 0) + log_density(parents, state, own))
                for i in range(len(parents)):
                    store(own.slopes, i, load(own.gradient, i))
            algebra.add_prior_gradient(
                parents, own.precision, state.root_mean, own.position, own.gradient
            )
            kick = epsilon * splitting.kicks[stage]
            for i in range(len(parents)):
                momentum = load(own.momentum, i) + kick * load(own.gradient, i)
                store(own.momentum, i, momentum)
                store(own.velocity, i, momentum)
            solve(parents, space, own.velocity)
            if stage < n_stages:
                drift = epsilon * splitting.drifts[stage]
                for i in range(len(parents)):
                    store(own.position, i, load(own.position, i) + drift * load(own.velocity, i))
        kinetic = product(own.momentum, own.velocity)
        store(own.change, 0, load(own.change, 0) - 0.5 * kinetic)

    return update_eight


@inlined
def decide(chosen, n, own, log_rates, accepted, energy, value, slopes):
    """Note what the trajectories did, and keep those ends that are accepted."""
    for lane in range(n):
        f, change = chosen[lane], own.change[0, lane]
        energy[f] = change
        accepted[f] = acceptance(change)
        if is_accepted(change, own.uniform[0, lane]):
            value[f] = own.reached[0, lane]
            for i in range(len(own.position)):
                log_rates[f, i] = own.position[i, lane]
                slopes[f, i] = own.slopes[i, lane]


@inlined
def n_variances(state):
    """Return how many variances about their parents a word's log rates have."""
    return state.dispersions.shape[1] + state.fixed.shape[1]


class TreeSpace(NamedTuple):
    """Work space for eight words' factors, nodes x lanes each."""

    inverses: Any
    multipliers: Any
    carried: Any
    curvature: Any


@inlined
def prepare_tree(parents, chosen, precision, curvature, space):
    """Factor Lambda + diag(curvature)."""
    words.put_side_by_side(chosen, curvature, space.curvature)
    algebra.factor(
        parents, precision, space.curvature, space.inverses, space.multipliers, space.carried
    )


@inlined
def momenta_of_tree(parents, space, x):
    """Turn normals into momenta."""
    algebra.to_momenta(parents, space.inverses, space.multipliers, x)


@inlined
def velocities_of_tree(parents, space, x):
    """Turn momenta into velocities."""
    algebra.solve(parents, space.inverses, space.multipliers, x)


update_eight_tree = trajectories(prepare_tree, momenta_of_tree, velocities_of_tree)


@parallel("data.bin_order")
def update_rates(stretch, data, state, address, step, splitting, accepted, energy, value, slopes):
    """Draw every word's log rates by one trajectory; fill what each one did, and its likelihood."""
    n_nodes = len(data.parents)
    log_rates = state.log_rates
    chosen, own = np.empty(LANES, np.int64), eight(n_nodes, n_variances(state))
    many = np.empty((4, n_nodes, LANES))
    space = TreeSpace(many[0], many[1], many[2], many[3])
    one, mixed = np.empty((2, n_nodes)), np.empty(data.longest)
    for turn in range(*stretch):
        b = data.bin_order[turn]
        end = data.bin_starts[b + 1]
        for place in range(data.bin_starts[b], end, LANES):
            n = words.choose(place, end, data.bin_words, chosen)
            update_eight_tree(
                chosen, n, data, state, address, step, splitting, own, space, one, mixed,
                value, slopes,
            )  # fmt: skip
            decide(chosen, n, own, log_rates, accepted, energy, value, slopes)


@parallel("data.bin_order")
def find_rate_modes(stretch, data, state, n_iterations, tolerance, modes):
    """Find every word's conditional mode by Newton steps with the tree's curvature, halved if need.

    `modes` holds where to start, and then the modes.
    """
    n_nodes = len(data.parents)
    mixed = np.empty(data.longest)
    work = space(9, n_nodes)
    rates, gradient, precision, curvature = work[0], work[1], work[2], work[3]
    inverses, multipliers, spare, trial, slopes = work[4], work[5], work[6], work[7], work[8]
    for turn in range(*stretch):
        b = data.bin_order[turn]
        for place in range(data.bin_starts[b], data.bin_starts[b + 1]):
            f = data.bin_words[place]
            words.precisions(f, data, state, precision)
            mode = modes[f]
            value = words.likelihood(f, data, state, mode, rates, gradient, mixed)
            value -= algebra.prior_energy(data.parents, precision, state.root_mean, mode)
            for _ in range(n_iterations):
                algebra.add_prior_gradient(data.parents, precision, state.root_mean, mode, gradient)
                for i in range(n_nodes):
                    curvature[i] = curvature_of(rates[i], state.exposure[i])
                    spare[i] = gradient[i]
                algebra.factor(data.parents, precision, curvature, inverses, multipliers, trial)
                algebra.solve(data.parents, inverses, multipliers, spare)
                slope = product(gradient, spare)
                if slope < tolerance:
                    break
                size = 1.0
                for _ in range(30):  # from the corpus rate the full step overshoots
                    for i in range(n_nodes):
                        trial[i] = mode[i] + size * spare[i]
                    reached = words.likelihood(f, data, state, trial, rates, slopes, mixed)
                    reached -= algebra.prior_energy(data.parents, precision, state.root_mean, trial)
                    if gains_enough(reached, value, size, slope):
                        break
                    size *= 0.5
                else:  # no step of any size is better: rounding decides, and this is the mode
                    break
                value = reached
                for i in range(n_nodes):
                    mode[i] = trial[i]
                    gradient[i] = slopes[i]
