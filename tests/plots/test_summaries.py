import pandas as pd
import pytest
from pictures import texts

from frex.plots import (
    coherence_figure,
    diversity_figure,
    intrusion_plot,
    summaries_plot,
    summaries_plot_data,
)


@pytest.fixture
def rows():
    cells = [
        (topics, model, ranking, words)
        for topics in (100, 10)
        for model in ("pcm", "lda")
        for ranking in ("frex", "frequency")
        for words in (5, 25)
    ]
    table = pd.DataFrame(cells, columns=["topics", "model", "ranking", "words"])
    value = 1 - table["topics"] / 1000 - 0.1 * (table["model"] == "lda")
    return table.assign(unique=value, npmi=value, c_v=value / 2)


def test_data_have_the_strategies_of_the_paper(rows):
    data = summaries_plot_data(rows, "unique")
    assert set(data["strategy"]) == {"PCM FREX", "PCM FREQ", "LDA FREX", "LDA FREQ"}
    assert data["topics"].is_monotonic_increasing
    assert data["value"].iloc[0] == pytest.approx(0.99)


def test_a_line_for_each_strategy(rows):
    data = summaries_plot_data(rows[rows["words"] == 5], "unique")
    ax = summaries_plot(data)
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert list(lines) == ["PCM FREX", "PCM FREQ", "LDA FREX", "LDA FREQ"]
    assert lines["LDA FREX"].get_ydata() == pytest.approx([0.89, 0.8])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["10", "100"]


def test_a_panel_for_each_length(rows):
    diversity = diversity_figure(rows)
    assert [ax.get_title(loc="left") for ax in diversity.axes] == ["5 words", "25 words"]
    coherence = coherence_figure(rows)
    assert len(coherence.axes) == 4
    assert {"Coherence: NPMI", "Coherence: C_V"} <= set(texts(coherence))


def test_intervals_and_chance(rows):
    own = rows[rows["words"] == 5].assign(accuracy=0.6, low=0.5, high=0.7).drop(columns="words")
    ax = intrusion_plot(own)
    bars = [segment for collection in ax.collections for segment in collection.get_segments()]
    assert len(bars) == 8
    assert bars[0][:, 1].tolist() == [0.5, 0.7]
    assert any(line.get_ydata()[0] == pytest.approx(1 / 6) for line in ax.get_lines())
