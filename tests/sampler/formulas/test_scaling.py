"""The log ratio of a scaling is that of the model's densities, with the Jacobian."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import PRIORS, problems
from python_calls import FromPython
from scipy.special import softmax
from states import chain_state, sampler_of

from frex.model import affinities as model
from frex.model.scaling import scaled_affinities
from frex.sampler.formulas import scaling
from frex.sampler.formulas.documents import Words
from frex.sampler.kernels import documents as document_kernels
from frex.sampler.state import Clock

formulas, kernels = FromPython(scaling), FromPython(document_kernels)
compiling = settings(deadline=None, max_examples=20)


@compiling
@given(problems(), st.floats(0.5, 2), st.floats(0.1, 8))
def test_the_ratio_is_that_of_the_models_densities(problem, factor, spread):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    data, hyper = sampler.engine.data.documents, state.hyper
    conditional = sampler.context(state).documents().given(state)
    labels, words = problem.reduced.labels, Words(conditional.gathered, data.eights)
    for d, document in enumerate(model.documents_of(problem.reduced, problem.rates)):
        own = slice(*labels.indptr[d : d + 2])
        eta, variance = hyper.affinity_mean[labels.indices[own]], hyper.affinity_variance
        xi = spread * state.affinities[own]
        moved, jacobian = scaled_affinities(xi, document.counts.sum(), factor)
        before = model.affinity_log_density(xi, document, eta, variance)
        after = model.affinity_log_density(moved, document, factor * eta, factor**2 * variance)
        of_prior = -len(xi) * np.log(factor)  # of 1 / lambda, which that density leaves out
        buffers, m = kernels.make_buffers(len(xi)), len(xi)
        kernels.take_given(d, data, conditional.affinity_mean, conditional.rate_sums, buffers)
        buffers.position[:m], buffers.theta[:m] = xi, softmax(xi)
        place = kernels.place_of(d, data)
        ratio = formulas.scaled_log_ratio(words, place, buffers, variance, factor)
        assert ratio == pytest.approx(after - before + of_prior + jacobian, rel=1e-6, abs=1e-6)
        np.testing.assert_allclose(buffers.momentum[:m], moved, rtol=1e-9, atol=1e-9)


@compiling
@given(problems())
def test_memberships_stay_with_affinities(problem):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    ratio = state.hyper.affinity_mean / np.sqrt(state.hyper.affinity_variance)
    for scan in range(5):
        sampler.blocks["affinity_scaling"].update(sampler.context(state), Clock(1, 0, scan))
    labels = problem.reduced.labels
    for first, last in zip(labels.indptr[:-1], labels.indptr[1:], strict=True):
        own = slice(first, last)
        np.testing.assert_allclose(state.memberships[own], softmax(state.affinities[own]))
    moved = state.hyper.affinity_mean / np.sqrt(state.hyper.affinity_variance)
    np.testing.assert_allclose(moved, ratio)
