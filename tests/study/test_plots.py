import pandas as pd
import pytest
from pictures import texts

from frex.errors import InputError
from frex.study import analyse
from frex.study.plots import (
    study_figure,
    study_plot,
    study_plot_data,
    topic_ratings_figure,
    topic_ratings_plot_data,
)

STRATEGIES = ("$PCM$ FREX", "LDA FREQ")


@pytest.fixture
def rows():
    cells = [
        (str(e), group, measure, strategy, str(t), (e * t + len(strategy)) % 2 + 1)
        for e in range(4)
        for group in ("10", "25")
        for measure in ("intrusion", "rating", "preference")
        for strategy in (*STRATEGIES, "no preference")[: 3 if measure == "preference" else 2]
        for t in range(3)
    ]  # fmt: skip
    return pd.DataFrame(
        cells, columns=["evaluator", "group", "measure", "strategy", "topic", "value"]
    )


def test_data_are_the_estimates_of_a_measure(rows):
    results = analyse(rows, draws=200)
    data = study_plot_data(results, "rating")
    assert data["strategy"].tolist() == [*STRATEGIES] * 2
    assert data["group"].tolist() == ["10", "10", "25", "25"]
    same = results[(results["measure"] == "rating") & (results["minus"] == "")]
    assert data["low"].tolist() == same["low"].tolist()
    with pytest.raises(InputError, match="no measure 'ratings'"):
        study_plot_data(results, "ratings")
    with pytest.raises(InputError, match="nothing was answered about rating"):
        study_plot_data(results[results["measure"] == "intrusion"], "rating")


def test_every_strategy_and_group_is_drawn(rows):
    results = analyse(rows, draws=200)
    ax = study_plot(results, "preference")
    assert [label.get_text() for label in ax.get_xticklabels()] == ["10", "25"]
    named = [text.get_text() for text in ax.get_legend().get_texts()]
    assert named == [*STRATEGIES, "no preference"]
    assert [len(drawn.lines[0].get_xdata()) for drawn in ax.containers] == [2, 2, 2]
    figure = study_figure(results)
    assert {"Word intrusion", "Coherence", "Preference", "chance"} <= texts(figure).keys()
    alone = study_figure(results[results["measure"] == "rating"])
    assert len(alone.axes) == 1


def test_ratings_of_topics(rows):
    data = topic_ratings_plot_data(rows)
    assert len(data) == 2 * 2 * 3
    one = rows[(rows["measure"] == "rating") & (rows["topic"] == "1") & (rows["group"] == "25")]
    expected = one[one["strategy"] == "LDA FREQ"]["value"].mean()
    found = data[(data["topic"] == "1") & (data["group"] == "25")].set_index("strategy")
    assert found.loc["LDA FREQ", "rating"] == expected
    assert found.loc["LDA FREQ", "answers"] == 4
    figure = topic_ratings_figure(rows)
    assert len(figure.axes) == 4
    assert {*STRATEGIES, "topics, group 10", "topics, group 25"} <= texts(figure).keys()
    with pytest.raises(InputError, match="no summary was rated"):
        topic_ratings_plot_data(rows[rows["measure"] == "intrusion"])
