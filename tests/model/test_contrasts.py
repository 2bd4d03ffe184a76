"""The level of the affinities is integrated out, and all else is HPC's without labels."""

import numpy as np
import pytest
from bits import small_corpus
from derivatives import assert_derivative
from problems import PRIORS, make_problem
from scipy.special import log_expit
from scipy.stats import norm

from frex.errors import InputError
from frex.model import branching_tree, contrasts
from frex.model.affinities import affinity_curvature, affinity_log_density, documents_of
from frex.model.hyperparameters import affinity_hyper_log_density
from frex.model.priors import PaperPriors
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])


def documents(seed):
    """Yield affinities of documents with several labels, their data, eta and lambda2."""
    problem = make_problem(TREE, seed, n_documents=20)
    hyper, starts = problem.state.hyper, problem.reduced.labels.indptr
    for d, document in enumerate(documents_of(problem.reduced, problem.rates)):
        own = slice(starts[d], starts[d + 1])
        eta = hyper.affinity_mean[problem.reduced.labels.indices[own]]
        yield problem.affinities[own], document, eta, hyper.affinity_variance


@pytest.mark.parametrize("n_topics", [2, 3, 10])
def test_the_basis_is_orthonormal_and_blind_to_the_level(n_topics):
    basis = contrasts.contrast_basis(n_topics)
    np.testing.assert_allclose(basis.T @ basis, np.eye(n_topics - 1), atol=1e-14)
    np.testing.assert_allclose(basis.sum(axis=0), 0, atol=1e-14)
    x = np.random.default_rng(0).normal(size=n_topics)
    np.testing.assert_allclose(basis @ basis.T @ x, contrasts.centred(x), atol=1e-14)


def test_contrasts_and_levels_together_are_the_affinities():
    """The density of (eta, lambda) given all K affinities falls into one of each."""
    rng = np.random.default_rng(1)
    xi, eta, log_sd = rng.normal(size=(7, 5)), rng.normal(size=5), 0.3
    basis = contrasts.contrast_basis(5)
    statistics = contrasts.contrast_statistics(contrasts.centred(xi), basis)
    apart = affinity_hyper_log_density(basis.T @ eta, log_sd, statistics)
    unit = np.full(5, 5**-0.5)  # completes the basis
    levels = norm.logpdf(xi @ unit, eta @ unit, np.exp(log_sd)).sum()
    assert apart + levels == pytest.approx(norm.logpdf(xi, eta, np.exp(log_sd)).sum(), rel=1e-12)


def test_the_prior_of_eta_falls_apart_in_the_same_way():
    eta, basis = np.random.default_rng(2).normal(size=5), contrasts.contrast_basis(5)
    prior, own = PRIORS.affinity_mean, contrasts.contrast_priors(PRIORS).affinity_mean
    level = norm.logpdf(eta.sum() / 5**0.5, 5**0.5 * prior.location, prior.scale)
    assert own.log_density(basis.T @ eta).sum() + level == pytest.approx(
        prior.log_density(eta).sum(), rel=1e-12
    )
    assert contrasts.contrast_priors(PaperPriors()) == PaperPriors()


def test_the_density_is_hpcs_without_labels():
    for xi, *rest in documents(3):
        expected = affinity_log_density(xi, *rest) - log_expit(xi).sum()
        assert contrasts.contrast_log_density(xi, *rest) == pytest.approx(expected, rel=1e-12)
        gradient = contrasts.contrast_gradient(xi, *rest)
        assert_derivative(gradient, lambda x, r=rest: contrasts.contrast_log_density(x, *r), xi)


def test_the_curvature_is_blind_to_the_level_and_right_for_two_topics():
    checked = 0
    for xi, document, *_ in documents(4):
        weights = contrasts.contrast_weights(xi, document)
        curvature = contrasts.contrast_curvature(weights)
        np.testing.assert_allclose(curvature.sum(axis=0), 0, atol=1e-10)
        assert np.linalg.eigvalsh(curvature).min() > -1e-10
        if len(xi) == 2:
            labels = np.diag(np.exp(log_expit(xi) + log_expit(-xi)))
            words = affinity_curvature(xi, document) - labels
            likelihood = contrasts.contrast_gradient(xi, document, xi, 1.0)
            # both parts pull the two topics apart by the same amount
            assert curvature[0, 0] >= words[0, 0] - 1e-9
            assert curvature[0, 0] <= words[0, 0] + np.abs(likelihood).max() + 1e-9
            checked += 1
    assert checked


def test_every_topic_labels_every_document():
    labelled = small_corpus(branching_tree([2, 2]))
    corpus = contrasts.with_every_topic(labelled, 3)
    assert corpus.tree.topics == ("topic 1", "topic 2", "topic 3")
    assert corpus.labels.toarray().all()
    reduced = contrasts.reduce_unlabelled(corpus)
    assert not reduced.labelled
    assert reduced.counts.shape == labelled.counts.shape
    assert reduced.single_counts.sum() == reduced.single_exposures.sum() == 0
    with pytest.raises(InputError, match="1 topics were asked for"):
        contrasts.with_every_topic(labelled, 1)


def test_labels_may_be_more_than_a_short_integer_counts():
    starts = contrasts.label_starts(3, 2**30)
    assert starts.tolist() == [0, 2**30, 2**31, 3 * 2**30]
