import numpy as np
import pytest
from fits import make_map_fit, with_draws
from pictures import make_pictured, texts

from frex.errors import InputError
from frex.plots import rank_plot, rank_plot_data, trace_figure, trace_plot, trace_plot_data


def test_draws_and_their_ranks_by_hand():
    values = np.array([[3.0, 1.0, 2.0], [5.0, 2.0, 9.0]])
    fit = with_draws((2, 3), root_mean=values)
    data = trace_plot_data(fit, "root_mean")
    assert data["chain"].tolist() == [1, 1, 1, 2, 2, 2]
    assert data["draw"].tolist() == [1, 2, 3, 1, 2, 3]
    assert data["value"].tolist() == values.ravel().tolist()
    assert data["rank"].tolist() == [4, 1, 2.5, 5, 2.5, 6]


def test_ranks_are_counted_in_each_chain():
    fit = with_draws((2, 10), root_mean=np.arange(20.0).reshape(2, 10))
    data = rank_plot_data(fit, "root_mean")
    assert data["chain"].tolist() == [1, 1, 2, 2]
    assert data["low"].tolist() == [0.5, 10.5, 0.5, 10.5]
    assert data["high"].tolist() == [10.5, 20.5, 10.5, 20.5]
    assert data["count"].tolist() == [10, 0, 0, 10]


def test_an_element_is_found_by_the_name_that_the_diagnosis_gives_it():
    fit = make_pictured()
    third = trace_plot_data(fit, "affinity_mean[golf]")["value"].to_numpy().reshape(2, 40)
    np.testing.assert_array_equal(third, fit.draws["affinity_mean"][..., 2])
    traced = trace_plot_data(fit, "log_rates[putt, golf]")["value"].to_numpy().reshape(2, 40)
    np.testing.assert_array_equal(traced, fit.draws["log_rates"][..., 1])


def test_a_panel_for_each_single_hyperparameter():
    shown = texts(trace_figure(make_pictured()))
    assert "Traces of 2 chains of 40 draws" in shown
    assert {"root_mean", "dispersion_df", "chain 1", "chain 2"} <= set(shown)
    assert "affinity_mean" not in shown
    shown = texts(trace_figure(make_pictured(), ["affinity_mean[golf]"], kind="rank"))
    assert {"Ranks of 2 chains of 40 draws", "affinity_mean[golf]"} <= set(shown)


@pytest.mark.parametrize("draw", [trace_plot, rank_plot])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (9, 30)])
def test_any_number_of_chains_and_draws(draw, shape):
    ax = draw(with_draws(shape), "root_mean")
    ax.figure.draw_without_rendering()
    assert len(ax.get_legend_handles_labels()[1]) == shape[0]


def test_a_map_fit_has_no_draws():
    for draw in (trace_figure, lambda fit: trace_plot(fit, "root_mean")):
        with pytest.raises(InputError, match=r"no draws.*--method sample"):
            draw(make_map_fit())


def test_an_unknown_element():
    with pytest.raises(InputError, match=r"'affinity_mean\[gol\]'.*affinity_mean\[golf\]"):
        trace_plot(make_pictured(), "affinity_mean[gol]")
