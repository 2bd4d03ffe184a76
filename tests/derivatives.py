"""Numerical derivatives, to hold analytic ones against."""

import numpy as np

STEP = 1e-3  # a five-point stencil's error is STEP^4 / 30 times the fifth derivative


def jacobian(function, at):
    """Differentiate a function of a vector; the last axis is over the vector's entries."""
    at = np.asarray(at, dtype=np.float64)
    columns = []
    for i in range(len(at)):
        step = np.zeros(len(at))
        step[i] = STEP
        near = np.subtract(function(at + step), function(at - step))
        far = np.subtract(function(at + 2 * step), function(at - 2 * step))
        columns.append((8 * near - far) / (12 * STEP))
    return np.stack(columns, axis=-1)


def assert_derivative(analytic, function, at, *, tolerance=1e-8):
    """The analytic gradient or Jacobian is the function's, to a share of its largest entry."""
    numeric = jacobian(function, at)
    assert np.shape(analytic) == numeric.shape
    # values of the function are rounded too: their share is added
    scale = 1 + np.abs(numeric).max(initial=0) + 1e-5 * np.abs(function(at)).max(initial=0)
    np.testing.assert_allclose(analytic, numeric, rtol=0, atol=tolerance * scale)
