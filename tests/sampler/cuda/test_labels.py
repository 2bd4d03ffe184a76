import numpy as np
import pytest
from numba import cuda

from frex.model.labels import label_probability_derivatives
from frex.sampler.kernels.cuda.labels import label_terms
from frex.sampler.kernels.cuda.options import SUM_THREADS


@pytest.mark.parametrize("sd", [0.05, 1.3, 7.0])
def test_label_probabilities_and_gradients_are_those_of_the_model(sd):
    mean = np.array([-300.0, -9.0, 0.3, 4.0])
    out = cuda.to_device(np.zeros((len(mean), 6)))
    label_terms[len(mean), SUM_THREADS](np.append(0.0, mean), sd, out)
    log_p0, log_p1, gradient_p0, gradient_p1, *_ = label_probability_derivatives(mean, sd)
    expected = np.stack([log_p0, log_p1, *gradient_p0, *gradient_p1], axis=1)
    np.testing.assert_allclose(out.copy_to_host(), expected, rtol=1e-10, atol=1e-300)
