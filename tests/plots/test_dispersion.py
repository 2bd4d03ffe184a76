import numpy as np
import pytest
from pictures import DISPERSIONS, EXCLUSIVITY, make_pictured, texts

from frex.errors import InputError
from frex.plots import dispersion_plot, dispersion_plot_data


def test_data_by_hand():
    data = dispersion_plot_data(make_pictured(), "sport")
    assert data["stem"].tolist()[:4] == ["goal", "goal", "paint", "paint"]
    assert data["word"].tolist()[:4] == ["goals", "goals", "painting", "painting"]
    assert data["child"].tolist()[:4] == ["golf", "chess", "golf", "chess"]
    assert data["dispersion"].tolist() == pytest.approx(np.repeat(DISPERSIONS[:, 1], 2))
    assert data["exclusivity"].tolist() == EXCLUSIVITY[:, 2:].ravel().tolist()


def test_the_root_has_the_top_level_topics():
    data = dispersion_plot_data(make_pictured(), "ROOT")
    assert data["child"].tolist()[:2] == ["art", "sport"]
    assert data["dispersion"].tolist() == pytest.approx(np.repeat(DISPERSIONS[:, 0], 2))


def test_the_words_high_in_both_are_named():
    shown = texts(dispersion_plot(make_pictured(), "sport", n=2).figure)
    assert {"putts", "rook", "sport: which words tell its children apart"} <= set(shown)
    assert "the" not in shown
    shown = texts(dispersion_plot(make_pictured(), "ROOT").figure)
    assert "Which words tell the top-level topics apart" in shown


def test_a_topic_without_children_is_refused():
    with pytest.raises(InputError, match=r"'golf' has no children.*its parent sport"):
        dispersion_plot(make_pictured(), "golf")
    with pytest.raises(InputError, match=r"'art' has no children.*its parent ROOT"):
        dispersion_plot(make_pictured(), "art")
