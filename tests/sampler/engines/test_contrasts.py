"""The documents' blocks without labels: densities, draws about the mode, and what stays centred."""

import numpy as np
import pytest
from calibration import PRIORS, copied
from derivatives import assert_derivative
from scipy.stats import norm
from unlabelled import N_TOPICS, draw_unlabelled

from frex.model import contrasts as model
from frex.model.affinities import documents_of
from frex.sampler.blocks.coordinates import affinity_position
from frex.sampler.data import Share
from frex.sampler.engines.cpu.engine import CpuEngine
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock, Stream


@pytest.fixture(params=range(3))
def drawn(request):
    rng = np.random.default_rng(request.param)
    reduced, state = draw_unlabelled(rng, 12, 8)
    return Sampler(reduced, PRIORS), state


def test_the_moves_density_is_the_joint_one_at_the_moved_affinities(drawn):
    sampler, state = drawn
    move, rng = sampler.blocks["affinity_interweaving"], np.random.default_rng(5)
    documents, coordinates = sampler.documents, sampler.coordinates
    own = documents.gaussians
    own.precisions[:] = rng.gamma(1, 2, own.precisions.shape)  # any leave the posterior invariant
    own.pulls[:] = rng.normal(0, 2, own.pulls.shape)
    context = sampler.context(state)
    context.documents().standardise(state, Clock(5, 0, 0).address(Stream.LEVELS))
    u = sampler.engine.workspace.held_affinities.reshape(own.pulls.shape)
    found = list(documents_of(sampler.engine.reduced, np.exp(state.log_rates[:, 1:])))
    priors = model.contrast_priors(PRIORS)

    def value(position):
        eta, sd = coordinates.to_topics(position[:-1]), np.exp(position[-1])
        total = own.precisions + sd**-2
        affinities = (own.pulls + eta * sd**-2) / total + u / np.sqrt(total)
        words = sum(
            model.contrast_log_density(xi, document, xi, 1.0)  # the words alone
            for xi, document in zip(affinities, found, strict=True)
        )
        prior = priors.affinity_mean.log_density(position[:-1]).sum()
        prior += priors.affinity_sd.log_density_of_log(position[-1])
        normal = norm.logpdf(affinities, eta, sd) + 0.5 * np.log(2 * np.pi)
        return words + normal.sum() - 0.5 * np.log(total).sum() + prior

    position = affinity_position(state.hyper, coordinates)
    position += rng.normal(0, 0.3, len(position))
    density, gradient = move.log_density(position, context)
    assert density == pytest.approx(value(position), rel=1e-10)
    assert_derivative(gradient, value, position)
    gradient_only = move.log_density(position, context, with_value=False)[1]
    np.testing.assert_array_equal(gradient_only, gradient)


def test_what_is_seen_of_the_contrasts_is_what_the_model_sees(drawn):
    sampler, state = drawn
    found = sampler.context(state).statistics()
    shape = sampler.documents.curvature.shape
    expected = model.contrast_statistics(
        state.affinities.reshape(shape), model.contrast_basis(N_TOPICS)
    )
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


def test_words_move_as_if_their_topics_had_to_be_looked_up(drawn):
    sampler, state = drawn
    engine = sampler.engine
    looked_up, reduced = copied(state), engine.reduced
    assert engine.data.words.width == N_TOPICS
    both = Sampler(CpuEngine(reduced, Share.of_one(reduced._replace(labelled=True))), PRIORS)
    for of, own in ((sampler, state), (both, looked_up)):
        context = of.context(own)
        of.blocks["rates"].refresh(context)
        of.blocks["rates"].update(context, Clock(1, 0, 0))
    np.testing.assert_allclose(state.log_rates, looked_up.log_rates, rtol=1e-6)


def test_a_scan_keeps_what_sums_to_0(drawn):
    sampler, state = drawn
    for scan in range(6):
        sampler.scan(state, Clock(1, 0, scan), refresh=scan == 0)
        contrasts = state.affinities.reshape(-1, N_TOPICS)
        np.testing.assert_allclose(contrasts.sum(axis=1), 0, atol=1e-11)
        assert state.hyper.affinity_mean.sum() == pytest.approx(0, abs=1e-12)


def test_draws_about_the_mode_have_the_masss_inverse_for_a_variance(drawn):
    sampler, state = drawn
    documents, variance = sampler.context(state).documents(), state.hyper.affinity_variance
    documents.find_modes(state)
    documents.move_to_modes(state)
    modes = state.affinities
    documents.curvature[0] = 0  # a document without words
    draw = documents.gaussian(modes, variance)
    shape = documents.curvature.shape
    along = np.array([draw(noise) - modes for noise in np.eye(modes.size)]).reshape(-1, *shape)
    spread = np.zeros(N_TOPICS)
    for d, weights in enumerate(documents.curvature):
        mass = model.contrast_curvature(weights) + np.eye(N_TOPICS) / variance
        project = np.eye(N_TOPICS) - 1 / N_TOPICS
        expected = project @ np.linalg.inv(mass) @ project
        np.testing.assert_allclose(along[:, d].T @ along[:, d], expected, atol=1e-10)
        spread += np.diag(expected)
    np.testing.assert_allclose(documents.variance_sums(variance), spread, atol=1e-9)
