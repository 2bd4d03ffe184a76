"""A swap's log ratio is that of the model's densities, and pairs are of two different labels."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from problems import PRIORS, problems
from python_calls import FromPython
from scipy.special import softmax
from states import chain_state, sampler_of

from frex.model import affinities as model
from frex.sampler.formulas import swaps
from frex.sampler.formulas.documents import Words
from frex.sampler.kernels import documents as document_kernels
from frex.sampler.state import Clock

formulas, kernels = FromPython(swaps), FromPython(document_kernels)
compiling = settings(deadline=None, max_examples=20)


@compiling
@given(problems())
def test_the_ratio_is_that_of_the_models_densities(problem):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    data, hyper = sampler.engine.data.documents, state.hyper
    conditional = sampler.context(state).documents().given(state)
    labels, words = problem.reduced.labels, Words(conditional.gathered, data.eights)
    for d, document in enumerate(model.documents_of(problem.reduced, problem.rates)):
        own = slice(*labels.indptr[d : d + 2])
        eta, variance = hyper.affinity_mean[labels.indices[own]], hyper.affinity_variance
        xi = state.affinities[own]
        swapped = xi.copy()
        swapped[[0, -1]] = xi[[-1, 0]]
        before, after = (
            model.affinity_log_density(at, document, eta, variance) for at in (xi, swapped)
        )
        buffers, m = kernels.make_buffers(len(xi)), len(xi)
        kernels.take_given(d, data, conditional.affinity_mean, conditional.rate_sums, buffers)
        buffers.position[:m], buffers.theta[:m] = xi, softmax(xi)
        place = kernels.place_of(d, data)
        ratio = formulas.swap_log_ratio(words, place, buffers, variance, 0, m - 1)
        assert ratio == pytest.approx(after - before, rel=1e-8, abs=1e-8)


@given(st.integers(2, 30), st.floats(0, 1 - 1e-12), st.floats(0, 1 - 1e-12))
def test_a_pair_is_of_two_labels(m, u, v):
    i, j = swaps.pair_of(u, v, m)
    assert i != j
    assert 0 <= i < m
    assert 0 <= j < m


def test_every_pair_is_as_likely():
    m, grid = 4, (np.arange(12) + 0.5) / 12
    found = [swaps.pair_of(u, v, m) for u in grid for v in grid]
    assert len(set(found)) == m * (m - 1)
    assert len({found.count(pair) for pair in set(found)}) == 1


@compiling
@given(problems())
def test_memberships_stay_with_affinities(problem):
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    before = state.affinities.copy()
    for scan in range(5):
        sampler.blocks["swaps"].update(sampler.context(state), Clock(1, 0, scan))
    labels = problem.reduced.labels
    for first, last in zip(labels.indptr[:-1], labels.indptr[1:], strict=True):
        own = slice(first, last)
        np.testing.assert_allclose(state.memberships[own], softmax(state.affinities[own]))
        assert sorted(state.affinities[own]) == sorted(before[own])
