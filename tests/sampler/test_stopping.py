"""When a run of open length ends."""

from itertools import pairwise

import numpy as np
from fits import autoregressive, hyper_draws

from frex.sampler.stopping import TOO_MANY, look, looks


def test_looks_are_at_hundreds_and_ever_further_apart():
    found = list(looks(700, 7000))
    assert found[:6] == [700, 800, 900, 1000, 1100, 1300]
    assert found[-1] < 7000
    assert all(11 * a <= 10 * b < 11 * a + 1000 for a, b in pairwise(found))
    assert list(looks(50, 50)) == []  # a number of draws that was asked for


def test_a_run_ends_as_soon_as_its_draws_are_good():
    good = look(hyper_draws(2, 700), 700, 7000)
    assert good.ends
    slow = look({"root_mean": autoregressive(0.9, 2, 700)}, 700, 7000)
    assert not slow.ends
    assert 700 < slow.likely < 7000


def slow(n_draws, seed=0):
    """Return chains of which a pair needs about 130,000 draws."""
    return {"root_mean": autoregressive(0.999, 2, 5000, seed)[:, :n_draws]}


def test_a_run_without_hope_ends_at_the_second_look_from_twice_the_fewest_draws_on():
    seen = {n: look(slow(n), 700, 7000) for n in looks(700, 2000)}
    assert min(one.likely for one in seen.values()) > TOO_MANY * 7000
    assert [n for n in seen if n >= 1400][:2] == [1500, 1700]
    assert [n for n, one in seen.items() if one.ends] == [1700, 1900]


def test_a_run_that_looked_without_hope_once_goes_on():
    draws = hyper_draws(2, 1700)
    draws["root_mean"][1, 1500:] += 50  # unsettled for the first time
    now = look(draws, 700, 7000)
    assert now.likely > TOO_MANY * 7000
    assert not now.ends


def test_a_little_more_than_the_most_is_worth_trying():
    slow = {"root_mean": autoregressive(0.97, 2, 1700)}
    now = look(slow, 700, 5000)
    assert 5000 < now.likely < TOO_MANY * 5000
    assert not now.ends


def test_what_a_look_sees_does_not_depend_on_what_is_kept_besides():
    draws = hyper_draws(2, 1500) | {"memberships": np.zeros((2, 1500, 3))}
    assert look(draws, 700, 7000).ends
