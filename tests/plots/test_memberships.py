import pytest
from pictures import make_pictured, texts

from frex.errors import InputError
from frex.plots import document_plot, document_plot_data, memberships_plot, memberships_plot_data


def test_a_topic_among_the_labels_of_its_documents():
    data = memberships_plot_data(make_pictured(), "golf")  # d3 has no other label
    assert data["document"].tolist() == ["d2", "d4"]
    assert data["labels"].tolist() == [2, 3]
    assert data["mean"].tolist() == [0.8, 0.4]
    assert data["sd"].tolist() == [0.05, 0.05]


def test_a_document():
    data = document_plot_data(make_pictured(), "d4")
    assert data["topic"].tolist() == ["sport", "golf", "chess"]
    assert data["mean"].tolist() == [0.5, 0.4, 0.1]


def test_plots_say_what_is_seen():
    shown = texts(memberships_plot(make_pictured(), "golf").figure)
    assert {"median 0.60", "even shares 0.42"} <= set(shown)
    assert any(text.startswith("2 of the topic's 3 documents") for text in shown)
    shown = texts(document_plot(make_pictured(), "d4").figure)
    assert {"d4: how it divides among its labels", "sport", "golf", "chess"} <= set(shown)


def test_bad_requests():
    fit = make_pictured()
    alone = make_pictured(labels=fit.labels[[0, 3]], ids=["a", "b"])
    with pytest.raises(InputError, match="no document has the topic 'art' beside another"):
        memberships_plot(alone, "art")
    with pytest.raises(InputError, match=r"no document 'd9' in the fit.*such as d"):
        document_plot(fit, "d9")
    empty = fit.labels[[0]] * 0
    empty.eliminate_zeros()
    with pytest.raises(InputError, match="the document 'a' has no labels"):
        document_plot(make_pictured(labels=empty, ids=["a"]), "a")
