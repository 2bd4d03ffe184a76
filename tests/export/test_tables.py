from dataclasses import replace

import numpy as np
import pytest

from frex.corpus import Details
from frex.export import fit_tables
from frex.export import tables as module
from frex.posterior import top_words


def columns(tables, name):
    """Return a table's columns, all chunks together."""
    (table,) = (table for table in tables if table.name == name)
    found = {column: [] for column in table.types}
    for chunk in table.chunks:
        assert list(chunk) == list(table.types)
        for column, values in chunk.items():
            found[column].extend(values)
    assert {len(values) for values in found.values()} == {table.n_rows}
    return found


def test_topics(fit):
    assert columns(fit_tables(fit), "topics") == {
        "topic": ["art/é", "sport", "golf", "chess"],
        "title": ["Art & <b>", "Sport", "+golf", "chess"],
        "parent": [None, None, "sport", "sport"],
        "level": [1, 1, 2, 2],
        "documents": [2, 2, 3, 2],
    }


def test_words_are_those_of_top_words(fit):
    options = {"weight": 0.3, "compare": "golf, chess / é", "level": 0.5}
    found = columns(fit_tables(fit, n=2, **options), "words")
    assert found["rank"] == [1, 2] * 4
    expected = top_words(fit, "golf", 2, **options)
    rows = [row for row, topic in enumerate(found["topic"]) if topic == "golf"]
    for name in expected.columns:
        if "frequency" in name:  # told as `frex top` tells it: in 1,000 words about the topic
            told = [found[name.replace("frequency", "in_1000")][row] for row in rows]
            np.testing.assert_allclose(told, 1000 / fit.mean_length * expected[name])
        else:
            np.testing.assert_array_equal([found[name][row] for row in rows], expected[name], name)
    assert len(columns(fit_tables(fit, n=100), "words")["word"]) == 4 * 5


def test_topics_without_documents_have_no_words_and_branches_are_told(leafy):
    found = columns(fit_tables(leafy), "topics")
    documents = dict(zip(found["topic"], found["documents"], strict=True))
    assert documents == {"art/é": 2, "sport": 2, "golf": 3, "chess": 2, "darts": 0, "law": 0}
    found = columns(fit_tables(leafy, n=2), "words")
    told = dict(zip(found["topic"], found["of"], strict=True))
    assert told == {"art/é": "topic", "sport": "branch", "golf": "topic", "chess": "topic"}
    assert found["word"][2:4] == top_words(leafy, "sport", 2, of="branch")["word"].tolist()
    assert set(columns(fit_tables(leafy, n=2, of="topic"), "words")["of"]) == {"topic"}


def test_documents_are_told_wherever_they_are_named(fit, monkeypatch):
    assert "documents" not in [table.name for table in fit_tables(fit)]
    monkeypatch.setattr(module, "_BLOCK", 2)
    titles, topics = [f"T{i}" for i in range(5)], ["", "x", "", "", "y"]
    known = replace(fit, details=Details({"title": titles, "topic": topics}))
    tables = fit_tables(known)
    assert columns(tables, "documents") == {
        "document": list(fit.ids), "title": titles, "topic": topics,
    }  # fmt: skip
    found = columns(fit_tables(known), "memberships")
    assert found["title"] == [titles[fit.ids.index(name)] for name in found["document"]]
    found = columns(fit_tables(known), "typical_documents")
    assert found["title"] == [titles[fit.ids.index(name)] for name in found["document"]]
    assert found["document_topic"] == [topics[fit.ids.index(name)] for name in found["document"]]


def test_memberships_come_in_blocks(fit, monkeypatch):
    monkeypatch.setattr(module, "_BLOCK", 2)
    found = columns(fit_tables(fit), "memberships")
    matrix = fit.membership_matrix().toarray()
    rows = zip(found["document"], found["topic"], found["mean"], strict=True)
    again = {(document, topic): mean for document, topic, mean in rows}
    assert again == {
        (document, topic): matrix[d, k]
        for d, document in enumerate(fit.ids)
        for k, topic in enumerate(fit.tree.topics)
        if matrix[d, k]
    }
    assert found["sd"] == fit.memberships.sd.tolist()


def test_hyperparameters_are_the_summary(fit):
    found = columns(fit_tables(fit), "hyperparameters")
    expected = fit.summary()
    assert list(found) == list(expected.columns)
    assert found["name"] == expected["name"].tolist()
    assert found["r_hat"] == pytest.approx(expected["r_hat"].tolist(), nan_ok=True)


def test_typical_documents(fit):
    found = columns(fit_tables(fit), "typical_documents")
    assert found["topic"] == ["art/é", "art/é", "golf", "chess"]
    assert found["rank"] == [1, 2, 1, 1]
    assert found["document"] == ["@d2", "-d0", "d3", "d1"]
    assert found["words"] == ["</script>, putts, short"] * 4
    assert columns(fit_tables(replace(fit, typical=None)), "typical_documents")["topic"] == []
