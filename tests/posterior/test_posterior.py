import numpy as np
import pytest
from fits import LABELS, TREE, hyper_draws, make_fit, make_map_fit

from frex.errors import InputError


def test_frequency_is_the_typical_rate_of_the_topics():
    fit = make_fit()
    assert np.array_equal(fit.frequency, np.exp(fit.moments["log_rates"].mean[:, 1:]))


def test_membership_matrix_has_the_means_where_the_labels_are():
    fit = make_fit()
    matrix = fit.membership_matrix().toarray()
    assert np.array_equal(matrix != 0, LABELS != 0)
    assert np.array_equal(matrix[LABELS != 0], fit.memberships.mean)


@pytest.mark.parametrize("fit", [make_fit(), make_map_fit()], ids=["sample", "map"])
def test_hyperparameters_are_posterior_means(fit):
    found = fit.hyperparameters
    for name, draws in hyper_draws().items():
        np.testing.assert_allclose(getattr(found, name), draws.mean(axis=(0, 1)), rtol=1e-14)


def test_a_run_stopped_before_its_first_draw_has_no_hyperparameters():
    with pytest.raises(InputError, match="no value of root_mean"):
        _ = make_fit(2, 0, complete=False).hyperparameters


def test_element_names_say_word_topic_and_document():
    fit = make_fit()
    assert fit.element_names("root_mean", ()) == ["root_mean"]
    assert fit.element_names("affinity_mean", (4,))[0] == "affinity_mean[art]"
    assert fit.element_names("log_rates", (3,)) == [
        "log_rates[goal, sport]", "log_rates[putt, golf]", "log_rates[the, ROOT]",
    ]  # fmt: skip
    assert fit.element_names("memberships", (2,)) == [
        "memberships[d1, chess]", "memberships[d2, art]",
    ]  # fmt: skip
    assert fit.element_names("mine", (1, 2)) == ["mine[0, 0]", "mine[0, 1]"]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_summary_has_a_row_for_every_hyperparameter(backend):
    table = make_fit().summary(backend=backend)
    columns = {"pandas": "columns", "polars": "columns", "pyarrow": "column_names"}[backend]
    assert list(getattr(table, columns)) == [
        "name", "mean", "sd", "q5", "q95", "r_hat", "ess_bulk", "ess_tail",
    ]  # fmt: skip
    assert len(table) == 5 + TREE.n_topics


def test_summary_gives_the_moments_and_quantiles_of_the_draws():
    table = make_fit().summary().set_index("name")
    draws = hyper_draws()["affinity_mean"][..., 2].ravel()
    row = table.loc["affinity_mean[golf]"]
    assert row["mean"] == pytest.approx(draws.mean(), rel=1e-12)
    assert row["sd"] == pytest.approx(draws.std(ddof=1), rel=1e-12)
    assert [row["q5"], row["q95"]] == pytest.approx(np.quantile(draws, [0.05, 0.95]), rel=1e-12)


def test_summary_of_a_map_fit_has_estimates_and_no_diagnostics():
    table = make_map_fit().summary().set_index("name")
    assert len(table) == 5 + TREE.n_topics
    assert table.loc["root_mean", "mean"] == hyper_draws()["root_mean"].mean()
    assert table[["mean", "sd"]].notna().all(axis=None)
    assert table[["q5", "r_hat", "ess_bulk"]].isna().all(axis=None)
