import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from frex.sampler.moments import RunningMoments
from frex.sampler.threads import most_threads, use_threads

SHAPES = hnp.array_shapes(min_dims=0, max_dims=2, max_side=4)
VALUES = st.floats(-1e6, 1e6)

compiling = settings(deadline=None, max_examples=50)  # the first call compiles


@st.composite
def drawn(draw, min_draws=2):
    shape = draw(SHAPES)
    n_draws = draw(st.integers(min_draws, 6))
    return draw(hnp.arrays(np.float64, (n_draws, *shape), elements=VALUES))


def seen(draws):
    moments = RunningMoments(draws.shape[1:])
    for values in draws:
        moments.update(values)
    return moments


def same_bits(one, other):
    return one.count == other.count and all(
        a.tobytes() == b.tobytes()
        for a, b in zip(one.to_arrays().values(), other.to_arrays().values(), strict=True)
    )


def assert_moments_of(moments, draws):
    spread = np.abs(draws).max(initial=1.0)
    assert moments.count == len(draws)
    np.testing.assert_allclose(moments.mean, draws.mean(axis=0), rtol=0, atol=1e-14 * spread)
    variance = draws.var(axis=0, ddof=1)
    np.testing.assert_allclose(moments.variance, variance, rtol=1e-12, atol=1e-14 * spread**2)
    assert np.array_equal(moments.sd, np.sqrt(moments.variance))
    assert moments.mean.shape == moments.sd.shape == draws.shape[1:]


@compiling
@given(drawn())
def test_moments_are_those_of_all_draws(draws):
    assert_moments_of(seen(draws), draws)


def test_a_large_offset_does_not_drown_the_variance():
    draws = 1e9 + np.random.default_rng(0).normal(size=(1000, 3))
    np.testing.assert_allclose(seen(draws).variance, draws.var(axis=0, ddof=1), rtol=1e-6)


def test_single_precision_loses_little():
    rng = np.random.default_rng(3)
    draws = np.array([-8.0, 1.0, 3e-6, 0.0]) + [0.01, 0.2, 1e-6, 0.0] * rng.normal(size=(5000, 4))
    moments = RunningMoments(4, np.float32)
    for values in draws:
        moments.update(values)
    error = draws.std(axis=0) / np.sqrt(len(draws))  # of the means, by chance
    assert np.all(np.abs(moments.mean - draws.mean(axis=0)) <= 0.2 * error)
    np.testing.assert_allclose(moments.sd, draws.std(axis=0, ddof=1), rtol=1e-3)
    assert moments.again().to_arrays()["mean"].dtype == moments.mean.dtype == np.float32
    restored = RunningMoments.from_arrays(moments.to_arrays())
    assert same_bits(restored, moments)


def test_what_does_not_vary_has_no_negative_variance():
    moments = RunningMoments(3, np.float32)
    for _ in range(10):
        moments.update([0.1, 1 / 3, -7.7])
    assert np.all(moments.variance >= 0)
    np.testing.assert_allclose(moments.sd, 0, atol=1e-6)


@pytest.mark.parametrize("shape", [(3, 1001), (5000, 7)])
def test_the_number_of_threads_changes_no_bit(shape, monkeypatch):
    monkeypatch.setattr("frex.sampler.threads.WORTH_SHARING", 0.0)
    draws = np.random.default_rng(1).normal(size=(5, *shape))
    results = []
    for n in range(1, most_threads() + 1):
        with use_threads(n):
            results.append(seen(draws))
    assert all(same_bits(results[0], other) for other in results)


@compiling
@given(drawn(min_draws=3))
def test_a_restored_state_goes_on_with_the_same_bits(draws):
    half = seen(draws[:2])
    saved = {name: np.array(array) for name, array in half.to_arrays().items()}
    for array in saved.values():
        array.setflags(write=False)  # as a memory-mapped checkpoint
    restored = RunningMoments.from_arrays(saved)
    for values in draws[2:]:
        restored.update(values)
    assert same_bits(restored, seen(draws))


def test_the_layout_of_a_draw_does_not_matter():
    draws = np.random.default_rng(2).normal(size=(4, 6, 5))
    assert same_bits(seen(draws), seen(draws.transpose(0, 2, 1).copy().transpose(0, 2, 1)))


def test_too_few_draws_have_no_moments():
    moments = RunningMoments((2,))
    assert np.isnan(moments.mean).all()
    moments.update([1.0, 2.0])
    assert moments.mean.tolist() == [1.0, 2.0]
    assert np.isnan(moments.variance).all()
    assert np.isnan(moments.sd).all()


def test_a_draw_of_another_shape_is_refused():
    moments = RunningMoments((2, 3))
    with pytest.raises(ValueError, match=r"\(3, 2\)"):
        moments.update(np.zeros((3, 2)))
    assert moments.count == 0
