"""The curve of coverage."""

import pandas as pd
import pytest

from frex.evaluate import Alignment
from frex.plots import coverage_plot, coverage_plot_data


@pytest.fixture
def found():
    grid = [0.0, 0.5, 1.0]
    curve = pd.DataFrame({
        "divergence": grid, "covered": [0.0, 0.6, 1.0], "low": [0.0, 0.5, 1.0],
        "high": [0.1, 0.7, 1.0], "possible": [0.2, 0.9, 1.0],
    })  # fmt: skip
    return {name: Alignment(curve, curve, curve, {}) for name in ("PCM", "LDA $1$")}


def test_curves(found):
    data = coverage_plot_data(found)
    assert data["model"].tolist() == ["PCM"] * 3 + ["LDA $1$"] * 3
    ax = coverage_plot(found)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "PCM", "LDA $1$", "the fit's own rates",
    ]  # fmt: skip
    assert ax.lines[0].get_ydata().tolist() == [0.0, 0.6, 1.0]
