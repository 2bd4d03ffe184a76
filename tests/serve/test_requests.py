"""Requests are read strictly, and what refuses them quotes nothing."""

import json
from contextlib import suppress
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frex.serve import requests
from frex.serve.limits import MOST_CHARACTERS, MOST_DEPTH, MOST_DOCUMENTS, MOST_RESULTS
from frex.serve.requests import Asked, RefusedError, read_batch, read_form, read_json

SECRET = "patient zero"


def refusal(read, *arguments):
    with pytest.raises(RefusedError) as caught:
        read(*arguments)
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return caught.value


def form(**fields):
    return urlencode({"text": SECRET} | fields).encode()


def test_a_form_has_annifs_fields():
    made = form(text="Grün & 🦊", limit=3, threshold=".5", language="de", project="x", metadata_a=1)
    assert read_form(made) == Asked(["Grün & 🦊"], [None], 3, 0.5, "de")
    assert read_form("text=Grün+&limit=1".encode()).texts == ["Grün "]  # as curl sends it
    assert read_form(b"text=%ff\xff").texts == ["\ufffd\ufffd"]
    assert read_form(b"text=") == Asked([""], [None], 10, 0.0, None)
    assert read_form(form(limit=10**9)).limit == MOST_RESULTS


@pytest.mark.parametrize(
    "fields",
    [{"limit": -1}, {"limit": "1.5"}, {"limit": "ten"}, {"limit": "²"}, {"limit": 2**31},
     {"limit": ""}, {"limit": "9" * 5000}, {"threshold": "nan"}, {"threshold": "inf"},
     {"threshold": 1.01}, {"threshold": -0.1}, {"threshold": ""}, {"threshold": "1_0"}],
)  # fmt: skip
def test_parameters_are_numbers_in_range(fields):
    assert refusal(read_form, form(**fields)).status == 400
    query = urlencode(fields)
    assert refusal(read_batch, b'{"documents": []}', query).status == 400


@pytest.mark.parametrize("body", [b"", b"limit=3", b"text=a&text=b", b"&".join([b"a=1"] * 101)])
def test_forms_that_are_refused(body):
    assert refusal(read_form, body).status == 400


def test_a_document_may_be_long_but_not_longer():
    assert len(read_form(form(text="a" * MOST_CHARACTERS)).texts[0]) == MOST_CHARACTERS
    assert refusal(read_form, form(text="a" * (MOST_CHARACTERS + 1))).status == 413
    long = json.dumps({"documents": [{"text": "a" * (MOST_CHARACTERS + 1)}]}).encode()
    assert refusal(read_batch, long, "").status == 413


def test_a_batch_has_annifs_fields():
    documents = [{"text": "a", "document_id": "x", "metadata": {"title": "t"}, "more": [1]},
                 {"text": "half a \ud83e character", "document_id": None}]  # fmt: skip
    made = read_batch(json.dumps({"documents": documents}).encode(), "limit=2&threshold=1e-1")
    assert made == Asked(["a", "half a ? character"], ["x", None], 2, 0.1, None)


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b'{"documents": {}}', b'{"documents": [1]}', b'{"documents": [{}]}',
     b'{"documents": [{"text": 1}]}', b'{"documents": [{"text": "patient zero"}',
     b'{"documents": [{"text": "a", "document_id": 3}]}', b'{"documents": [NaN]}',
     b'{"documents": [], "documents": []}', b'\xff\xfe{"documents": []}', b'{"a": Infinity}',
     b'{"documents": [{"text": "patient zero", "metadata": {"a": 1}}]}',
     b'{"documents": [{"text": "patient \xff zero"}]}', b'{"a": ' + b"9" * 5000 + b"}",
     b'{"documents": [{"text": "patient zero"}]} {}', b'{"text": "patient zero\x01"}'],
)  # fmt: skip
def test_batches_that_are_refused(body):
    assert refusal(read_batch, body, "").status == 400


def test_too_many_documents_are_refused():
    few = json.dumps({"documents": [{"text": ""}] * MOST_DOCUMENTS}).encode()
    assert len(read_batch(few, "").texts) == MOST_DOCUMENTS
    many = json.dumps({"documents": [{"text": ""}] * (MOST_DOCUMENTS + 1)}).encode()
    assert refusal(read_batch, many, "").detail == f"more than {MOST_DOCUMENTS} documents"


@pytest.mark.parametrize("depth", [MOST_DEPTH + 1, 100_000])
def test_deep_json_is_refused_before_it_is_read(monkeypatch, depth):
    monkeypatch.setattr(requests.json, "loads", None)
    deep = b"[" * depth + b"]" * depth
    assert "levels" in refusal(read_json, deep).detail
    assert "levels" in refusal(read_json, b'{"\\"}": ' * depth).detail


def test_brackets_in_texts_are_no_levels():
    text = {"a": '[[[[[[[[[["{{{{{{{{{{\\"', 'b": [': [{"c": ']]]\\"}'}]}
    assert read_json(json.dumps(text).encode()) == text


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, width=32),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_json_is_read_or_refused(value):
    plain = json.dumps(value)
    if any(word in plain for word in ("Infinity", "NaN")):
        return
    try:
        assert read_json(plain.encode()) == value
    except RefusedError as refused:
        assert "levels" in refused.detail


@given(st.binary(max_size=60), st.text(max_size=20))
def test_any_bytes_are_read_or_refused(body, query):
    for read in (lambda: read_form(body), lambda: read_batch(body, query)):
        with suppress(RefusedError):
            read()
