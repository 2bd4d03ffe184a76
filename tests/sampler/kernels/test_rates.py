import numpy as np
import pytest
from hypothesis import given, settings
from problems import PRIORS, make_problem, problems
from python_calls import FromPython
from scipy.optimize import minimize
from states import chain_state, sampler_of

from frex.model import rates as model
from frex.sampler.kernels import rates_dense
from frex.sampler.kernels import words as word_kernels
from frex.sampler.state import Clock
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])
words = FromPython(word_kernels)
compiling = settings(deadline=None, max_examples=30)


def prior_of(problem, f):
    hyper, tau2 = problem.state.hyper, np.exp(problem.state.log_dispersions[f])
    return problem.tree, hyper.root_mean, hyper.root_variance, tau2


@compiling
@given(problems())
def test_likelihood_and_gradient_are_those_of_the_model(problem):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    data, total = sampler.engine.data.words, sampler.documents.exposure(state)
    conditional = sampler.context(state).words().given(state)
    own, gradient = np.empty((2, problem.tree.n_nodes))
    for f, word in enumerate(model.words_of(problem.reduced, problem.memberships)):
        at = state.log_rates[f]
        value = words.likelihood(f, data, conditional, at, own, gradient, np.empty(data.longest))
        assert value == pytest.approx(model.rate_log_likelihood(at, *word, total[1:]))
        reference = model.rate_gradient(at, *word, total[1:])
        np.testing.assert_allclose(gradient, reference, rtol=1e-10, atol=1e-10)


def test_wider_numbers_say_the_same():
    """A corpus with more of anything than is usual has them: then all kernels are compiled anew."""
    problem = make_problem(TREE, 1, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    data = sampler.engine.data.words
    wide = data._replace(
        counts=data.counts.astype(np.uint32),
        sizes=data.sizes.astype(np.uint32),
        nodes=data.nodes.astype(np.uint32),
        single_counts=data.single_counts.astype(np.float64),
    )
    assert len(data.sizes)
    conditional = sampler.context(state).words().given(state)
    own, usual, wider = np.empty((3, TREE.n_nodes))
    for f, at in enumerate(state.log_rates):
        mixed = np.empty(data.longest)
        value = words.likelihood(f, data, conditional, at, own, usual, mixed)
        assert words.likelihood(f, wide, conditional, at, own, wider, mixed) == value
        assert np.array_equal(usual, wider)


@pytest.mark.parametrize("seed", range(4))
def test_modes_are_where_an_optimiser_ends(seed):
    problem = make_problem(TREE, seed, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    total = sampler.documents.exposure(state)
    sampler.context(state).words().find_modes(state)
    modes = sampler.engine.workspace.read("modes")
    for f, word in enumerate(model.words_of(problem.reduced, problem.memberships)):
        prior = prior_of(problem, f)

        def energy(at, word=word, prior=prior):
            return -model.rate_log_likelihood(at, *word, total[1:]) - model.rate_prior_log_density(
                at, *prior
            )

        def slope(at, word=word, prior=prior):
            return -model.rate_gradient(at, *word, total[1:]) - model.rate_prior_gradient(
                at, *prior
            )

        best = minimize(energy, np.zeros(TREE.n_nodes), jac=slope, method="BFGS").x
        # the search stops when a step would gain 1e-6: the distance is a thousandth of a spread
        np.testing.assert_allclose(modes[f], best, atol=5e-3)
        assert energy(modes[f]) <= energy(best) + 1e-6
        curvature = model.tree_curvature(modes[f], total[1:])
        np.testing.assert_allclose(sampler.words.curvature[f], curvature, rtol=1e-12)


@pytest.mark.parametrize("curvature", ["tree", "dense"])
def test_a_word_leaves_the_likelihood_of_where_it_is_left(curvature):
    problem = make_problem(TREE, 1, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS, curvature=curvature), chain_state(problem)
    total, context = sampler.documents.exposure(state), sampler.context(state)
    block = sampler.blocks["rates"]
    block.refresh(context)
    block.step.value[:] = 0.5  # long enough that some are rejected
    before = state.log_rates.copy()
    block.update(context, Clock(1, 0, 0))
    moved = (state.log_rates != before).any(axis=1)
    assert 0 < moved.sum() < len(moved)
    value, slopes = sampler.words.likelihood
    for f, word in enumerate(model.words_of(problem.reduced, problem.memberships)):
        at = state.log_rates[f]
        assert value[f] == pytest.approx(model.rate_log_likelihood(at, *word, total[1:]))
        reference = model.rate_gradient(at, *word, total[1:])
        np.testing.assert_allclose(slopes[f], reference, rtol=1e-9, atol=1e-9)


def test_the_mode_is_found_from_far_away():
    problem = make_problem(TREE, 1, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    sampler.context(state).words().find_modes(state)
    sampler.words.move_to_modes(state)
    near = state.log_rates.copy()
    for far in (-12.0, 6.0):
        state.log_rates[:] = far
        sampler.words.find_modes(state)
        sampler.words.move_to_modes(state)
        np.testing.assert_allclose(state.log_rates, near, atol=5e-3)


@compiling
@given(problems())
def test_dense_curvature_is_minus_the_hessian_made_semidefinite(problem):
    sampler, state = sampler_of(problem, PRIORS, "dense"), chain_state(problem)
    total = sampler.documents.exposure(state)
    conditional, curvature = sampler.context(state).words().given(state), sampler.words.curvature
    rates_dense.curvature_at(sampler.engine.data.words, conditional, state.log_rates, curvature)
    for f, word in enumerate(model.words_of(problem.reduced, problem.memberships)):
        log_rates, found = state.log_rates[f], curvature[f]
        hessian = model.rate_hessian(log_rates, *word[1:], total[1:])
        # the Hessian's diagonal is G - sum w p^2, and what is negative of -G is left out
        excess = np.append(0.0, word.single_counts) - model.rate_gradient(
            log_rates, *word, total[1:]
        )
        expected = -hessian + np.diag(np.maximum(-excess, 0.0))
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        assert np.linalg.eigvalsh(found).min() > -1e-9 * max(1.0, np.abs(found).max())


@pytest.mark.parametrize("curvature", ["tree", "dense"])
@pytest.mark.parametrize("step", [50.0, 1e200])
def test_a_diverged_trajectory_is_rejected(curvature, step):
    problem = make_problem(TREE, 1)
    sampler, state = sampler_of(problem, PRIORS, curvature), chain_state(problem)
    before = state.log_rates.copy()
    block = sampler.blocks["rates"]
    block.step.value[:] = step
    moves = block.update(sampler.context(state), Clock(1, 0, 0))
    assert moves.energy > 10
    assert (moves.items < 1e-4).all()
    assert np.array_equal(state.log_rates, before)
