from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expit, log_expit

from frex.errors import InputError
from frex.model.labels import log_label_probability

MEANS = st.floats(-400, 400)
SDS = st.floats(1e-3, 40)


def by_quadrature(mean, sd):
    """log E logistic(mean + sd z), by adaptive quadrature scaled by the integrand's maximum."""
    z = np.linspace(-40, 40, 160_001)
    log_g = log_expit(mean + sd * z) - 0.5 * z * z
    top, mode = log_g.max(), z[log_g.argmax()]

    def g(x):
        return np.exp(log_expit(mean + sd * x) - 0.5 * x * x - top)

    # pieces narrower than the logistic's step, so that no piece can miss it
    edges = mode + np.linspace(-14, 14, 281)
    total = sum(
        quad(g, a, b, epsabs=0, epsrel=1e-12, limit=200)[0]
        for a, b in pairwise(edges)
        if g(a) + g(b) + g((a + b) / 2) > 0
    )
    return top + np.log(total) - 0.5 * np.log(2 * np.pi)


@pytest.mark.parametrize("sd", [0.05, 0.7, 1.2, 2.0, np.sqrt(130), 30.0])
@pytest.mark.parametrize("mean", [-300.0, -100.0, -20.0, -3.0, 0.0, 5.0, 60.0])
def test_agrees_with_adaptive_quadrature_in_both_tails(mean, sd):
    log_p0, log_p1 = log_label_probability(mean, sd)
    assert log_p1 == pytest.approx(by_quadrature(mean, sd), rel=1e-12, abs=1e-13)
    assert log_p0 == pytest.approx(by_quadrature(-mean, sd), rel=1e-12, abs=1e-13)


@given(MEANS, SDS)
def test_the_two_probabilities_sum_to_one(mean, sd):
    assert np.logaddexp(*log_label_probability(mean, sd)) == pytest.approx(0, abs=1e-14)


@given(MEANS, SDS)
def test_exponential_tilting_links_the_tails(mean, sd):
    # logistic(-x) = exp(-x) logistic(x), and exp(-x) moves the Gaussian's mean by -sd^2
    log_p0, _ = log_label_probability(mean, sd)
    _, log_p1 = log_label_probability(mean - sd * sd, sd)
    assert log_p0 == pytest.approx(-mean + sd * sd / 2 + log_p1, rel=1e-13, abs=1e-11)


@given(SDS)
def test_half_at_zero_mean(sd):
    assert np.exp(log_label_probability(0.0, sd)) == pytest.approx([0.5, 0.5], rel=1e-14)


@given(st.floats(-30, 30))
def test_small_spread_is_the_logistic_and_its_curvature(mean):
    sd = 1e-3
    p = expit(mean)
    _, log_p1 = log_label_probability(mean, sd)
    assert np.exp(log_p1) == pytest.approx(p + 0.5 * sd**2 * p * (1 - p) * (1 - 2 * p), rel=1e-11)


def test_keeps_the_shape_of_the_means():
    means = np.arange(-3.0, 3.0).reshape(2, 3)
    for part in log_label_probability(means, 1.5):
        assert part.shape == (2, 3)
    alone = [log_label_probability(m, 1.5)[1] for m in means.ravel()]
    assert log_label_probability(means, 1.5)[1].ravel() == pytest.approx(alone, rel=1e-13)
    assert log_label_probability(np.empty(0), 1.5)[0].shape == (0,)


@pytest.mark.parametrize("sd", [0.0, -1.0, np.nan, np.inf])
def test_refuses_a_spread_that_is_none(sd):
    with pytest.raises(InputError, match="standard deviation"):
        log_label_probability(0.0, sd)
