import numpy as np
import pytest
from derivatives import assert_derivative
from hypothesis import given
from hypothesis import strategies as st
from problems import make_problem, problems
from scipy import stats
from strategies import trees

from frex.model import rates
from frex.model.process import parent_nodes
from frex.model.reductions import exposure
from frex.tree import TopicTree

SEEDS = st.integers(0, 2**32 - 1)


def log_rate_prior(tree, seed):
    rng = np.random.default_rng(seed)
    dispersions = rng.uniform(0.1, 3, len(parent_nodes(tree)))
    return (
        rng.normal(size=tree.n_nodes),
        float(rng.normal()),
        float(rng.uniform(0.2, 2)),
        dispersions,
    )


@given(trees(), SEEDS)
def test_the_prior_is_a_gaussian_with_the_trees_precision(tree, seed):
    log_rates, mean, variance, dispersions = log_rate_prior(tree, seed)
    precision = rates.tree_precision(tree, variance, dispersions)
    gaussian = stats.multivariate_normal(
        np.full(tree.n_nodes, mean), np.linalg.inv(precision), allow_singular=True
    )
    density = rates.rate_prior_log_density(log_rates, tree, mean, variance, dispersions)
    assert density == pytest.approx(gaussian.logpdf(log_rates), rel=1e-9, abs=1e-9)


@given(trees(), SEEDS)
def test_prior_gradient_and_precision_are_its_derivatives(tree, seed):
    log_rates, *prior = log_rate_prior(tree, seed)
    _, variance, dispersions = prior
    assert_derivative(
        rates.rate_prior_gradient(log_rates, tree, *prior),
        lambda at: rates.rate_prior_log_density(at, tree, *prior),
        log_rates,
    )
    assert_derivative(
        -rates.tree_precision(tree, variance, dispersions),
        lambda at: rates.rate_prior_gradient(at, tree, *prior),
        log_rates,
    )


@given(problems())
def test_likelihood_gradient_and_hessian_are_its_derivatives(problem):
    total = exposure(problem.reduced, problem.memberships)
    for log_rates, word in zip(
        problem.state.log_rates, rates.words_of(problem.reduced, problem.memberships), strict=True
    ):
        assert_derivative(
            rates.rate_gradient(log_rates, *word, total),
            lambda at, word=word: rates.rate_log_likelihood(at, *word, total),
            log_rates,
        )
        assert_derivative(
            rates.rate_hessian(log_rates, *word[1:], total),
            lambda at, word=word: rates.rate_gradient(at, *word, total),
            log_rates,
        )


@given(problems())
def test_dense_and_sparse_memberships_are_the_same(problem):
    total = exposure(problem.reduced, problem.memberships)
    log_rates = problem.state.log_rates[0]
    word = next(rates.words_of(problem.reduced, problem.memberships))
    dense = word._replace(memberships=word.memberships.toarray())
    for function in (rates.rate_log_likelihood, rates.rate_gradient):
        assert function(log_rates, *word, total) == pytest.approx(
            function(log_rates, *dense, total), rel=1e-13
        )
    assert np.array_equal(
        rates.rate_hessian(log_rates, *word[1:], total),
        rates.rate_hessian(log_rates, *dense[1:], total),
    )


def test_tree_curvature_is_minus_the_hessian_when_documents_have_one_label():
    problem = make_problem(TopicTree(["a", "b"], [None, "a"]), 1)
    log_rates, total = problem.state.log_rates[0], np.array([3.0, 0.7])
    nothing = np.empty(0, dtype=np.int32), np.empty((0, 2))
    curvature = rates.tree_curvature(log_rates, total)
    assert curvature[0] == 0
    assert np.array_equal(np.diag(curvature), -rates.rate_hessian(log_rates, *nothing, total))


def random_matrix(tree, seed):
    """A positive definite matrix with the tree's pattern, couplings of both signs."""
    rng = np.random.default_rng(seed)
    coupling = rng.normal(size=tree.n_nodes)
    dense = np.zeros((tree.n_nodes, tree.n_nodes))
    nodes, parents = np.arange(1, tree.n_nodes), tree.parents[1:]
    dense[nodes, parents] = dense[parents, nodes] = coupling[1:]
    diagonal = np.abs(dense).sum(axis=1) + rng.uniform(0.05, 2, tree.n_nodes)
    np.fill_diagonal(dense, diagonal)
    return dense, rates.tree_factor(tree.parents, diagonal, coupling)


@given(trees(), SEEDS)
def test_tree_factor_is_the_dense_cholesky_of_children_before_parents(tree, seed):
    dense, factor = random_matrix(tree, seed)
    cholesky = np.linalg.cholesky(dense[::-1, ::-1])[::-1, ::-1]
    assert np.sqrt(factor.pivots) == pytest.approx(np.diag(cholesky), rel=1e-12)
    assert np.count_nonzero(np.abs(cholesky) > 1e-12) <= 2 * tree.n_nodes - 1  # no fill-in
    identity = np.eye(tree.n_nodes)
    sampled = np.array([rates.tree_sample(factor, row) for row in identity]).T
    assert sampled == pytest.approx(cholesky, rel=1e-12, abs=1e-12)


@given(trees(), SEEDS)
def test_tree_solve_and_both_samples_are_the_dense_ones(tree, seed):
    dense, factor = random_matrix(tree, seed)
    inverse, identity = np.linalg.inv(dense), np.eye(tree.n_nodes)
    solved = np.array([rates.tree_solve(factor, row) for row in identity])
    assert solved == pytest.approx(inverse, rel=1e-9, abs=1e-11)
    momentum = np.array([rates.tree_sample(factor, row) for row in identity]).T
    assert momentum @ momentum.T == pytest.approx(dense, rel=1e-11, abs=1e-11)
    position = np.array([rates.tree_sample_inverse(factor, row) for row in identity]).T
    assert position @ position.T == pytest.approx(inverse, rel=1e-9, abs=1e-11)
    assert np.log(factor.pivots).sum() == pytest.approx(np.linalg.slogdet(dense)[1], abs=1e-9)


def test_tree_algebra_changes_none_of_its_arguments():
    parents = np.array([-1, 0, 0, 1])
    diagonal, coupling, noise = np.full(4, 3.0), np.full(4, -1.0), np.arange(4.0)
    factor = rates.tree_factor(parents, diagonal, coupling)
    for function in (rates.tree_solve, rates.tree_sample, rates.tree_sample_inverse):
        first = function(factor, noise)
        assert np.array_equal(first, function(factor, noise))
    assert diagonal.tolist() == [3] * 4
    assert coupling.tolist() == [-1] * 4
    assert noise.tolist() == [0, 1, 2, 3]
