"""The moves' maps: what goes out comes back, their Jacobians, and what they are matched to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from problems import problems

from frex.model import interweaving
from frex.model.affinities import affinity_curvature, documents_of
from frex.model.dispersions import group_sizes
from frex.model.interweaving import DocumentGaussian, WordGaussian
from frex.model.rates import tree_precision
from frex.tree import TopicTree

SEEDS = st.integers(0, 2**32 - 1)


def any_document_gaussian(rng, m):
    basis = np.linalg.qr(rng.normal(size=(m, m)))[0]
    return DocumentGaussian(basis, rng.gamma(1, 2, m), rng.normal(0, 2, m))


def any_word_gaussian(rng, tree):
    n_groups = len(group_sizes(tree))
    curvature = rng.gamma(0.5, 3, tree.n_nodes) * (rng.random(tree.n_nodes) < 0.8)  # some are 0
    return WordGaussian(
        curvature,
        rng.normal(0, 2, tree.n_nodes),
        rng.gamma(1, 1, n_groups),
        rng.normal(size=n_groups),
    )


def log_determinant(function, at):
    """Log of the Jacobian's determinant, by differences."""
    columns = [
        (function(at + step) - function(at - step)) / 2e-6 for step in 1e-6 * np.eye(len(at))
    ]
    return np.linalg.slogdet(np.array(columns).T)[1]


@given(SEEDS, st.integers(1, 5), st.floats(0.1, 30))
def test_affinities_come_back_and_the_jacobian_is_the_maps(seed, m, variance):
    rng = np.random.default_rng(seed)
    gaussian, mean, xi = any_document_gaussian(rng, m), rng.normal(size=m), rng.normal(0, 3, m)
    u = interweaving.standardised_affinities(xi, mean, variance, gaussian)
    back = interweaving.affinities_at(u, mean, variance, gaussian)
    assert back == pytest.approx(xi, abs=1e-10)
    jacobian = log_determinant(lambda x: interweaving.affinities_at(x, mean, variance, gaussian), u)
    assert interweaving.affinity_log_jacobian(variance, gaussian) == pytest.approx(
        jacobian, abs=1e-4
    )


def test_affinities_of_no_precision_are_standardised_by_the_prior_and_precise_ones_stay():
    free = DocumentGaussian(np.eye(2), np.zeros(2), np.zeros(2))
    u = interweaving.standardised_affinities(np.array([3.0, 1.0]), np.array([1.0, 2.0]), 4.0, free)
    assert u == pytest.approx([1.0, -0.5])
    held = DocumentGaussian(np.eye(2), np.full(2, 1e12), np.array([3e12, 1e12]))
    u = interweaving.standardised_affinities(np.array([3.0, 1.0]), np.zeros(2), 1.0, held)
    moved = interweaving.affinities_at(u, np.ones(2), 9.0, held)
    assert moved == pytest.approx([3.0, 1.0])


@given(problems())
def test_a_documents_mode_is_where_its_gaussian_is_centred(problem):
    hyper = problem.state.hyper
    labels = problem.reduced.labels
    for d, document in enumerate(documents_of(problem.reduced, problem.rates)):
        topics = labels.indices[labels.indptr[d] : labels.indptr[d + 1]]
        mode, mean = np.linspace(-1, 1, len(topics)), hyper.affinity_mean[topics]
        gaussian = interweaving.document_gaussian(
            affinity_curvature(mode, document), mode, mean, hyper.affinity_variance
        )
        u = interweaving.standardised_affinities(mode, mean, hyper.affinity_variance, gaussian)
        assert u == pytest.approx(0, abs=1e-9)


@given(problems(), SEEDS)
def test_words_come_back_and_the_jacobian_is_the_maps(problem, seed):
    tree, hyper = problem.tree, problem.state.hyper
    gaussian = any_word_gaussian(np.random.default_rng(seed), tree)
    log_rates, log_dispersions = problem.state.log_rates[0], problem.state.log_dispersions[0]
    held = interweaving.standardised_word(tree, log_rates, np.exp(log_dispersions), hyper, gaussian)
    back, dispersions = interweaving.word_at(tree, held, hyper, gaussian)
    assert back == pytest.approx(log_rates, abs=1e-9)
    assert np.log(dispersions) == pytest.approx(log_dispersions, abs=1e-9)

    def moved(flat):
        rates, spread = interweaving.word_at(
            tree, interweaving.StandardisedWord(flat[: tree.n_nodes], flat[tree.n_nodes :]),
            hyper, gaussian,
        )  # fmt: skip
        return np.concatenate([rates, np.log(spread)])

    jacobian = log_determinant(moved, np.concatenate(held))
    found = interweaving.word_log_jacobian(tree, dispersions, hyper, gaussian)
    assert found == pytest.approx(jacobian, abs=1e-3)


@given(problems(), SEEDS)
def test_where_the_likelihood_is_gaussian_a_word_is_standardised_by_its_posterior(problem, seed):
    """Precision and mean from the root down are those of the whole tree's dense Gaussian."""
    tree, hyper, rng = problem.tree, problem.state.hyper, np.random.default_rng(seed)
    gaussian, dispersions = any_word_gaussian(rng, tree), np.exp(problem.state.log_dispersions[0])
    prior = tree_precision(tree, hyper.root_variance, dispersions)
    total = prior + np.diag(gaussian.curvature)
    mean = np.linalg.solve(total, gaussian.pulls + prior @ np.full(tree.n_nodes, hyper.root_mean))
    held = interweaving.standardised_word(tree, mean, dispersions, hyper, gaussian)
    assert held.log_rates == pytest.approx(0, abs=1e-7)
    other = mean + rng.normal(size=tree.n_nodes)
    held = interweaving.standardised_word(tree, other, dispersions, hyper, gaussian)
    assert held.log_rates @ held.log_rates == pytest.approx((other - mean) @ total @ (other - mean))


def test_the_gaussian_of_a_log_dispersion_has_the_slope_and_information_of_its_likelihood():
    """One parent, children observed with Gaussian noise: the marginal likelihood is known."""
    tree = TopicTree(["a", "b", "c"], [None, None, None])
    mode, curvature = np.array([0.3, 1.2, -0.7, 0.1]), np.array([0.0, 2.0, 5.0, 0.0])
    gradient = np.array([0.0, 0.4, -0.2, 0.0])
    found = interweaving.word_gaussian(tree, mode, gradient, curvature, np.array([0.8]))
    centre = mode[1:3] + gradient[1:3] / curvature[1:3]  # what the likelihood says of a and b

    def log_marginal(log_dispersion):
        spread = np.exp(log_dispersion) + 1 / curvature[1:3]
        return -0.5 * (np.log(spread) + (centre - mode[0]) ** 2 / spread).sum()

    at = np.log(0.8)
    slope = (log_marginal(at + 1e-5) - log_marginal(at - 1e-5)) / 2e-5
    assert found.group_pulls[0] - found.group_precisions[0] * at == pytest.approx(slope, rel=1e-6)
    share = 0.8 / (0.8 + 1 / curvature[1:3])
    assert found.group_precisions[0] == pytest.approx(0.5 * (share**2).sum())
