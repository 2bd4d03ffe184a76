"""Quantiles of draws: an interval holds what it says, however few the draws."""

import numpy as np
import pytest

from frex.posterior.intervals import quantiles


@pytest.mark.parametrize("n_draws", [19, 39, 128])
def test_an_interval_holds_another_draw_as_often_as_it_says(n_draws):
    """NumPy's default holds 0.81, 0.86 and 0.886 of them."""
    rng = np.random.default_rng(0)
    draws, others = rng.normal(size=(n_draws, 40_000)), rng.normal(size=40_000)
    low, high = quantiles(draws, [0.05, 0.95])
    assert np.mean((low <= others) & (others <= high)) == pytest.approx(0.9, abs=0.006)


def test_the_ends_are_draws_where_more_is_not_known():
    low, middle, high = quantiles(np.array([[1.0], [2.0]]), [0.05, 0.5, 0.95])
    assert (low, middle, high) == (1, 1.5, 2)
