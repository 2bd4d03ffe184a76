"""The sentence for whoever knows nothing of chains and draws."""

from dataclasses import replace

import numpy as np
import pytest
from fits import autoregressive, hyper_draws, make_fit, make_map_fit, with_draws

from frex.posterior import HYPERPARAMETERS, diagnose


def stuck_acceptance():
    steps = np.full((2, 1000), 0.3)
    return make_fit(stats={"acceptance_rates": np.full((2, 1000), 0.1), "step_size_rates": steps})


def broken():
    draws = hyper_draws()["root_mean"]
    draws[0, 0] = np.inf
    return with_draws(root_mean=draws)


def slow_rates(n_slow):
    draws = np.random.default_rng(0).normal(size=(2, 1000, 3))
    for k in range(n_slow):
        draws[..., k] = autoregressive(0.99, 2, 1000, seed=k)
    return with_draws(log_rates=draws)


FITS = {
    "good": (make_fit, "settled", "two computations that began apart"),
    "five chains": (lambda: make_fit(5, 1000), "settled", "5 computations"),
    "one chain": (lambda: make_fit(1, 2000), "settled", "a single computation"),
    "settings": (
        lambda: with_draws(root_mean=autoregressive(0.99, 2, 1000)),
        "partly settled",
        "word lists can be relied on",
    ),
    "some rates": (lambda: slow_rates(1), "provisional", "about 33 in 100 rates"),
    "most rates": (lambda: slow_rates(3), "provisional", ": most rates of words have not"),
    "acceptance": (stuck_acceptance, "provisional", "hardly moved"),
    "mode": (make_map_fit, "approximate", "a quick approximation"),
    "short": (lambda: make_fit(2, 3), "unusable", "ended before it could be judged"),
    "none": (lambda: make_fit(2, 0, complete=False), "unusable", "ended before it could be"),
    "broken": (broken, "unusable", "went wrong"),
}


@pytest.mark.parametrize("case", FITS)
def test_it_says_what_to_make_of_a_fit_without_naming_parameters(case):
    make, level, part = FITS[case]
    trust = diagnose(make()).trust
    assert trust.level == level
    assert part in trust.sentence
    terms = ("R-hat", "ESS", "chain", "draw", "posterior", *HYPERPARAMETERS)
    assert not [term for term in terms if term in trust.sentence]


def test_where_no_rates_were_traced_nothing_is_said_of_lists():
    draws = {"root_mean": autoregressive(0.99, 2, 1000)}
    fit = make_fit(draws=draws, traced_rates=np.empty((0, 2), np.int64))
    assert "some rates of words" in diagnose(fit).trust.sentence


def test_a_run_that_was_stopped_is_trusted_by_its_draws():
    stopped = replace(make_fit(), complete=False)
    assert diagnose(stopped).trust.level == "settled"
