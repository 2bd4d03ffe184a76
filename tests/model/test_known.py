"""Topics of which a fit is the prior: densities against each other and against integrals."""

import numpy as np
import pytest
from derivatives import assert_derivative
from scipy import integrate, stats
from unlabelled import draw_fit

from frex.model import known
from frex.model.priors import HalfNormal, Hyperparameters, Normal

RNG = np.random.default_rng(4)
HYPER = Hyperparameters(0.3, 0.2, np.zeros(4), 1.0, 5.0, 0.5, np.array([0.1, 0.4]))
PRIOR = HalfNormal(0.7)


@pytest.fixture
def fit():
    return draw_fit(np.random.default_rng(1), 30, 2)


def test_the_variances_of_the_root_and_of_known_topics(fit):
    assert (fit.n_known, fit.n_extra) == (2, 2)
    np.testing.assert_allclose(fit.variances(HYPER) - fit.spreads, [[0.2, 0.1, 0.4]] * 30)


def test_words_that_the_fit_does_not_know_are_as_its_words_are():
    means = RNG.normal(size=(50, 3))
    variances = RNG.gamma(1.0, size=(50, 3))
    rows = np.array([4, -1, 7])
    made = known.known_topics(means, variances, rows, 1, level=0.5)
    np.testing.assert_allclose(made.offsets[[0, 2], :3], means[[4, 7]] + 0.5)
    np.testing.assert_allclose(made.offsets[[0, 2], 3], means[[4, 7], 0] + 0.5)
    np.testing.assert_allclose(made.offsets[1], means[:, 0].mean() + 0.5)
    np.testing.assert_allclose(made.spreads[[0, 2], 1:], variances[[4, 7], 1:])
    assert (made.spreads[[0, 2], 0] == 0).all()
    squares = (means[:, 2] - means[:, 0]) ** 2 + variances[:, 2]
    np.testing.assert_allclose(made.spreads[1, [0, 2]], [means[:, 0].var(), squares.mean()])


def test_the_density_of_drifts_is_that_of_the_deviations(fit):
    log_rates, z = RNG.normal(size=(30, 5)), np.log([0.3, 0.5, 0.2])
    squares = known.deviation_squares(fit, log_rates, 0.3)
    about = np.column_stack([np.full(30, 0.3), log_rates[:, 0], log_rates[:, 0]])

    def normals(z):
        sd = np.sqrt(fit.spreads + np.exp(2 * z))
        return stats.norm.logpdf(log_rates[:, :3], about, sd).sum()

    def density(z):
        prior = PRIOR.log_density_of_log(z).sum()
        return known.drift_log_density(z, squares, fit.spreads, PRIOR) - prior

    other = z + np.array([0.3, -0.2, 0.4])
    assert density(other) - density(z) == pytest.approx(normals(other) - normals(z))


def test_gradient_and_hessian_of_drifts(fit):
    log_rates, z = RNG.normal(size=(30, 5)), np.log([0.3, 0.5, 0.2])
    given = known.deviation_squares(fit, log_rates, 0.3), fit.spreads, PRIOR
    assert_derivative(
        known.drift_gradient(z, *given), lambda z: known.drift_log_density(z, *given), z
    )
    assert_derivative(
        np.diag(known.drift_hessian(z, *given)), lambda z: known.drift_gradient(z, *given), z
    )


def test_the_level_given_the_roots():
    roots, variances, prior = RNG.normal(size=6), RNG.gamma(2.0, size=6), Normal(0.2, 0.5)

    def density(psi):
        return np.exp(
            stats.norm.logpdf(roots, psi, np.sqrt(variances)).sum() + prior.log_density(psi)
        )

    total = integrate.quad(density, -5, 5)[0]
    mean = integrate.quad(lambda x: x * density(x), -5, 5)[0] / total
    square = integrate.quad(lambda x: (x - mean) ** 2 * density(x), -5, 5)[0] / total
    np.testing.assert_allclose(known.level_conditional(roots, variances, prior), [mean, square])


def test_a_words_drift_is_what_the_fit_did_not_leave_open():
    """Of e, what the fit did not know and the drift, the drift given e; e may have a spread."""
    rng, spread, delta = np.random.default_rng(3), 0.5, 0.3
    drift = rng.normal(0, np.sqrt(delta), 2_000_000)
    e = drift + rng.normal(0, np.sqrt(spread), len(drift))
    near = abs(e - 0.9) < 0.05
    mean, variance = known.drift_of_words(np.array([0.9]), np.zeros(1), np.array([spread]), delta)
    assert drift[near].mean() == pytest.approx(mean[0], abs=0.01)
    assert drift[near].var() == pytest.approx(variance[0], rel=0.02)
    wider = known.drift_of_words(np.array([0.9]), np.full(1, 0.2), np.array([spread]), delta)[1]
    r = delta / (delta + spread)
    assert wider[0] - variance[0] == pytest.approx(0.2 * r * r)
