import numpy as np
import pytest
from calibration import PRIORS, copied
from python_calls import FromPython
from scipy.optimize import minimize
from scipy.special import softmax
from unlabelled import N_TOPICS, draw_unlabelled

from frex.model import contrasts as model
from frex.model.affinities import documents_of
from frex.sampler.kernels import contrasts
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock

kernels = FromPython(contrasts)


@pytest.fixture(params=range(3))
def drawn(request):
    """Return a sampler, a state that the data know nothing of, and the block's conditional."""
    rng = np.random.default_rng(request.param)
    reduced, state = draw_unlabelled(rng, 12, 8)
    sampler = Sampler(reduced, PRIORS)
    context = sampler.context(state)
    context.documents().find_modes(state)
    return sampler, state, context.documents().given(state)


def documents(sampler, state):
    """Yield each document's number, affinities and data, with eta and lambda2."""
    affinities = state.affinities.reshape(-1, N_TOPICS)
    found = documents_of(sampler.engine.reduced, np.exp(state.log_rates[:, 1:]))
    for d, document in enumerate(found):
        hyper = state.hyper
        yield d, affinities[d], document, hyper.affinity_mean, hyper.affinity_variance


def test_density_gradient_and_weights_are_those_of_the_model(drawn):
    sampler, state, conditional = drawn
    data = sampler.engine.data.documents
    for d, xi, document, *hyper in documents(sampler, state):
        gradient, weights = np.empty(N_TOPICS), np.empty(N_TOPICS)
        theta, expected_length = softmax(xi), np.empty(N_TOPICS)
        kernels.expect(d, data, conditional, expected_length)
        value = kernels.log_density(
            d, data, conditional, expected_length, theta, xi, gradient, True
        )
        expected = model.contrast_log_density(xi, document, *hyper)
        assert value == pytest.approx(expected, rel=1e-11, abs=1e-11)
        expected = model.contrast_gradient(xi, document, *hyper)
        np.testing.assert_allclose(gradient, expected, rtol=1e-9, atol=1e-9)
        assert gradient.sum() == pytest.approx(0, abs=1e-9)
        kernels.weights_at(d, data, conditional, theta, xi, gradient, weights)
        np.testing.assert_allclose(weights, model.contrast_weights(xi, document), atol=1e-9)


@pytest.mark.parametrize("weights", [[3.0, 0.5, 2.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
def test_the_mass_is_the_curvature_and_the_prior_among_contrasts(weights):
    weights, variance = np.array(weights), 1.7
    mass = model.contrast_curvature(weights) + np.eye(N_TOPICS) / variance
    scale, tilt, columns = np.empty(N_TOPICS), np.empty(N_TOPICS), np.eye(N_TOPICS)
    rest = kernels.prepare_mass(weights, variance, scale, tilt)
    for column in columns:
        kernels.to_momenta(scale, tilt, rest, column)
    project = np.eye(N_TOPICS) - 1 / N_TOPICS
    np.testing.assert_allclose(columns.T @ columns, project @ mass @ project, atol=1e-12)
    x, out = np.array([1.0, -2.0, 0.5, 0.5]), np.empty(N_TOPICS)
    product = kernels.solve(scale, tilt, rest, x, out)
    np.testing.assert_allclose(mass @ out, x, atol=1e-12)
    assert out.sum() == pytest.approx(0, abs=1e-12)
    assert product == pytest.approx(x @ out)


def test_modes_are_where_an_optimiser_ends(drawn):
    sampler, state, _ = drawn
    sampler.context(state).documents().find_modes(state)
    modes = copied(state)
    sampler.documents.move_to_modes(modes)
    modes = modes.affinities.reshape(-1, N_TOPICS)
    for d, _, *rest in documents(sampler, state):
        best = minimize(
            lambda at, *r: -model.contrast_log_density(at, *r),
            modes[d],  # the density may have several modes
            args=tuple(rest),
            jac=lambda at, *r: -model.contrast_gradient(at, *r),
            method="BFGS",
        )
        gained = -best.fun - model.contrast_log_density(modes[d], *rest)
        assert gained < 1e-2
        found = sampler.documents.curvature[d]
        np.testing.assert_allclose(found, model.contrast_weights(modes[d], rest[0]), atol=1e-9)


@pytest.mark.parametrize("step", [1e4, 1e200])
def test_a_diverged_trajectory_is_rejected(drawn, step):
    sampler, state, _ = drawn
    before = state.affinities.copy()
    block = sampler.blocks["affinities"]
    block.step.value[:] = step
    moves = block.update(sampler.context(state), Clock(1, 0, 0))
    assert moves.energy > 10
    assert (moves.items < 1e-4).all()
    assert np.array_equal(state.affinities, before)


def test_an_update_keeps_contrasts_and_memberships_together(drawn):
    sampler, state, _ = drawn
    before = state.affinities.copy()
    for scan in range(5):
        sampler.blocks["affinities"].update(sampler.context(state), Clock(1, 0, scan))
    assert (state.affinities != before).any()
    affinities = state.affinities.reshape(-1, N_TOPICS)
    np.testing.assert_allclose(affinities.sum(axis=1), 0, atol=1e-12)
    found = state.memberships.reshape(-1, N_TOPICS)
    np.testing.assert_allclose(found, softmax(affinities, axis=1), rtol=1e-12)
