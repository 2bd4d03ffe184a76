import numpy as np
import pytest
from derivatives import assert_derivative
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad
from strategies import trees

from frex.model import dispersions
from frex.model.dispersions import ScaledInverseChi2
from frex.model.process import parent_nodes

LOG_NU, LOG_SIGMA2 = st.floats(-1.5, 4), st.floats(-4, 2)
SEEDS = st.integers(0, 2**32 - 1)


def groups(tree, seed, n_words=3):
    log_rates = np.random.default_rng(seed).normal(size=(n_words, tree.n_nodes))
    return dispersions.deviation_squares(tree, log_rates), dispersions.group_sizes(tree)


@given(trees(), SEEDS)
def test_groups_are_the_parents_with_their_children(tree, seed):
    log_rates = np.random.default_rng(seed).normal(size=(2, tree.n_nodes))
    squares = dispersions.deviation_squares(tree, log_rates)
    for column, parent in enumerate(parent_nodes(tree)):
        children = list(tree.children(int(parent)))
        assert dispersions.group_sizes(tree)[column] == len(children)
        deviations = log_rates[:, children] - log_rates[:, [parent]]
        assert squares[:, column] == pytest.approx((deviations**2).sum(axis=1))
        assert (dispersions.group_of_topic(tree)[np.array(children) - 1] == column).all()


@given(trees(5), SEEDS, LOG_NU, LOG_SIGMA2)
def test_the_marginal_density_is_scipys_multivariate_t(tree, seed, log_nu, log_sigma2):
    log_rates = np.random.default_rng(seed).normal(size=(2, tree.n_nodes))
    expected = 0.0
    for parent in parent_nodes(tree):
        children = list(tree.children(int(parent)))
        deviations = log_rates[:, children] - log_rates[:, [parent]]
        shape = np.exp(log_sigma2) * np.eye(len(children))
        t = stats.multivariate_t(np.zeros(len(children)), shape, df=np.exp(log_nu))
        expected += t.logpdf(deviations).sum()
    squares, sizes = dispersions.deviation_squares(tree, log_rates), dispersions.group_sizes(tree)
    density = dispersions.dispersion_log_density(log_nu, log_sigma2, squares, sizes)
    assert density == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(trees(), SEEDS, LOG_NU, LOG_SIGMA2)
def test_gradient_and_hessian_are_those_of_the_log_density(tree, seed, log_nu, log_sigma2):
    data = groups(tree, seed)
    at = [log_nu, log_sigma2]
    gradient = dispersions.dispersion_gradient(*at, *data)
    assert_derivative(gradient, lambda x: dispersions.dispersion_log_density(*x, *data), at)
    hessian = dispersions.dispersion_hessian(*at, *data)
    assert_derivative(hessian, lambda x: dispersions.dispersion_gradient(*x, *data), at)


@given(trees(), SEEDS, LOG_NU, LOG_SIGMA2, st.floats(-3, 3))
def test_conditional_times_marginal_is_prior_times_likelihood(
    tree, seed, log_nu, log_sigma2, log_tau2
):
    squares, sizes = groups(tree, seed)
    nu, sigma2 = np.exp(log_nu), np.exp(log_sigma2)
    conditional = dispersions.dispersion_conditional(squares, sizes, nu, sigma2)
    marginal = dispersions.group_log_density(log_nu, log_sigma2, squares, sizes)
    prior = ScaledInverseChi2(nu, sigma2).log_density_of_log(log_tau2)
    likelihood = -0.5 * (squares / np.exp(log_tau2) + sizes * (np.log(2 * np.pi) + log_tau2))
    assert conditional.log_density_of_log(log_tau2) + marginal == pytest.approx(
        prior + likelihood, rel=1e-10, abs=1e-10
    )


@pytest.mark.parametrize(("df", "scale"), [(0.7, 2.0), (6.0, 0.3)])
def test_scaled_inverse_chi_square_density_and_draws(df, scale):
    law = ScaledInverseChi2(df, scale)
    total, _ = quad(lambda x: np.exp(law.log_density_of_log(x)), -20, 80, limit=500)
    assert total == pytest.approx(1, abs=1e-8)
    draws = ScaledInverseChi2(df, np.full(5000, scale)).sample(np.random.default_rng(1))
    assert stats.kstest(df * scale / draws, stats.chi2(df).cdf).pvalue > 1e-4
    below = quad(lambda x: np.exp(law.log_density_of_log(x)), -20, np.log(scale))[0]
    assert below == pytest.approx(stats.chi2(df).sf(df), abs=1e-8)
