import pandas as pd
import pytest

from frex.evaluate import MEASURES
from frex.plots import classification_plot, classification_plot_data


@pytest.fixture
def rows():
    cells = [(r, m, 0.1 * r + (m == "hpc")) for r in (1, 2) for m in ("svm", "hpc")]
    return pd.DataFrame(
        [
            {"experiment": "x", "repeat": r, "model": m, **dict.fromkeys(MEASURES, value)}
            for r, m, value in cells
        ]
    )


def test_data_are_in_the_order_of_the_measures(rows):
    data = classification_plot_data(rows, ["macro_f1", "micro_f1"])
    assert list(data["measure"]) == ["macro_f1"] * 2 + ["micro_f1"] * 2
    assert list(data["model"]) == ["svm", "hpc"] * 2
    assert data["mean"].tolist() == pytest.approx([0.15, 1.15] * 2)


def test_every_measure_and_model_is_drawn(rows):
    ax = classification_plot(rows, ["macro_f1", "micro_f1"])
    assert [label.get_text() for label in ax.get_yticklabels()] == ["macro F1", "micro F1"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["svm", "hpc"]
    assert len(ax.containers) == 2
    alone = classification_plot(rows[rows["repeat"] == 1])
    assert "one repeat" in {text.get_text() for text in alone.texts}
