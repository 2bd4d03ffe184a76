import numpy as np
import pytest
from pictures import make_pictured, texts

from frex.errors import InputError
from frex.plots import stopwords_figure, stopwords_plot, stopwords_plot_data


def test_data_by_hand():
    data = stopwords_plot_data(make_pictured())
    assert data["stop_word"].tolist() == [False, False, False, False, True]
    assert data["frequency"].tolist() == [0.8, 0.8, 0.8, 0.8, 1.0]
    assert data["exclusivity"].tolist() == [0.8, 1.0, 1.0, 1.0, 0.8]


def test_the_curves_say_which_share_of_words_comes_so_high():
    ax = stopwords_plot(stopwords_plot_data(make_pictured()), "exclusivity")
    stop, others = (line.get_xydata() for line in ax.lines)
    np.testing.assert_allclose(others, [[0.2, 0.25], [0.2, 0.5], [0.2, 0.75], [0.4, 1], [1, 1]])
    np.testing.assert_allclose(stop, [[0.4, 1], [1, 1]])
    assert {"1 stop words", "4 other words"} <= set(texts(ax.figure))


def test_both_panels_are_drawn():
    shown = texts(stopwords_figure(make_pictured()))
    assert {"by frequency", "by exclusivity"} <= set(shown)


def test_without_stop_words_there_is_nothing_to_compare():
    fit = make_pictured(surface=("goals", "painting", "putts", "rook", "Thebes"))
    with pytest.raises(InputError, match=r"0 of 5 words .* stop words"):
        stopwords_figure(fit)
