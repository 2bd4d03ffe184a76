import numpy as np
import pytest

from frex.model.hyperparameters import label_gradient, label_log_likelihood
from frex.sampler.hyperparameters import unseen
from frex.sampler.kernels.labels import label_density


@pytest.mark.parametrize("sd", [0.01, 0.7, 2.0, 11.0, 300.0])
@pytest.mark.parametrize("spread", [1.0, 30.0, 300.0])
def test_density_and_gradient_are_those_of_the_model(sd, spread):
    rng = np.random.default_rng(3)
    mean = rng.normal(-3, spread, 20)
    n_absent, n_single = rng.integers(0, 1000, 20), rng.integers(0, 50, 20)
    terms = np.empty((20, 3))
    label_density(mean, sd, n_absent, n_single, 0, terms)
    value, gradient = unseen(terms)
    known = (mean, np.log(sd), n_absent, n_single)
    assert value == pytest.approx(label_log_likelihood(*known), rel=1e-13)
    np.testing.assert_allclose(gradient, label_gradient(*known), rtol=1e-11, atol=1e-12)


def test_a_stretch_of_topics_has_the_bits_of_all():
    mean, n_absent, n_single = np.linspace(-9, 3, 7), np.arange(7), np.arange(7)[::-1].copy()
    terms, some = np.empty((7, 3)), np.empty((3, 3))
    label_density(mean, 2.0, n_absent, n_single, 0, terms)
    label_density(mean, 2.0, n_absent, n_single, 2, some)
    assert some.tobytes() == terms[2:5].tobytes()


def test_no_topics_have_nothing_to_say():
    nothing, terms = np.zeros(0, np.int64), np.empty((0, 3))
    label_density(np.zeros(0), 1.0, nothing, nothing, 0, terms)
    value, gradient = unseen(terms)
    assert value == 0
    assert gradient.tolist() == [0]
