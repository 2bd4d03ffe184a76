import arviz_stats
import numpy as np
import pytest
from fits import autoregressive, make_fit, with_draws

from frex.posterior import diagnose
from frex.posterior.measures import measure, measure_blocks

MEASURES = {
    "r_hat": (arviz_stats.rhat, {}),
    "ess_bulk": (arviz_stats.ess, {"method": "bulk"}),
    "ess_tail": (arviz_stats.ess, {"method": "tail", "prob": (0.05, 0.95)}),
}


@pytest.mark.parametrize("field", MEASURES)
def test_measures_are_those_of_arviz(field):
    fit = make_fit(3, 101)
    function, options = MEASURES[field]
    expected = function(fit.to_arviz(), group="posterior", **options)
    for name, rows in measure(fit, fit.draws).items():
        found = [getattr(row, field) for row in rows]
        assert found == expected[name].to_numpy().ravel().tolist()


@pytest.mark.parametrize("correlation", [-0.3, 0.0, 0.5, 0.9])
def test_effective_size_of_an_autoregressive_chain(correlation):
    """It is (1 - r) / (1 + r) of the draws; the limits are 4 standard errors of the estimate."""
    shape = (4, 5000)
    sizes = [
        measure(with_draws(shape, root_mean=autoregressive(correlation, *shape, seed)),
                ["root_mean"])["root_mean"][0].ess_bulk
        for seed in range(8)
    ]  # fmt: skip
    theory = 20_000 * (1 - correlation) / (1 + correlation)
    error = np.std(sizes, ddof=1) / np.sqrt(len(sizes))
    assert abs(np.mean(sizes) - theory) < max(4 * error, 0.02 * theory)


def test_a_single_chain_is_compared_with_itself():
    drifting = np.linspace(0.0, 1.0, 400)[None] + autoregressive(0.0, 1, 400) / 10
    settled = autoregressive(0.0, 1, 400)
    fit = with_draws((1, 400), root_mean=drifting, root_variance=settled)
    found = measure(fit, ["root_mean", "root_variance"])
    assert found["root_mean"][0].r_hat > 1.5
    assert found["root_variance"][0].r_hat < 1.02


@pytest.mark.parametrize("n_draws", [0, 1, 2, 3, 4, 5])
@pytest.mark.parametrize("n_chains", [1, 2])
def test_a_handful_of_draws_is_measured_as_far_as_it_goes(n_chains, n_draws):
    fit = make_fit(n_chains, n_draws)
    diagnosis = diagnose(fit)
    assert str(diagnosis)
    assert not diagnosis.ok or n_draws == 0
    row = diagnosis.measured["root_mean"][0]
    assert np.isnan(row.mean) == (n_draws == 0)
    assert np.isnan(row.sd) == (n_chains * n_draws < 2)
    assert np.isnan(row.ess_bulk) == (n_draws < 4)


def test_one_bad_element_leaves_the_others_measured():
    draws = make_fit().draws["affinity_mean"].copy()
    draws[1, 7, 2] = np.nan
    rows = measure(with_draws((2, 1000), affinity_mean=draws), ["affinity_mean"])["affinity_mean"]
    assert [np.isnan(row.mean) for row in rows] == [False, False, True, False]


def test_blocks_average_each_chain():
    acceptance = np.array([[0.5, 0.7], [1.0, np.nan]])
    error = np.array([[-1.0, 1.0], [np.inf, 0.5]])  # a diverged trajectory
    fit = make_fit(2, 2, stats={"acceptance_rates": acceptance, "energy_error_rates": error})
    (block,) = measure_blocks(fit)
    assert block.name == "rates"
    assert block.acceptance.tolist() == pytest.approx([0.6, 1.0])
    assert block.energy_error.tolist() == [1.0, 0.5]
    assert block.step_size is None
