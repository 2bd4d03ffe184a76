"""The definition of good draws, and how many are likely needed."""

import math

import numpy as np
import pytest
from fits import autoregressive, hyper_draws, make_fit

from frex.posterior import diagnose
from frex.posterior.convergence import (
    FEWEST_DRAWS,
    TOLERATED,
    TOLERATED_FAR,
    judge,
    likely_draws,
)
from frex.sampler.stopping import looks


def rates(n_lagging, n_far, n=200, n_draws=700):
    """Return independent draws of log rates, of which some are slow and some differ by chain."""
    draws = np.random.default_rng(0).normal(size=(2, n_draws, n))
    for k in range(n_lagging):
        draws[..., k] = autoregressive(0.9, 2, n_draws, seed=k)
    draws[1, :, n - n_far :] += 2.0
    return hyper_draws(2, n_draws) | {"log_rates": draws}


def test_independent_draws_are_good_as_soon_as_a_run_may_end():
    for seed in range(5):
        draws = hyper_draws(2, FEWEST_DRAWS, seed)
        draws["log_rates"] = np.random.default_rng(seed).normal(size=(2, FEWEST_DRAWS, 200))
        assert judge(draws) == []


def test_every_hyperparameter_counts():
    for name, draws in hyper_draws().items():
        apart = draws.copy()
        apart[(1, slice(None)) + (0,) * (draws.ndim - 2)] += 3 * draws.std()
        found = judge(hyper_draws() | {name: apart})
        assert {(short.variable, *short.beyond.tolist()) for short in found} == {(name, 0)}


@pytest.mark.parametrize(
    ("n_lagging", "n_far", "good"), [(10, 0, True), (11, 0, False), (0, 2, True), (0, 3, False)]
)
def test_of_many_log_rates_few_may_lag_and_fewer_be_far_off(n_lagging, n_far, good):
    assert (TOLERATED, TOLERATED_FAR) == (10 / 200, 2 / 200)
    found = judge(rates(n_lagging, n_far))
    assert (found == []) == good
    assert {short.variable for short in found} <= {"log_rates"}


def test_single_memberships_may_lag():
    draws = hyper_draws() | {"memberships": np.random.default_rng(0).normal(size=(2, 1000, 4))}
    draws["memberships"][1] += 5
    assert judge(draws) == []


def test_what_never_moves_or_is_no_number_is_not_good_and_no_draws_will_do():
    for value in (np.full((2, 1000), 0.5), np.full((2, 1000), np.nan)):
        found = judge(hyper_draws() | {"root_mean": value})
        assert math.isinf(likely_draws(found, 1000))


@pytest.mark.parametrize("correlation", [0.9, 0.97])
def test_a_projection_is_within_a_factor_of_two(correlation):
    """Of pairs of chains whose autocorrelation is known, against the draws that they take."""
    theory = 100 * (1 + correlation) / (1 - correlation)  # for 200 effective draws of two chains
    longest, projected, taken = int(4 * theory), [], []
    for seed in range(12):
        draws = autoregressive(correlation, 2, longest, seed)
        projected.append(likely_draws(judge({"root_mean": draws[:, :700]}), 700))
        good = (n for n in looks(700, longest) if not judge({"root_mean": draws[:, :n]}))
        taken.append(next(good, longest))
    assert theory < np.median(taken) < 2 * theory
    ratios = np.array(projected) / np.median(taken)
    assert np.mean((ratios > 0.5) & (ratios < 2)) >= 0.75
    assert 0.7 < np.median(ratios) < 1.4


def test_a_projection_is_in_hundreds_and_never_below_the_default():
    assert likely_draws([], 30) == FEWEST_DRAWS
    found = judge({"root_mean": autoregressive(0.9, 2, 700)})
    assert likely_draws(found, 700) % 100 == 0
    assert likely_draws(found, 700) > 700


def test_the_diagnosis_goes_by_the_same_definition():
    for n_lagging in (0, 10, 11, 40):
        draws = rates(n_lagging, 0)
        fit = make_fit(2, 700, draws=draws, traced_rates=np.zeros((200, 2), np.int64))
        assert diagnose(fit).ok == (judge(draws) == [])


def test_affinities_that_no_word_sees_are_a_note():
    slow = autoregressive(0.999, 2, 700)
    draws = hyper_draws(2, 700) | {"affinity_variance": slow, "log_rates": np.empty((2, 700, 0))}
    assert judge(draws) != []
    assert judge(draws | {"memberships": np.zeros((2, 700, 1))}) != []
    single = draws | {"memberships": np.empty((2, 700, 0))}  # each document has one label
    assert judge(single) == []
    none = {"traced_rates": np.empty((0, 2), int), "traced_memberships": np.empty((0, 2), int)}
    found = diagnose(make_fit(2, 700, draws=single, **none))
    assert found.ok
    assert found.worst["r_hat"][0] != "affinity_variance"
    assert any(note.startswith("affinity_variance has not settled") for note in found.notes)
    assert found.trust.level == "settled"
