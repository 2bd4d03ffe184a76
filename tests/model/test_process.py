"""Every draw against theory. Seeds are fixed; thresholds are 4.5 Monte-Carlo standard errors."""

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from scipy.sparse import csr_array
from strategies import trees

from frex.model import process
from frex.model.labels import log_label_probability
from frex.model.priors import Hyperparameters
from frex.tree import TopicTree

HYPER = Hyperparameters(
    root_mean=-2.0,
    root_variance=1.5,
    affinity_mean=np.array([-1.0, 0.5, -3.0]),
    affinity_variance=4.0,
    dispersion_df=7.0,
    dispersion_scale=0.3,
)
TREE = TopicTree(["a", "b", "c"], [None, "a", "a"])


def assert_mean(values, mean, variance, axis=0):
    """The average over `axis` is within 4.5 standard errors of its expectation."""
    error = np.sqrt(variance / values.shape[axis])
    assert (np.abs(values.mean(axis=axis) - mean) < 4.5 * error).all()


def test_root_log_rates_are_normal():
    root = process.draw_root_log_rates(HYPER, 20_000, np.random.default_rng(1))
    assert stats.kstest(root, stats.norm(-2, np.sqrt(1.5)).cdf).pvalue > 1e-4


def test_dispersions_are_scaled_inverse_chi_square():
    dispersions = process.draw_dispersions(TREE, HYPER, 20_000, np.random.default_rng(2))
    assert dispersions.shape == (20_000, 2)
    for column in dispersions.T:
        assert stats.kstest(7 * 0.3 / column, stats.chi2(7).cdf).pvalue > 1e-4


@given(trees(8))
def test_a_child_deviates_from_its_own_parent_by_its_parents_dispersion(tree):
    rng = np.random.default_rng(3)
    parents = process.parent_nodes(tree)
    assert parents.tolist() == [n for n in range(tree.n_nodes) if tree.children(n)]
    n_words = 2000
    dispersions = np.tile(10.0 ** np.arange(len(parents)), (n_words, 1))
    root = rng.normal(size=n_words)
    log_rates = process.draw_log_rates(tree, root, dispersions, rng)
    assert np.array_equal(log_rates[:, 0], root)
    for column, parent in enumerate(parents):
        for child in tree.children(int(parent)):
            z = (log_rates[:, child] - log_rates[:, parent]) / np.sqrt(dispersions[:, column])
            # 5.5 errors: a hypothesis run makes thousands of these comparisons
            assert abs(z.mean()) < 5.5 / np.sqrt(n_words)
            assert abs((z * z).mean() - 1) < 5.5 * np.sqrt(2 / n_words)


def test_deviations_of_siblings_are_independent_given_the_dispersions():
    rng = np.random.default_rng(4)
    dispersions = process.draw_dispersions(TREE, HYPER, 20_000, rng)
    log_rates = process.draw_log_rates(TREE, np.zeros(20_000), dispersions, rng)
    z = (log_rates[:, 2:] - log_rates[:, [1]]) / np.sqrt(dispersions[:, [1]])
    assert_mean(z[:, 0] * z[:, 1], 0, 1)
    assert stats.kstest(z.ravel(), stats.norm.cdf).pvalue > 1e-4


def test_affinities_and_labels_have_the_models_moments():
    rng = np.random.default_rng(5)
    affinities = process.draw_affinities(HYPER, 40_000, rng)
    assert_mean(affinities, HYPER.affinity_mean, 4.0)
    squares = (affinities - HYPER.affinity_mean) ** 2
    assert_mean(squares, 4.0, 2 * 4.0**2)
    labels = process.draw_labels(affinities, rng)
    p1 = np.exp(log_label_probability(HYPER.affinity_mean, 2.0)[1])
    assert_mean(labels, p1, p1 * (1 - p1))
    # labels depend on the affinity itself: E[I xi] = E[logistic(xi) xi]
    z = np.linspace(-12, 12, 4001)
    for k, mean in enumerate(HYPER.affinity_mean):
        x = mean + 2 * z
        weight = stats.norm.pdf(z) * (z[1] - z[0]) / (1 + np.exp(-x))
        first, second = (weight * x).sum(), (weight * x * x).sum()
        assert_mean(labels[:, k] * affinities[:, k], first, second - first**2)


def test_memberships_are_a_softmax_over_the_labels():
    affinities = np.array([[1.0, 2.0, 9.0], [800.0, -800.0, 801.0], [3.0, 4.0, 5.0], [0, -7.0, 0]])
    labels = np.array([[1, 1, 0], [1, 0, 1], [0, 0, 0], [0, 1, 0]], dtype=bool)
    active = process.active_affinities(affinities, labels)
    theta = process.memberships(active)
    assert np.array_equal(active.toarray(), np.where(labels, affinities, 0))
    e = np.exp(1.0)
    expected = [
        [1 / (1 + e), e / (1 + e), 0],
        [1 / (1 + e), 0, e / (1 + e)],
        [0, 0, 0],
        [0, 1, 0],
    ]
    assert theta.toarray() == pytest.approx(np.array(expected), abs=1e-15)


def test_an_affinity_of_exactly_zero_is_still_a_label():
    theta = process.memberships(process.active_affinities(np.zeros((1, 2)), np.ones((1, 2), bool)))
    assert theta.toarray().tolist() == [[0.5, 0.5]]


def test_counts_by_splitting_are_the_models_independent_poissons():
    # Two labels, unequal memberships, lengths and topic totals; every count's whole distribution
    # and every pair's covariance. It was seen to fail for rates wrong by 4 % either way, and for
    # documents that take all their words from one of their topics.
    rates = np.array([[0.2, 3.0, 50.0], [1.0, 0.5, 50.0], [2.0, 0.0, 50.0], [0.3, 1.5, 50.0]])
    copies = 20_000
    theta = np.array([[0.7, 0.3, 0.0], [0.1, 0.9, 0.0]])
    exposures = np.array([0.6, 1.7])
    counts = process.draw_counts(
        rates,
        csr_array(np.tile(theta, (copies, 1))),
        np.tile(exposures, copies),
        np.random.default_rng(6),
    )
    assert counts.dtype == np.int32
    assert counts.has_canonical_format
    draws = counts.toarray().reshape(copies, 2, 4)
    expected = exposures[:, None] * (theta @ rates.T)
    for d in range(2):
        for f in range(4):
            poisson = stats.poisson(expected[d, f])
            cut = int(poisson.ppf(1 - 20 / copies))
            observed = np.bincount(np.minimum(draws[:, d, f], cut), minlength=cut + 1)
            probability = np.append(poisson.pmf(np.arange(cut)), poisson.sf(cut - 1))
            assert stats.chisquare(observed, probability * copies).pvalue > 1e-4
    z = ((draws - expected) / np.sqrt(expected)).reshape(copies, 8)
    covariance = z.T @ z / copies
    off_diagonal = covariance[~np.eye(8, dtype=bool)]
    assert (np.abs(off_diagonal) < 4.5 / np.sqrt(copies)).all()


def test_words_go_to_the_documents_that_drew_them():
    rates = np.array([[30.0, 0.0, 0.0], [0.0, 30.0, 0.0], [0.0, 0.0, 30.0]])
    theta = csr_array(np.array([[0, 0, 1.0], [1.0, 0, 0], [0, 0, 0], [0, 0.5, 0.5]]))
    counts = process.draw_counts(rates, theta, np.ones(4), np.random.default_rng(7)).toarray()
    assert (counts > 0).tolist() == [
        [False, False, True],
        [True, False, False],
        [False, False, False],
        [False, True, True],
    ]
