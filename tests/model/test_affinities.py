import numpy as np
import pytest
from derivatives import assert_derivative
from hypothesis import given
from hypothesis import strategies as st
from problems import problems

from frex.model import affinities
from frex.model.affinities import Document


@st.composite
def documents(draw, max_active=6):
    """Draw a document's data and a point, with none, few or many words."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    active, words = draw(st.integers(1, max_active)), draw(st.integers(0, 8))
    rates = rng.lognormal(0, 1.5, (words + 3, active))
    document = Document(
        rng.integers(1, 20, words), rates[:words], rates.sum(axis=0), float(rng.uniform(0.1, 3))
    )
    return rng.normal(0, 2, active), document, rng.normal(0, 2, active), float(rng.uniform(0.2, 9))


@given(documents())
def test_gradients_are_those_of_the_log_densities(drawn):
    at, document, *prior = drawn
    assert_derivative(
        affinities.affinity_gradient(at, document, *prior),
        lambda xi: affinities.affinity_log_density(xi, document, *prior),
        at,
    )
    assert_derivative(
        affinities.affinity_likelihood_gradient(at, document),
        lambda xi: affinities.affinity_log_likelihood(xi, document),
        at,
    )


@given(documents())
def test_hessian_is_the_gradients_jacobian(drawn):
    at, document, mean, variance = drawn
    assert_derivative(
        affinities.affinity_hessian(at, document, variance),
        lambda xi: affinities.affinity_gradient(xi, document, mean, variance),
        at,
    )


@given(documents())
def test_curvature_is_positive_definite_everywhere(drawn):
    at, document, *_ = drawn
    curvature = affinities.affinity_curvature(at, document)
    assert np.linalg.eigvalsh(curvature).min() > -1e-12 * np.abs(curvature).max()
    assert np.array_equal(curvature, curvature.T)


@given(documents())
def test_adding_a_constant_to_all_affinities_moves_only_labels_and_prior(drawn):
    at, document, *_ = drawn
    words = affinities.affinity_likelihood_gradient(at, document) - 1 / (1 + np.exp(at))
    assert words.sum() == pytest.approx(0, abs=1e-9)


@given(problems())
def test_a_documents_data_are_its_own(problem):
    counts, labels = problem.corpus.counts.toarray(), problem.labels
    found = list(affinities.documents_of(problem.reduced, problem.rates))
    assert len(found) == len(problem.reduced.documents)
    for d, document in zip(problem.reduced.documents, found, strict=True):
        words = counts[d] > 0
        assert document.counts.tolist() == counts[d][words].tolist()
        assert np.array_equal(document.rates, problem.rates[words][:, labels[d]])
        assert np.array_equal(document.totals, problem.rates.sum(axis=0)[labels[d]])
        assert document.exposure == problem.corpus.exposures[d]
