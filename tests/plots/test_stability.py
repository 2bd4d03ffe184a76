import numpy as np
import pandas as pd
import pytest
from pictures import texts

from frex.plots import stability_figure, stability_plot, stability_plot_data


@pytest.fixture
def words():
    rng = np.random.default_rng(1)
    count = np.arange(1, 401)
    exclusivity = 1 / (1 + count**-0.5 * np.exp(rng.normal(0, 0.1, 400)))
    values = {
        "exclusivity": exclusivity,
        "variance": count / 100,
        "relative_variance": 1 / count,
        "log_variance": 2.0,
    }
    return pd.DataFrame({"word": count, "count": count, **values, "model": "lda"})


def test_the_smoother_follows_the_words(words):
    line = stability_plot_data(words, "exclusivity")
    assert line["count"].iloc[[0, -1]].tolist() == pytest.approx([1, 400])
    expected = 1 / (1 + line["count"] ** -0.5)
    inside = line["count"].between(20, 250)  # a mean leans inwards at the ends
    np.testing.assert_allclose(line["exclusivity"][inside], expected[inside], atol=0.03)
    np.testing.assert_allclose(stability_plot_data(words, "log_variance")["log_variance"], 2.0)


def test_certain_words_can_be_drawn(words):
    ax = stability_plot(words.assign(exclusivity=1.0), "exclusivity")
    drawn = ax.get_lines()[0].get_ydata()
    assert (drawn > 0.999).all()
    assert (drawn < 1).all()
    one = stability_plot_data(words.iloc[:1], "exclusivity")
    np.testing.assert_allclose(one["exclusivity"], words["exclusivity"].iloc[0])


def test_a_column_for_each_model(words):
    both = pd.concat([words, words.assign(model="pcm")])
    figure = stability_figure(both, 10)
    assert len(figure.axes) == 8
    assert {"LDA", "PCM", "maximum exclusivity"} <= set(texts(figure))
