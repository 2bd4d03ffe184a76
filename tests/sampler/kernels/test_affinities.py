import numpy as np
import pytest
from hypothesis import given, settings
from problems import PRIORS, make_problem, problems
from python_calls import FromPython
from scipy.optimize import minimize
from scipy.special import softmax
from states import chain_state, sampler_of

from frex.model import affinities as model
from frex.sampler.formulas import affinities, documents
from frex.sampler.formulas.documents import Words
from frex.sampler.kernels import affinities as affinity_kernels
from frex.sampler.kernels import documents as document_kernels
from frex.sampler.state import Clock
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])
formulas, word_formulas = FromPython(affinities), FromPython(documents)
kernels = FromPython(document_kernels)
compiling = settings(deadline=None, max_examples=30)


def documents_of(problem):
    """Yield each document's place, its active topics, and its data."""
    starts, hyper = problem.reduced.labels.indptr, problem.state.hyper
    for d, data in enumerate(model.documents_of(problem.reduced, problem.rates)):
        own = slice(starts[d], starts[d + 1])
        eta = hyper.affinity_mean[problem.reduced.labels.indices[own]]
        yield d, own, data, eta, hyper.affinity_variance


def density_at(d, data, conditional, xi):
    """Return buffers with what a document's density at some affinities needs."""
    own = kernels.make_buffers(len(xi))
    kernels.take_given(d, data, conditional.affinity_mean, conditional.rate_sums, own)
    word_formulas.softmax(len(xi), xi, own.theta)
    return own


@compiling
@given(problems())
def test_density_gradient_and_curvature_are_those_of_the_model(problem):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    data = sampler.engine.data.documents
    conditional = sampler.context(state).documents().given(state)
    for d, own, document, eta, variance in documents_of(problem):
        xi = state.affinities[own]
        m = len(xi)
        gradient, square = np.empty(m), np.empty(m * m)
        buffers = density_at(d, data, conditional, xi)
        np.testing.assert_allclose(buffers.theta[:m], softmax(xi), rtol=1e-13)
        expected = model.affinity_log_density(xi, document, eta, variance)
        words, place = Words(conditional.gathered, data.eights), kernels.place_of(d, data)
        value = formulas.log_density(words, place, buffers, variance, xi, gradient)
        assert value == pytest.approx(expected, rel=1e-11, abs=1e-11)
        expected = model.affinity_gradient(xi, document, eta, variance)
        np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-9)
        words = Words(conditional.gathered.ravel(), data.eights.ravel())
        place = kernels.word_place_of(d, data)
        formulas.curvature_at(words, place, buffers.theta, xi, square)
        expected = model.affinity_curvature(xi, document)
        np.testing.assert_allclose(square.reshape(m, m), expected, rtol=1e-9, atol=1e-9)


def test_wider_numbers_say_the_same():
    problem = make_problem(TREE, 1, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    data = sampler.engine.data.documents
    usual = sampler.context(state).documents().given(state).gathered.copy()
    wide = data._replace(words=data.words.astype(np.uint32), eights=data.eights.astype(np.uint32))
    sampler.documents._data = wide
    conditional = sampler.context(state).documents().given(state)
    for d, own, _, _, _ in documents_of(problem):
        filled = slice(*data.rate_starts[d : d + 2])
        assert np.array_equal(conditional.gathered[filled], usual[filled])
        xi = state.affinities[own]
        m = len(xi)
        found = []
        for counts in (data, wide):
            gradient, buffers = np.empty(m), density_at(d, counts, conditional, xi)
            words, place = Words(conditional.gathered, counts.eights), kernels.place_of(d, counts)
            variance = conditional.affinity_variance
            value = formulas.log_density(words, place, buffers, variance, xi, gradient)
            found.append([value, *gradient])
        assert found[0] == found[1]


@pytest.mark.parametrize("seed", range(3))
def test_modes_are_where_an_optimiser_ends(seed):
    problem = make_problem(TREE, seed, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    sampler.context(state).documents().find_modes(state)
    sampler.documents.move_to_modes(state)
    modes = state.affinities
    assert len(modes)
    squares = sampler.engine.data.documents.square_starts
    for d, own, document, eta, variance in documents_of(problem):
        best = minimize(
            lambda at, *rest: -model.affinity_log_density(at, *rest),
            modes[own] + 0.1,  # the density may have several modes
            args=(document, eta, variance),
            jac=lambda at, *rest: -model.affinity_gradient(at, *rest),
            method="BFGS",
        ).x
        np.testing.assert_allclose(modes[own], best, atol=5e-3)
        found = sampler.documents.curvature[squares[d] : squares[d + 1]]
        expected = model.affinity_curvature(modes[own], document)
        np.testing.assert_allclose(found, expected.ravel(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_dozen_newton_steps_find_the_modes(seed):
    problem = make_problem(TREE, seed, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    conditional, modes = sampler.context(state).documents().given(state), state.affinities.copy()
    data, curvature = sampler.engine.data.documents, sampler.documents.curvature
    affinity_kernels.find_affinity_modes(data, conditional, 12, 0.0, modes, curvature)
    gradients = [
        model.affinity_gradient(modes[own], document, eta, variance)
        for _, own, document, eta, variance in documents_of(problem)
    ]
    assert np.abs(np.concatenate(gradients)).max() < 1e-5


@pytest.mark.parametrize("step", [1e4, 1e200])
def test_a_diverged_trajectory_is_rejected(step):
    problem = make_problem(TREE, 1, n_documents=25)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    before = state.affinities.copy()
    block = sampler.blocks["affinities"]
    block.step.value[:] = step
    moves = block.update(sampler.context(state), Clock(1, 0, 0))
    assert moves.energy > 10
    assert (moves.items < 1e-4).all()
    assert np.array_equal(state.affinities, before)


@compiling
@given(problems())
def test_an_update_keeps_memberships_and_affinities_together(problem):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    sampler.blocks["affinities"].update(sampler.context(state), Clock(1, 0, 0))
    for _, own, *_ in documents_of(problem):
        np.testing.assert_allclose(state.memberships[own], softmax(state.affinities[own]))
