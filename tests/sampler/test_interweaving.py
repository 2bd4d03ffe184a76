import numpy as np
import pytest
from derivatives import assert_derivative
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import PRIORS, make_problem, problems
from states import chain_state, sampler_of

from frex.model import interweaving as model
from frex.model.hyperparameters import affinity_statistics
from frex.model.process import active_affinities, memberships
from frex.sampler.hyperparameters import affinity_position
from frex.sampler.kernels import interweaving as kernels
from frex.sampler.state import Clock
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])
SEEDS = st.integers(0, 2**32 - 1)
compiling = settings(deadline=None, max_examples=30)


def standardised(problem):
    hyper = problem.state.hyper
    log_sd = 0.5 * np.log(hyper.affinity_variance)
    return model.standardise(problem.affinities, hyper.affinity_mean, log_sd, problem.reduced)


@compiling
@given(problems(), SEEDS)
def test_affinity_density_is_the_models_with_its_prior(problem, seed):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    z = standardised(problem)
    statistics = affinity_statistics(problem.reduced, state.affinities)
    conditional = sampler.affinities.conditional(state, *sampler.exponentiated(state))
    position = affinity_position(state.hyper)
    position += np.random.default_rng(seed).normal(0, 0.3, len(position))

    def value(at):
        words = (at[:-1], at[-1], z, problem.reduced, problem.rates)
        return (
            model.affinity_interweaving_log_density(*words)
            + PRIORS.affinity_mean.log_density(at[:-1]).sum()
            + PRIORS.affinity_sd.log_density_of_log(at[-1])
        )

    block = sampler.affinity_interweaving
    found, gradient = block.density(position, z, conditional, statistics)
    assert found == pytest.approx(value(position), rel=1e-11)
    assert_derivative(gradient, value, position)


@compiling
@given(problems(), SEEDS, st.floats(-0.7, 0.7))
def test_weak_group_density_is_the_models_with_its_prior(problem, seed, log_factor):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    hyper, block = state.hyper, sampler.dispersion_interweaving
    block.weak[:] = np.random.default_rng(seed).random(block.weak.shape) < 0.5
    conditional = sampler.rates.conditional(state, sampler.exposure(state))
    log_nu, log_sigma2 = np.log([hyper.dispersion_df, hyper.dispersion_scale])
    start = model.WeakStart(state.log_rates, block.weak, log_nu, log_sigma2)

    def value(at):
        words = model.weak_group_log_density(at[0], start, problem.reduced, problem.memberships)
        prior = PRIORS.log_dispersion_scale.log_density(log_sigma2 + 2 * at[0])
        return words + prior + PRIORS.log_dispersion_df.log_density(log_nu)

    at, squares = np.array([log_factor]), sampler.squares(state)
    found, slope = block.density(at, hyper, conditional, squares)
    assert found == pytest.approx(value(at), rel=1e-11)
    assert_derivative(slope, value, at)


@compiling
@given(problems(), SEEDS)
def test_weak_groups_and_their_scaling_are_the_models(problem, seed):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    data, weak = sampler.data.words, sampler.dispersion_interweaving.weak
    total = sampler.exposure(state)
    kernels.weak_groups(data, np.exp(state.log_rates), total, 3.0, weak)
    expected = model.weak_groups(problem.tree, state.log_rates, total[1:])
    assert np.array_equal(weak, expected)
    weak[:] = np.random.default_rng(seed).random(weak.shape) < 0.5
    moved = state.log_rates.copy()
    kernels.apply_scaling(data, moved, weak, np.exp(0.4))
    expected = model.scale_weak_deviations(problem.tree, state.log_rates, weak, 0.4)
    np.testing.assert_allclose(moved, expected, rtol=1e-12, atol=1e-12)


def test_affinities_move_along_and_stay_standardised():
    problem = make_problem(TREE, 2, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    statistics = affinity_statistics(problem.reduced, state.affinities)
    conditional = sampler.affinities.conditional(state, *sampler.exponentiated(state))
    sampler.affinity_interweaving.step.value[:] = 0.02
    sampler.affinity_interweaving.update(state, conditional, statistics, Clock(1, 0, 0))
    assert state.hyper.affinity_variance != problem.state.hyper.affinity_variance
    log_sd = 0.5 * np.log(state.hyper.affinity_variance)
    z = model.standardise(state.affinities, state.hyper.affinity_mean, log_sd, problem.reduced)
    np.testing.assert_allclose(z, standardised(problem), rtol=1e-10, atol=1e-12)
    several = problem.reduced.documents
    xi = problem.state.affinities[several].copy()
    xi[problem.labels[several]] = state.affinities
    expected = memberships(active_affinities(xi, problem.labels[several])).data
    np.testing.assert_allclose(state.memberships, expected, rtol=1e-12)


def test_weak_deviations_move_along_with_sigma_and_strong_ones_stay():
    problem = make_problem(TREE, 2, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    block = sampler.dispersion_interweaving
    block.weak[:, 0], block.weak[:, 1:] = True, False
    before, squares = state.log_rates.copy(), sampler.squares(state)
    conditional = sampler.rates.conditional(state, sampler.exposure(state))
    block.step.value[:] = 0.05
    move = block.update(state, conditional, squares, Clock(1, 0, 0))
    factor = np.exp(move.position[0])
    assert factor != 1
    after = sampler.squares(state)
    np.testing.assert_allclose(after[:, 0], factor**2 * squares[:, 0], rtol=1e-9)
    np.testing.assert_allclose(after[:, 1:], squares[:, 1:], rtol=1e-9)
    np.testing.assert_array_equal(state.log_rates[:, 0], before[:, 0])
    scale = problem.state.hyper.dispersion_scale
    assert state.hyper.dispersion_scale == pytest.approx(factor**2 * scale)
