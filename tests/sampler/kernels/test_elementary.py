import re

import numpy as np
import pytest
from numba import njit
from python_calls import callable_from_python

import frex.sampler.kernels  # noqa: F401 - the form of them that is tested
from frex.sampler.formulas import elementary
from frex.sampler.formulas.options import FASTMATH

EPSILON = np.finfo(np.float64).eps


@njit(fastmath=FASTMATH, error_model="numpy")
def exp_of(x, out):
    for i in range(len(x)):
        out[i] = elementary.exp(x[i])


@njit(fastmath=FASTMATH, error_model="numpy")
def log_of(x, out):
    for i in range(len(x)):
        out[i] = elementary.log(x[i])


def applied(kernel, x):
    out = np.empty_like(x)
    kernel(x, out)
    return out


@pytest.mark.parametrize("width", [1e-6, 0.1, 1.0, 30.0, 707.0])
def test_exp_is_right_to_rounding(width):
    x = np.random.default_rng(1).uniform(-width, width, 100_000)
    np.testing.assert_allclose(applied(exp_of, x), np.exp(x), rtol=2 * EPSILON, atol=0)


@pytest.mark.parametrize("width", [1e-6, 0.1, 1.0, 30.0, 707.0])
def test_log_is_right_to_rounding(width):
    x = np.exp(np.random.default_rng(2).uniform(-width, width, 100_000))
    np.testing.assert_allclose(applied(log_of, x), np.log(x), rtol=2 * EPSILON, atol=0)


def test_what_diverged_stays_visible():
    big, small = applied(exp_of, np.array([np.inf, -np.inf]))
    assert big > 1e307
    assert 0 <= small < 1e-307
    assert np.isnan(applied(exp_of, np.array([np.nan]))[0])
    assert np.isnan(applied(log_of, np.array([0.0, -1.0, np.nan]))).all()
    assert applied(log_of, np.array([np.inf]))[0] > 709


def test_the_loops_are_vectorised():
    x = np.ones(100)
    for kernel in (exp_of, log_of):
        applied(kernel, x)
        assert re.search("<[248] x double>", "".join(kernel.inspect_llvm().values()))


def test_a_circle_is_right_to_rounding_all_the_way_round():
    eighths = np.arange(9) / 8
    near = [eighths, eighths[1:] - 2**-53, eighths[:-1] + 2**-60]
    turns = np.concatenate([np.random.default_rng(0).random(20_000), *near])
    circle = callable_from_python(elementary.circle)
    found = np.array([circle(x) for x in turns])
    # sines of numbers that are reduced exactly: by symmetry, within an eighth of a turn
    quarter = np.round(4 * turns)
    rest = 2 * np.pi * (turns - quarter / 4)
    cosine, sine = np.cos(rest), np.sin(rest)
    expected = np.choose(
        quarter.astype(int) % 4,
        [[cosine, sine], [-sine, cosine], [-cosine, -sine], [sine, -cosine]],
    )
    np.testing.assert_allclose(found.T, expected, rtol=4e-16, atol=1e-17)
