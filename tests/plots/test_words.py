import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pictures import make_pictured, texts

from frex.errors import InputError
from frex.plots import frex_contour, frex_plot, frex_plot_data, zoom_plot, zoom_plot_data
from frex.scores import frex_from


def test_data_by_hand():
    data = frex_plot_data(make_pictured(), "golf")
    expected = pd.DataFrame({
        "word": ["putts", "the", "goals", "painting", "rook"],
        "stem": ["putt", "the", "goal", "paint", "rook"],
        "frequency": [3.0, 9.0, 1.0, 0.1, 0.2],
        "exclusivity": [0.9, 0.45, 0.5, 0.4, 0.1],
        "frequency_ecdf": [0.8, 1.0, 0.6, 0.2, 0.4],
        "exclusivity_ecdf": [1.0, 0.6, 0.8, 0.4, 0.2],
        "frex": [8 / 9, 3 / 4, 24 / 35, 4 / 15, 4 / 15],
    })  # fmt: skip
    pd.testing.assert_frame_equal(data, expected)


def test_weight_on_exclusivity():
    data = frex_plot_data(make_pictured(), "golf", weight=1)
    assert data["frex"].tolist() == data["exclusivity_ecdf"].tolist()


def test_a_set_that_the_fit_did_not_average_is_worked_out_from_mean_rates():
    data = frex_plot_data(make_pictured(), "golf", compare=["art"]).set_index("stem")
    assert data["exclusivity"]["paint"] == pytest.approx(0.1 / 4.1)
    assert data["exclusivity"]["the"] == pytest.approx(0.5)


def test_an_inner_topic_without_documents_of_its_own_is_drawn_with_all_below_it():
    fit = make_pictured(exposures=np.array([1.5, 0.0, 2.0, 0.5]))
    data = frex_plot_data(fit, "sport").set_index("stem")
    rate = (2.0 * 3.0 + 0.5 * 0.2) / 2.5
    assert data["frequency"]["putt"] == pytest.approx(rate)
    assert data["exclusivity"]["putt"] == pytest.approx(rate / (rate + 0.1))
    written = texts(frex_plot(fit, "sport").figure)
    assert any("sport with all below it, beside its one sibling" in text for text in written)


def test_words_without_display_forms_are_shown_as_they_are():
    data = frex_plot_data(make_pictured(surface=None), "golf")
    assert data["word"].tolist() == data["stem"].tolist()


values = st.lists(st.integers(1, 30), min_size=12, max_size=12)


@given(values, values, st.sampled_from([0.0, 0.3, 0.5, 1.0]), st.integers(0, 11))
def test_the_contour_parts_the_words_that_reach_its_level(frequency, exclusivity, weight, which):
    data = pd.DataFrame({"frequency": frequency, "exclusivity": exclusivity}, dtype=float)
    frex = frex_from(data["exclusivity"], data["frequency"], weight=weight)
    curve = frex_contour(data, frex[which], weight=weight)

    def reached(x, y):
        here = curve[curve[:, 0] == x]
        return len(here) > 0 and y >= here[:, 1].min()

    rows = data.itertuples()
    at_least = frex >= frex[which] * (1 - 1e-12)  # of two that are the same, rounding may hide it
    assert [reached(r.frequency, r.exclusivity) for r in rows] == list(at_least)


def test_zoom_is_the_upper_tail_of_both():
    fit = make_pictured()
    assert zoom_plot_data(fit, "golf", quantile=0.5)["word"].tolist() == ["putts", "the", "goals"]
    assert zoom_plot_data(fit, "golf", quantile=0.7)["word"].tolist() == ["putts"]
    with pytest.raises(InputError, match=r"no word .* above the 0.95 quantile.*lower"):
        zoom_plot_data(fit, "golf")
    with pytest.raises(InputError, match="quantile is 1"):
        zoom_plot_data(fit, "golf", quantile=1)


def test_both_plots_name_the_words_and_say_what_is_seen():
    fit = make_pictured()
    shown = texts(frex_plot(fit, "golf", n=2).figure)
    assert {"putts", "the", "golf: its words by frequency and exclusivity"} <= set(shown)
    assert "golf beside its one sibling; the line parts the 2 words of highest FREX" in shown
    assert "goals" not in shown
    assert "frequency: times in 1,000 words about the topic" in shown
    shown = texts(zoom_plot(fit, "golf", n=1, quantile=0.5).figure)
    assert {"putts", "the", "goals"} <= set(shown)


def test_points_are_where_the_data_are():
    ax = frex_plot(make_pictured(), "golf", n=2)
    rest, best = (np.asarray(dots.get_offsets()) for dots in ax.collections)
    in_1000 = 1000 / 57.25  # words of a document of average length
    np.testing.assert_allclose(best, [[3 * in_1000, 0.9], [9 * in_1000, 0.45]])
    expected = [[1 * in_1000, 0.5], [0.1 * in_1000, 0.4], [0.2 * in_1000, 0.1]]
    np.testing.assert_allclose(rest, expected)


def test_bad_requests():
    fit = make_pictured()
    with pytest.raises(InputError, match=r"no topic 'glof'.*Did you mean golf"):
        frex_plot(fit, "glof")
    with pytest.raises(InputError, match=r"root has no comparison set"):
        frex_plot(fit, "ROOT")
    with pytest.raises(InputError, match="n is 0"):
        frex_plot(fit, "golf", n=0)
