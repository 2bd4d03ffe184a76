"""Answers, as a worker makes them."""

import json
from urllib.parse import urlencode

import pytest

from frex.serve.limits import MOST_EXPLAINED
from frex.serve.work import work

TEXT = "the golfer putts for the goal"


@pytest.fixture
def ask(model):
    def ask(operation, body, query=""):
        asked = {"operation": operation, "project": "a", "query": query}
        done = work({"a": model}, asked, body)
        return done.status, json.loads(done.body), done.documents

    return ask


def form(**fields):
    return urlencode({"text": TEXT} | fields).encode()


def test_suggestions_have_annifs_fields_the_best_first(ask, model):
    status, answer, n = ask("suggest", form())
    assert (status, n, list(answer)) == (200, 1, ["results"])
    assert [list(one) for one in answer["results"]] == [["uri", "label", "notation", "score"]] * 4
    scores = [one["score"] for one in answer["results"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0.0 <= score <= 1.0 for score in scores)
    least = scores[1] - 1e-6
    assert ask("suggest", form(limit=1))[1]["results"] == answer["results"][:1]
    assert ask("suggest", form(threshold=least))[1]["results"] == answer["results"][:2]
    assert ask("suggest", form(limit=0))[1]["results"] == []


def test_a_batch_has_the_answers_of_its_documents(ask):
    documents = [
        {"text": TEXT, "document_id": "x"},
        {"text": "nothing that is known"},
        {"text": ""},
    ]
    status, answer, n = ask(
        "suggest-batch", json.dumps({"documents": documents}).encode(), "limit=2"
    )
    assert (status, n) == (200, 3)
    assert answer[0] == {"results": ask("suggest", form(limit=2))[1]["results"], "document_id": "x"}
    assert answer[1:] == [{"results": [], "document_id": None}] * 2
    assert ask("suggest-batch", b'{"documents": []}')[:2] == (200, [])


def test_explanations_have_the_same_topics_with_words(ask, model):
    status, answer, _ = ask("explain", form(limit=3))
    assert (status, answer["tokens"]) == (200, 4)
    plain = ask("suggest", form(limit=3))[1]["results"]
    assert [{key: one[key] for key in plain[0]} for one in answer["results"]] == plain
    assert all(
        set(one["why"]) == {"gain", "for", "against", "missing"} for one in answer["results"]
    )
    golf = next(one for one in answer["results"] if one["uri"] == "golf")
    assert golf["under"] == ["sport"]
    nothing = {"results": [], "tokens": 0, "are_shares": True}
    assert ask("explain", form(text="unknown"))[1] == nothing
    assert len(ask("explain", form(limit=MOST_EXPLAINED + 9))[1]["results"]) == 4


def test_another_language_of_names_is_refused_as_annif_does(ask):
    assert ask("suggest", form(language="en"))[0] == 200
    status, answer, n = ask("suggest", form(language="fi"))
    assert (status, answer["status"], n) == (400, 400, 0)
    assert set(answer) == {"type", "title", "status", "detail"}
