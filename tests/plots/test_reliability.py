import pandas as pd
import pytest

from frex.plots import reliability_plot, reliability_plot_data


@pytest.fixture
def bands():
    rows = [
        {"model": model, "by": "probability", "low": low, "high": low + 0.5, "labels": n,
         "expected": low + 0.25, "observed": low + 0.2, "error": 0.01}
        for model in ("frex", "svm") for low, n in ((0.0, 500), (0.5, 3 if model == "svm" else 90))
    ]  # fmt: skip
    rows.append({**rows[0], "by": "size", "low": 1, "high": 3})
    return pd.DataFrame(rows)


def test_a_point_stands_for_twenty_labels_or_more(bands):
    data = reliability_plot_data(bands)
    assert list(data["model"]) == ["frex", "frex", "svm"]
    assert data["expected"].tolist() == [0.25, 0.75, 0.25]


def test_models_are_drawn_beside_the_diagonal(bands):
    ax = reliability_plot(bands)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["frex", "svm"]
    line, *_ = ax.lines
    assert line.get_xydata().tolist() == [[0, 0], [1, 1]]
    assert len(ax.containers) == 2
