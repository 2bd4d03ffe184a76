import numpy as np
import pytest
from numba import njit

from frex.sampler.formulas.elementary import log, root
from frex.sampler.formulas.rows import across, load, spread, store
from frex.sampler.kernels.vectors import LANES

RNG = np.random.default_rng(5)


@njit
def combine(a, b, number, out):
    x, y = load(a, 0), load(b, 1)
    store(out, 0, x + y)
    store(out, 1, x - number * y)
    store(out, 2, number / x + y / number)
    store(out, 3, root(x) * y)


@njit
def logs_and_sums(a, out):
    for i in range(len(a)):
        store(out, i, log(load(a, i)) + spread(0.5))
    return across(load(a, 1))


@pytest.mark.parametrize("shape", [(4,), (4, LANES)])
def test_arithmetic_is_lane_by_lane_and_of_numbers_the_same(shape):
    a, b = RNG.uniform(0.1, 3, (2, *shape))
    out = np.empty(shape)
    combine(a, b, 1.7, out)
    x, y = a[0], b[1]
    expected = [x + y, x - 1.7 * y, 1.7 / x + y / 1.7, np.sqrt(x) * y]
    np.testing.assert_allclose(out, expected, rtol=1e-14)


def test_a_column_of_work_space_is_read_with_its_stride():
    a, b, out = RNG.uniform(0.1, 3, (4, LANES)), RNG.uniform(0.1, 3, 4), np.empty(4)
    combine(a[:, 3], b, 1.0, out)
    assert out[0] == a[0, 3] + b[1]


@pytest.mark.parametrize("kind", [np.float32, np.uint8, np.uint16, np.uint32])
@pytest.mark.parametrize("shape", [(4,), (4, LANES)])
def test_what_is_stored_narrow_is_read_as_double(kind, shape):
    largest = 50 if kind == np.float32 else np.iinfo(kind).max
    a = RNG.integers(1, largest, shape, endpoint=True).astype(kind)
    a[0] = largest
    b, out = np.ones(shape), np.empty(shape)
    combine(a, b, 2.0, out)
    assert np.array_equal(out[0], a[0].astype(np.float64) + 1.0)


def test_logarithms_are_right_to_rounding_and_sums_cross_lanes():
    a, out = 10 ** RNG.uniform(-300, 300, (50, LANES)), np.empty((50, LANES))
    assert logs_and_sums(a, out) == pytest.approx(a[1].sum(), rel=1e-15)
    np.testing.assert_allclose(out, np.log(a) + 0.5, rtol=4e-16, atol=2e-16)


def test_what_has_no_logarithm_stays_visible():
    a, out = np.ones((2, LANES)), np.empty((2, LANES))
    a[0, :3] = 0.0, -1.0, np.nan
    logs_and_sums(a, out)
    assert np.isnan(out[0, :3]).all()
    assert (out[0, 3:] == 0.5).all()
