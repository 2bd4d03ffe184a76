"""A worker outlives what it cannot answer."""

import json
import logging

from frex.serve import worker
from frex.serve.frames import Frame

ASKED = Frame({"operation": "suggest", "project": "a", "query": ""}, b"text=patient+zero")


def test_a_fault_is_answered_and_quotes_nothing(monkeypatch, caplog):
    def fault(*_):
        raise ValueError("patient zero")

    monkeypatch.setattr(worker, "work", fault)
    with caplog.at_level(logging.ERROR):
        answered = worker.answer({}, ASKED)
    assert answered.head == {"status": 500, "documents": 0}
    assert json.loads(answered.body)["title"] == "Internal Server Error"
    assert "patient" not in answered.body.decode() + caplog.text
    assert "ValueError in " in caplog.text


def test_no_nan_leaves_it(model, monkeypatch):
    monkeypatch.setattr("frex.serve.work._choose", lambda *_: [(0, float("nan"))])
    answered = worker.answer({"a": model}, ASKED)
    assert answered.head["status"] == 500
    assert b"NaN" not in answered.body


def test_an_answer_has_its_documents_counted(model):
    answered = worker.answer({"a": model}, ASKED)
    assert answered.head == {"status": 200, "documents": 1}
