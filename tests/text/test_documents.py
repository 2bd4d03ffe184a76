import json

import pytest

from frex.errors import InputError
from frex.text import Document, Fields
from frex.text.batches import DocumentBatch, LineBatch, RecordBatch, batches_of
from frex.text.documents import Broken, as_document


def parse(record, **fields):
    return as_document(record, Fields(**fields), "f", 3)


@pytest.mark.parametrize(
    ("record", "fields", "document"),
    [
        ({"id": "a", "text": "t", "labels": ["x", "y"]}, {}, ("a", "t", ("x", "y"))),
        ({"id": 7, "text": "t", "labels": "x"}, {}, ("7", "t", ("x",))),
        ({"id": 7, "text": "t", "labels": [" x", "y z\t"]}, {}, ("7", "t", ("x", "y z"))),
        ({"id": 7, "text": "t", "labels": [42, "x"]}, {}, ("7", "t", ("42", "x"))),
        ({"id": 7, "text": "t", "labels": 42}, {}, ("7", "t", ("42",))),
        ({"text": "", "labels": None}, {}, ("f:3", "", ())),
        ({"id": "", "text": "t"}, {}, ("f:3", "t", ())),
        ({"id": "a", "text": "t", "labels": ["x"]}, {"id": None, "labels": None}, ("f:3", "t", ())),
        ({"n": "a", "top": "t", "body": "b"}, {"id": "n", "text": ("top", "body")},
         ("a", "t\n\nb", ())),
        ({"top": None, "body": "b"}, {"text": ("top", "body")}, ("f:3", "b", ())),
        ({"body": "b"}, {"text": "body"}, ("f:3", "b", ())),
    ],
)  # fmt: skip
def test_records_that_are_documents(record, fields, document):
    assert parse(record, **fields) == Document(*document, "f", 3)


def test_titles_links_dates_and_further_fields_are_details():
    record = {"text": "t", "title": " A\nb ", "url": "x:y", "date": 1987, "by": ["Ann", "Bob"]}
    assert parse(record).details == {"title": "A b", "url": "x:y", "date": "1987"}
    assert parse(record, keep=("by", "no")).details["by"] == "Ann, Bob"
    assert parse(record, title="text", url=None, date=None).details == {"title": "t"}
    assert parse({"text": "t", "title": None, "url": "", "date": " "}).details == {}


@pytest.mark.parametrize(
    ("record", "reason", "detail"),
    [
        ({}, "no text", "the fields are none"),
        ({"body": "b"}, "no text", "no field 'text'; the fields are 'body'"),
        ({"text": None}, "no text", "null"),
        ({"text": True}, "wrong type", "'text' is True"),
        ({"text": ["t"]}, "wrong type", "of type list"),
        ({"text": "t", "id": False}, "wrong type", "False"),
        ({"text": "t", "id": 1.5}, "wrong type", "1.5"),
        ({"text": "t", "labels": {"x": 1}}, "wrong type", "of type dict"),
        ({"text": "t", "labels": [1.5]}, "wrong type", "a label is 1.5"),
        ({"text": "t", "labels": [True]}, "wrong type", "a label is True"),
        ({"text": "t", "labels": False}, "wrong type", "the labels are False"),
        ({"text": "t", "labels": [float("nan")]}, "wrong type", "nan"),
        ({"text": "a\0b"}, "NUL character", "the text"),
        ({"text": "t", "id": "\0"}, "NUL character", "the id"),
        ({"text": "a\ud83d"}, "unpaired surrogate", r"\ud83d"),
        ({"text": "t", "labels": ["\udfff"]}, "unpaired surrogate", "a label"),
        ({"text": "caf\udce9"}, "not UTF-8", "byte 0xe9"),
        ({"text": "t", "date": "May"}, "wrong date", "'May' is not a date"),
        ({"text": "t", "title": {}}, "wrong type", "the title is of type dict"),
        ({"text": "t", "url": "a\0"}, "NUL character", "the url"),
    ],
)
def test_records_that_are_none(record, reason, detail):
    broken = parse(record)
    assert isinstance(broken, Broken)
    assert broken.reason == reason
    assert detail in broken.detail
    assert str(broken.error()).startswith(f"f, line 3: {reason}: ")


def test_a_text_that_is_null_can_be_passed_over():
    broken = parse({"text": None})
    assert isinstance(broken, Broken)
    assert "--on-error skip" in str(broken.error())


def lines(data):
    return list(LineBatch("f", 10, data, Fields(), len(data)).documents())


def test_json_lines_and_their_numbers():
    data = b'{"text": "a"}\r\n\n  \n{"text": "\xc3\xa9"}\n{"text": "c"}'
    assert [(d.text, d.line) for d in lines(data)] == [("a", 10), ("é", 13), ("c", 14)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not valid JSON"),
        (b'{"text": "a"} {}', "not valid JSON"),
        (b'{"text": "a\0"}', "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b'{"text": "a", "id": ' + b"9" * 5000 + b"}", "not valid JSON"),
        (b"[]", "not a JSON object"),
        (b'"text"', "not a JSON object"),
        (b"NaN", "not a JSON object"),
        (b'{"text": "caf\xe9"}', "not UTF-8"),
        (b'{"text": "\\ud800"}', "unpaired surrogate"),
        ('{"text": "a"}'.encode("utf-16-le"), "not valid JSON"),
    ],
)
def test_a_broken_line_leaves_its_neighbours_alone(line, reason):
    before, broken, after = lines(b'{"text": "a"}\n' + line + b'\n{"text": "b"}')
    assert (before.text, after.text, after.line) == ("a", "b", 12)
    assert (broken.reason, broken.path, broken.line) == (reason, "f", 11)


def test_a_tables_labels_are_split():
    records = [(2, {"text": "t", "labels": " x |y|| |"}), (3, {"text": "t", "labels": ["x|y"]})]
    found = RecordBatch("f", records, Fields(), 0).documents()
    assert [d.labels for d in found] == [("x", "y"), ("x|y",)]


def test_documents_of_other_readers_are_checked_too():
    good, bad = DocumentBatch(
        [Document("1", "a", ["x"]), Document("2", "\ud800", (), "g", 5)]
    ).documents()
    assert good == Document("1", "a", ("x",))
    assert (bad.reason, bad.path, bad.line) == ("unpaired surrogate", "g", 5)


def test_batches_are_about_a_block_each():
    documents = [Document(str(i), "x" * 300_000) for i in range(10)]
    batches = list(batches_of(iter(documents)))
    assert [d for b in batches for d in b.made] == documents
    assert [b.size for b in batches] == [4, 4, 2]


def test_impossible_fields():
    for fields in ({"text": ()}, {"separator": ""}):
        with pytest.raises(InputError):
            Fields(**fields)


def test_json_dumps_of_a_document_reads_back():
    record = {"id": "a", "text": 'tab\t quote" \u2028 \U0001f600', "labels": ["é"]}
    (document,) = lines(json.dumps(record).encode())
    assert document[:3] == ("a", record["text"], ("é",))
