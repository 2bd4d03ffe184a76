import numpy as np
import pytest

from frex.model.hyperparameters import AffinityStatistics, label_gradient, label_log_density
from frex.model.labels import label_probability_derivatives
from frex.sampler.blocks.labels import label_density, label_terms


@pytest.mark.parametrize("sd", [0.01, 0.7, 2.0, 11.0, 300.0])
@pytest.mark.parametrize("spread", [1.0, 30.0, 300.0])
@pytest.mark.parametrize("n_conditioned", [0, 2000])
def test_density_and_gradient_are_those_of_the_model(sd, spread, n_conditioned):
    rng = np.random.default_rng(3)
    mean, nothing = rng.normal(-3, spread, 20), np.zeros(20)
    n_absent, n_single = rng.integers(0, 1000, 20), rng.integers(0, 50, 20)
    statistics = AffinityStatistics(n_absent, n_single, nothing, nothing, nothing, n_conditioned)
    value, gradient = label_density(label_terms(mean, np.log(sd)), statistics)
    parts = label_probability_derivatives(mean, sd)
    assert value == pytest.approx(label_log_density(*parts[:2], statistics), rel=1e-13)
    expected = label_gradient(*parts[:4], statistics)
    np.testing.assert_allclose(gradient, expected, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("sd", [0.01, 0.7, 2.0, 11.0, 300.0])
def test_probabilities_and_slopes_are_those_of_the_model_one_by_one(sd):
    mean = np.linspace(-40, 40, 17)
    parts = label_probability_derivatives(mean, sd)
    expected = np.vstack([parts.log_p0, parts.log_p1, parts.gradient_p0, parts.gradient_p1])
    found = label_terms(mean, np.log(sd)).T
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-14)


def test_a_stretch_of_topics_has_the_bits_of_all():
    mean = np.linspace(-9, 3, 7)
    own = []

    class Exchange:
        """A process among others."""

        def stretch(self, n_items):
            assert n_items == len(mean)
            return slice(2, 5)

        def all_stretches(self, rows, n_items):  # noqa: ARG002 - the signature
            own.append(rows)
            return rows

    label_terms(mean, 0.7, Exchange())
    assert own[0].tobytes() == label_terms(mean, 0.7)[2:5].tobytes()


def test_no_topics_have_nothing_to_say():
    nothing = np.zeros(0)
    statistics = AffinityStatistics(nothing, nothing, nothing, nothing, nothing)
    value, gradient = label_density(label_terms(nothing, 0.0), statistics)
    assert value == 0
    assert gradient.tolist() == [0]
