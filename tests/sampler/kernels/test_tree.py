import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from python_calls import FromPython
from scipy.linalg import cho_factor, cho_solve
from strategies import trees

from frex.model import rates
from frex.sampler.formulas import dense as dense_formulas
from frex.sampler.kernels import tree as tree_kernels

dense, tree = FromPython(dense_formulas), FromPython(tree_kernels)
SEEDS = st.integers(0, 2**32 - 1)
compiling = settings(deadline=None)


def random_matrix(topics, seed, *, spread=3.0, smallest=None):
    """Precisions and curvatures over orders of magnitude, and the matrix they make."""
    rng = np.random.default_rng(seed)
    precision = 10 ** rng.uniform(-spread, spread, topics.n_nodes)
    curvature = 10 ** rng.uniform(smallest or -spread, spread, topics.n_nodes)
    curvature[0] = 0
    nodes, parents = np.arange(1, topics.n_nodes), topics.parents[1:]
    matrix = np.diag(precision + curvature)
    np.add.at(matrix, (parents, parents), precision[1:])
    matrix[nodes, parents] = matrix[parents, nodes] = -precision[1:]
    return precision, curvature, matrix


def factored(topics, precision, curvature):
    inverses, multipliers, spare = np.zeros((3, topics.n_nodes))
    tree.factor(topics.parents, precision, curvature, inverses, multipliers, spare)
    return inverses, multipliers


@compiling
@given(trees(), SEEDS)
def test_factor_solve_and_colour_are_those_of_the_model(topics, seed):
    precision, curvature, matrix = random_matrix(topics, seed, spread=1.0)
    inverses, multipliers = factored(topics, precision, curvature)
    coupling = np.concatenate([[0.0], -precision[1:]])
    reference = rates.tree_factor(topics.parents, np.diag(matrix), coupling)
    np.testing.assert_allclose(1 / inverses, reference.pivots, rtol=1e-10)
    np.testing.assert_allclose(-multipliers, reference.multipliers, rtol=1e-10)
    noise = np.random.default_rng(seed).normal(size=topics.n_nodes)
    solved, momentum = noise.copy(), noise.copy()
    tree.solve(topics.parents, inverses, multipliers, solved)
    tree.to_momenta(topics.parents, inverses, multipliers, momentum)
    np.testing.assert_allclose(solved, rates.tree_solve(reference, noise), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(momentum, rates.tree_sample(reference, noise), rtol=1e-9)
    np.testing.assert_allclose(solved, cho_solve(cho_factor(matrix), noise), rtol=1e-7, atol=1e-9)


@compiling
@given(trees(), SEEDS)
def test_no_digits_are_lost_at_extreme_scales(topics, seed):
    # curvatures of 1e-12 to 1e6: x = A^-1 A 1 would be off by 1e6 or more if the pivots were
    # differences. A 1 has no cancellation: its entries are the curvatures, and the root's precision
    precision, curvature, _ = random_matrix(topics, seed, spread=6.0, smallest=-12.0)
    inverses, multipliers = factored(topics, precision, curvature)
    product = curvature.copy()
    product[0] += precision[0]
    tree.solve(topics.parents, inverses, multipliers, product)
    np.testing.assert_allclose(product, 1.0, rtol=1e-11)


@compiling
@given(trees(), SEEDS)
def test_colour_has_the_matrix_as_its_covariance(topics, seed):
    precision, curvature, matrix = random_matrix(topics, seed, spread=2.0)
    inverses, multipliers = factored(topics, precision, curvature)
    columns = np.eye(topics.n_nodes)
    for row in columns:
        tree.to_momenta(topics.parents, inverses, multipliers, row)
    covariance = columns.T @ columns
    np.testing.assert_allclose(covariance, matrix, rtol=1e-10, atol=1e-10 * matrix.max())


@compiling
@given(trees(), SEEDS)
def test_prior_energy_and_gradient_are_those_of_the_model(topics, seed):
    rng = np.random.default_rng(seed)
    n_groups = len(np.unique(topics.parents[1:]))
    root_variance, dispersions = rng.uniform(0.1, 3), rng.uniform(0.1, 3, n_groups)
    precision = 1 / rates.deviation_variances(topics, root_variance, dispersions)
    one, other = rng.normal(size=(2, topics.n_nodes))
    prior = (topics, 0.3, root_variance, dispersions)

    def energy(at):
        return tree.prior_energy(topics.parents, precision, 0.3, at)

    difference = rates.rate_prior_log_density(other, *prior) - rates.rate_prior_log_density(
        one, *prior
    )
    assert energy(one) - energy(other) == pytest.approx(difference, rel=1e-10, abs=1e-10)
    gradient = np.zeros(topics.n_nodes)
    tree.add_prior_gradient(topics.parents, precision, 0.3, one, gradient)
    np.testing.assert_allclose(gradient, rates.rate_prior_gradient(one, *prior), rtol=1e-9)


@compiling
@given(st.integers(1, 8), SEEDS)
def test_small_dense_algebra(m, seed):
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(m, m + 2))
    matrix = factor @ factor.T + 0.1 * np.eye(m)
    flat, x = matrix.ravel().copy(), rng.normal(size=m)
    assert dense.cholesky(m, flat)
    lower = flat.reshape(m, m)
    np.testing.assert_allclose(np.tril(lower), np.linalg.cholesky(matrix), rtol=1e-9, atol=1e-12)
    product, solved = x.copy(), x.copy()
    dense.multiply_lower(m, flat, product)
    dense.solve(m, flat, solved)
    np.testing.assert_allclose(product, np.tril(lower) @ x, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(solved, np.linalg.solve(matrix, x), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("last", [-0.1, np.nan])
def test_what_has_no_factor_is_told_and_shows(last):
    matrix = np.array([2.0, 0.5, 0.5, last])
    assert not dense.cholesky(2, matrix)
    x = np.ones(2)
    dense.multiply_lower(2, matrix, x)
    assert np.isnan(x).any()


@compiling
@given(st.integers(1, 8), SEEDS)
def test_eigenvectors_are_those_of_the_library(m, seed):
    root = np.random.default_rng(seed).normal(size=(m, m))
    matrix = root + root.T
    flat, basis = matrix.ravel().copy(), np.empty(m * m)
    dense.diagonalise(m, flat, basis)
    found, vectors = np.diag(flat.reshape(m, m)), basis.reshape(m, m)
    np.testing.assert_allclose(np.sort(found), np.linalg.eigvalsh(matrix), atol=1e-10)
    np.testing.assert_allclose(vectors * found @ vectors.T, matrix, atol=1e-10)
