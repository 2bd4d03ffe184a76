"""Functions that run on all lanes are those of NumPy."""

import numpy as np
from numba import njit
from python_calls import callable_from_python

from frex.predict.kernels.active import whole_lanes
from frex.predict.kernels.lanes import WIDTH, exp, log


@njit
def fill(function, x, out):
    for i in range(len(x)):
        out[i] = function(x[i])


def test_exp_has_seven_digits():
    x = np.linspace(-86.5, 0.0, 100_003, dtype=np.float32)
    out = np.empty_like(x)
    fill(exp, x, out)
    np.testing.assert_allclose(out, np.exp(x.astype(np.float64)), rtol=5e-7)
    fill(exp, np.array([-1e30, -100.0, 0.0], np.float32), out)
    np.testing.assert_allclose(out[:3], [np.exp(-87.0), np.exp(-87.0), 1.0], rtol=5e-6)


def test_log_has_ten_digits():
    x = np.concatenate([np.geomspace(1e-300, 1e300, 100_003), 1.0 + np.linspace(-0.1, 0.1, 1001)])
    out = np.empty_like(x)
    fill(log, x, out)
    np.testing.assert_allclose(out, np.log(x), rtol=1e-9, atol=1e-11)


def test_lanes_are_whole():
    whole = callable_from_python(whole_lanes)
    assert [whole(n) for n in (0, 1, WIDTH, WIDTH + 1)] == [0, WIDTH, WIDTH, 2 * WIDTH]
