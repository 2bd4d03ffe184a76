"""At a size where it matters: intervals cover the truth, chains agree, draws tell something."""

from dataclasses import replace

import numpy as np
import pytest
from bits import fit

from frex.model import branching_tree, simulate
from frex.posterior import HYPERPARAMETERS
from frex.posterior.convergence import R_HAT
from frex.posterior.measures import measure
from frex.sampler.settings import Settings

pytestmark = pytest.mark.statistical


@pytest.fixture(scope="module")
def simulation():
    return simulate(branching_tree((4, 4)), 2000, 500, rates="zipf", seed=7)


@pytest.fixture(scope="module")
def posterior(simulation):
    return fit(simulation[0], Settings())


def effective_shares(posterior):
    """Return the least effective draws of every hyperparameter, as a share of all draws."""
    n_draws = posterior.n_chains * posterior.n_draws
    measured = measure(posterior, HYPERPARAMETERS)
    return {name: min(row.ess_bulk for row in rows) / n_draws for name, rows in measured.items()}


def test_nine_in_ten_intervals_of_log_rates_hold_the_truth(simulation, posterior):
    truth, (mean, sd) = simulation[1], posterior.log_rates
    covered = np.abs(truth.log_rates - mean) <= 1.6449 * sd
    # words are independent: the error of the share comes from how it differs between them
    error = covered.mean(axis=1).std() / np.sqrt(len(covered))
    assert error < 0.005
    assert 0.88 - 2 * error < covered.mean() < 0.92 + 2 * error


def test_the_chains_agree_on_every_hyperparameter(posterior):
    assert posterior.n_draws < 2000  # the default goes on until they do
    highest = max(
        row.r_hat for rows in measure(posterior, HYPERPARAMETERS).values() for row in rows
    )
    assert highest < R_HAT


def test_a_tenth_of_the_draws_is_effective(posterior):
    assert min(effective_shares(posterior).values()) > 0.1


def test_without_interweaving_it_would_not_be(simulation):
    settings = replace(Settings(), warmup=200, draws=400, interweave=False)
    assert effective_shares(fit(simulation[0], settings))["affinity_variance"] < 0.1
