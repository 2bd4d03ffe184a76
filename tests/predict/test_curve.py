"""The curve that makes frequencies of log odds."""

import numpy as np
import pytest
from scipy.special import expit

from frex.predict.curve import STRAIGHT, learn_curve


def draw(odds, seed=0):
    return np.random.default_rng(seed).random(len(odds)) < expit(odds)


def test_it_finds_the_log_odds_that_are_true():
    shown = np.random.default_rng(1).normal(-2, 3, 100_000)
    true = np.where(shown > 0, 0.3 * shown, 1.5 * shown) - 0.5
    found = learn_curve(shown, draw(true)).bend(shown)
    middle = np.abs(true) < 3
    assert np.abs(expit(found) - expit(true))[middle].max() < 0.05
    assert expit(found).sum() == pytest.approx(draw(true).sum(), rel=1e-3)


def test_it_never_falls():
    shown = np.random.default_rng(2).normal(0, 3, 3000)
    curve = learn_curve(shown, draw(-shown))
    assert (np.diff(curve.values) > 0).all()


def test_few_labels_leave_it_straight():
    assert learn_curve(np.array([-1.0, 0.0, 2.0]), np.array([False, True, True])) is STRAIGHT
    np.testing.assert_array_equal(STRAIGHT.bend(np.array([-3.0, 1.5])), [-3.0, 1.5])
