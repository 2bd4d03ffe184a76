from itertools import pairwise

import numpy as np
import pytest
from derivatives import assert_derivative
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import expit, log_expit

from frex.errors import InputError
from frex.model.labels import (
    label_probability_derivatives,
    log_label_probability,
    log_probability_of_any_label,
)

MEANS = st.floats(-400, 400)
SDS = st.floats(1e-3, 40)


def by_quadrature(mean, sd, log_function=log_expit):
    """log E exp(log_function(mean + sd z)), adaptive, scaled by the integrand's maximum."""
    z = np.linspace(-40, 40, 160_001)
    log_g = log_function(mean + sd * z) - 0.5 * z * z
    top, mode = log_g.max(), z[log_g.argmax()]

    def g(x):
        return np.exp(log_function(mean + sd * x) - 0.5 * x * x - top)

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


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=5), st.floats(0.1, 10))
def test_a_document_has_a_label_unless_it_has_none(means, sd):
    log_p0, log_p1 = log_label_probability(means, sd)
    log_any = log_probability_of_any_label(log_p0, log_p1)
    assert np.logaddexp(log_any, log_p0.sum()) == pytest.approx(0, abs=1e-12)


def test_any_of_several_rare_labels_is_as_likely_as_all_of_them_together():
    log_p0, log_p1 = log_label_probability([-500.0, -501.0, -503.0], 1.0)
    log_any = log_probability_of_any_label(log_p0, log_p1)
    assert log_any == pytest.approx(np.logaddexp.reduce(log_p1), rel=1e-14)


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
    with pytest.raises(InputError, match="standard deviation"):
        label_probability_derivatives(0.0, sd)


@given(st.lists(st.floats(-30, 30), min_size=1, max_size=4), st.floats(-3, 2.5))
def test_derivatives_are_those_of_the_log_probabilities(means, log_sd):
    means = np.array(means)
    parts = label_probability_derivatives(means, np.exp(log_sd))
    exact = log_label_probability(means, np.exp(log_sd))
    assert np.array(parts[:2]) == pytest.approx(np.array(exact), rel=1e-13, abs=1e-13)
    for k, mean in enumerate(means):
        for which in (0, 1):
            gradient, hessian = parts[2 + which][:, k], parts[4 + which][:, k]

            def log_probability(at, which=which):
                return float(log_label_probability(at[0], np.exp(at[1]))[which])

            def slope(at, which=which):
                return label_probability_derivatives(at[0], np.exp(at[1]))[2 + which]

            assert_derivative(gradient, log_probability, [mean, log_sd])
            assert_derivative(hessian[[[0, 1], [1, 2]]], slope, [mean, log_sd])


@pytest.mark.parametrize("sd", [0.05, 1.2, np.sqrt(130), 30.0])
@pytest.mark.parametrize("mean", [-300.0, -20.0, -3.0, 0.0, 5.0, 60.0, 300.0])
def test_slopes_keep_their_relative_accuracy_in_both_tails(mean, sd):
    # dP1/deta = E logistic'(x), and the Gaussian's heat equation: dP1/dlog(lambda) = lambda^2 P1''
    def log_slope(x):
        return log_expit(x) + log_expit(-x)

    parts = label_probability_derivatives(mean, sd)
    log_q = by_quadrature(mean, sd, log_slope)
    for log_p, gradient, hessian, sign in (
        (parts.log_p1, parts.gradient_p1, parts.hessian_p1, 1),
        (parts.log_p0, parts.gradient_p0, parts.hessian_p0, -1),
    ):
        assert gradient[0] == pytest.approx(sign * np.exp(log_q - log_p), rel=1e-11, abs=1e-300)
        second = hessian[0] + gradient[0] ** 2
        assert gradient[1] == pytest.approx(sd**2 * second, rel=1e-9, abs=1e-12 * sd**2)


def test_derivatives_have_the_shape_of_the_means_behind_their_own_axis():
    parts = label_probability_derivatives(np.arange(6.0).reshape(2, 3), 1.5)
    shapes = [(2, 3), (2, 3), (2, 2, 3), (2, 2, 3), (3, 2, 3), (3, 2, 3)]
    assert [part.shape for part in parts] == shapes
    assert label_probability_derivatives(np.empty(0), 1.5).gradient_p0.shape == (2, 0)
