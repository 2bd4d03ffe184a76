import numpy as np
import pytest
from derivatives import assert_derivative
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import PRIORS, make_problem, problems
from states import chain_state, sampler_of

from frex.model import dispersions as model
from frex.model.hyperparameters import affinity_hyper_log_density, affinity_statistics
from frex.sampler.blocks.coordinates import affinity_position, is_supported, with_affinity
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])
SEEDS = st.integers(0, 2**32 - 1)
compiling = settings(deadline=None, max_examples=30)


@compiling
@given(problems(), st.floats(-1, 3), st.floats(-4, 2))
def test_dispersion_density_is_that_of_the_model(problem, log_nu, log_sigma2):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    squares = sampler.words.squares(state.log_rates)
    np.testing.assert_allclose(
        squares, model.deviation_squares(problem.tree, state.log_rates), rtol=1e-12
    )
    block, sizes = sampler.blocks["dispersion_hyper"], model.group_sizes(problem.tree)

    def value(at):
        groups = model.group_log_density(*at, squares, sizes)
        return (
            groups.sum()
            + PRIORS.log_dispersion_df.log_density(at[0])
            + PRIORS.log_dispersion_scale.log_density(at[1])
        )

    at = np.array([log_nu, log_sigma2])
    found, gradient = block.log_density(at, squares, sampler.words)
    hessian = block.hessian(at, squares, sampler.words)
    assert found == pytest.approx(value(at), rel=1e-11, abs=1e-10)
    assert_derivative(gradient, value, at)
    alone = block.log_density(at, squares, sampler.words, with_value=False)[1]
    np.testing.assert_array_equal(alone, gradient)
    assert_derivative(hessian, lambda x: block.log_density(x, squares, sampler.words)[1], at)


@compiling
@given(problems())
def test_all_groups_have_the_models_gradient_and_hessian(problem):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    squares, sizes = sampler.words.squares(state.log_rates), model.group_sizes(problem.tree)
    at = np.log([state.hyper.dispersion_df, state.hyper.dispersion_scale])
    block = sampler.blocks["dispersion_hyper"]
    gradient = block.log_density(at, squares, sampler.words)[1]
    hessian = block.hessian(at, squares, sampler.words)
    priors = PRIORS.log_dispersion_df, PRIORS.log_dispersion_scale
    slopes = [prior.gradient(x) for prior, x in zip(priors, at, strict=True)]
    bends = np.diag([prior.second_derivative(x) for prior, x in zip(priors, at, strict=True)])
    expected = model.dispersion_gradient(*at, squares, sizes) + slopes
    np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-9)
    expected = model.dispersion_hessian(*at, squares, sizes) + bends
    np.testing.assert_allclose(hessian, expected, rtol=1e-9, atol=1e-9)


@compiling
@given(problems(), SEEDS)
def test_affinity_density_is_the_models_with_its_prior(problem, seed):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    statistics = affinity_statistics(problem.reduced, state.affinities)
    block = sampler.blocks["affinity_hyper"]
    position = affinity_position(state.hyper)
    position += np.random.default_rng(seed).normal(0, 0.3, len(position))

    def value(at):
        return (
            affinity_hyper_log_density(at[:-1], at[-1], statistics)
            + PRIORS.affinity_mean.log_density(at[:-1]).sum()
            + PRIORS.affinity_sd.log_density_of_log(at[-1])
        )

    found, gradient = block.log_density(position, statistics)
    assert found == pytest.approx(value(position), rel=1e-11)
    assert_derivative(gradient, value, position)
    alone = block.log_density(position, statistics, with_value=False)[1]
    np.testing.assert_array_equal(alone, gradient)
    hessian = block.hessian(position, statistics)
    assert_derivative(hessian, lambda at: block.log_density(at, statistics)[1], position)


@pytest.mark.parametrize("conditioned", [False, True])
def test_refresh_finds_modes_from_anywhere(conditioned):
    problem = make_problem(TREE, 1, n_documents=30, n_words=12, conditioned=conditioned)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    squares = sampler.words.squares(state.log_rates)
    statistics = affinity_statistics(problem.reduced, state.affinities)
    far = state.hyper._replace(
        dispersion_df=500.0,
        dispersion_scale=1e-4,
        affinity_mean=np.full(5, 6.0),
        affinity_variance=400.0,
    )
    rare = far._replace(affinity_mean=np.full(5, -40.0), affinity_variance=0.1)
    for start in (state.hyper, far, rare):
        mode = sampler.blocks["dispersion_hyper"].fit_mode(start, squares, sampler.words)
        at = np.log([mode.dispersion_df, mode.dispersion_scale])
        block = sampler.blocks["dispersion_hyper"]
        gradient = block.log_density(at, squares, sampler.words)[1]
        hessian = block.hessian(at, squares, sampler.words)
        np.testing.assert_allclose(np.linalg.solve(hessian, gradient), 0, atol=1e-3)
        lower = sampler.blocks["dispersion_hyper"].lower
        np.testing.assert_allclose(lower @ lower.T, -hessian, rtol=1e-8)
        at = affinity_position(sampler.blocks["affinity_hyper"].fit_mode(start, statistics))
        gradient = sampler.blocks["affinity_hyper"].log_density(at, statistics)[1]
        hessian = sampler.blocks["affinity_hyper"].hessian(at, statistics)
        np.testing.assert_allclose(np.linalg.solve(hessian, gradient), 0, atol=1e-3)
        lower = sampler.blocks["affinity_hyper"].lower
        np.testing.assert_allclose(lower @ lower.T, -hessian, rtol=1e-8, atol=1e-8)


def test_densities_far_outside_are_zero_and_cost_nothing():
    """Their gradients are no numbers, so that a trajectory is rejected that computes only these."""
    problem = make_problem(TREE, 1)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    statistics = affinity_statistics(problem.reduced, state.affinities)
    for log_sd in (-1e3, 19.0, 1e3, np.nan):  # lambda of e^19 would take 10^10 points
        assert not is_supported(log_sd)
        value, gradient = sampler.blocks["affinity_hyper"].log_density(
            np.append(np.zeros(5), log_sd), statistics
        )
        assert value == -np.inf
        assert np.isnan(gradient).all()
    squares = sampler.words.squares(state.log_rates)
    for at in ([800.0, 0.0], [-800.0, 0.0], [0.0, -900.0], [np.nan, 0.0]):
        value, gradient = sampler.blocks["dispersion_hyper"].log_density(
            np.array(at), squares, sampler.words
        )
        assert value == -np.inf
        assert np.isnan(gradient).all()


def test_a_position_carries_eta_and_log_lambda():
    hyper = make_problem(TREE, 1).state.hyper
    again = with_affinity(hyper._replace(affinity_variance=1.0), affinity_position(hyper))
    np.testing.assert_array_equal(again.affinity_mean, hyper.affinity_mean)
    assert again.affinity_variance == pytest.approx(hyper.affinity_variance, rel=1e-14)
