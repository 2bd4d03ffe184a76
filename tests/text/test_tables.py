import csv
import sys

import pytest

from frex.errors import InputError, MissingExtraError
from frex.text import Fields, input_bytes, read_documents
from frex.text.documents import Broken
from frex.text.files import read_batches


def items(file, **fields):
    return [i for b in read_batches([file], Fields(**fields)) for i in b.documents()]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_what_stands_between_fields_is_told_by_the_header(tmp_path, delimiter):
    file = tmp_path / "d.csv"
    rows = ["ID,Title, Labels ,text", "a,b,x|y,c"]
    file.write_text("\n".join(rows).replace(",", delimiter), encoding="utf-8-sig")
    (found,) = items(file)
    assert (found.id, found.text, found.labels, found.details) == (
        "a", "c", ("x", "y"), {"title": "b"}
    )  # fmt: skip


def test_blank_lines_may_stand_before_the_header(tmp_path):
    file = tmp_path / "d.csv"
    file.write_text("\n \n\nid;text;labels\n\na;b,b;x\n", encoding="utf-8")
    (found,) = items(file)
    assert (found.id, found.text, found.labels, found.line) == ("a", "b,b", ("x",), 6)
    file.write_text("\n\nid,words\na,b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"d\.csv, line 3: there is no column 'text'"):
        items(file)


def test_one_column_with_semicolons_in_its_text(tmp_path):
    file = tmp_path / "d.csv"
    file.write_text("text\na;b;c\n", encoding="utf-8")
    assert [found.text for found in items(file)] == ["a;b;c"]
    file.write_text("", encoding="utf-8")
    assert items(file) == []


def test_a_record_may_span_lines_and_is_named_by_its_first(tmp_path):
    file = tmp_path / "d.csv"
    file.write_text('id,text,labels\na,"two\nlines, ""quoted""",x\n\nb,c,x;y\n', encoding="utf-8")
    first, second = items(file, separator=";")
    assert (first.id, first.text, first.line) == ("a", 'two\nlines, "quoted"', 2)
    assert (second.id, second.labels, second.line) == ("b", ("x", "y"), 5)


def test_long_texts_and_the_limit_of_the_csv_module(tmp_path):
    file = tmp_path / "d.tsv"
    file.write_text("text\n" + "word " * 100_000, encoding="utf-8")
    limit = csv.field_size_limit()
    (document,) = read_documents([file])
    assert len(document.text) == 500_000
    assert csv.field_size_limit() == limit


def test_broken_rows_leave_their_neighbours_alone(tmp_path):
    file = tmp_path / "d.csv"
    file.write_bytes(b'id,text\n1,a\n2,b,c\n3\n"4"x,d\n5,caf\xe9\n6,n\0l\n7,e\n8,"open\n')
    found = items(file)
    assert [i.id for i in found if not isinstance(i, Broken)] == ["1", "7"]
    assert [(i.reason, i.line) for i in found if isinstance(i, Broken)] == [
        ("wrong number of fields", 3),
        ("wrong number of fields", 4),
        ("not valid CSV", 5),
        ("not UTF-8", 6),
        ("NUL character", 7),
        ("not valid CSV", 9),
    ]


@pytest.mark.parametrize(
    ("header", "message"),
    [("id,body", "no column 'text'; the columns are 'id', 'body'"), ("text,text", "two columns"),
     ('"', "not valid CSV"), ("text,\udce9", "not UTF-8: byte 0xe9"), ("text,\0", "NUL")],
)  # fmt: skip
def test_a_table_without_a_sound_header(tmp_path, header, message):
    file = tmp_path / "d.csv"
    file.write_bytes(f"{header}\na,b\n".encode(errors="surrogateescape"))
    with pytest.raises(InputError, match=message) as caught:
        items(file)
    assert (caught.value.path, caught.value.line) == (str(file), 1)


def write_parquet(file, columns):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(arrow.table(columns), file)
    return arrow


def test_parquet_with_a_list_of_labels_or_a_text(tmp_path):
    file = tmp_path / "d.parquet"
    write_parquet(
        file,
        {
            "id": [1, 2, None],
            "text": ["a", None, "c"],
            "labels": [["x", "y"], [], None],
            "z": [0] * 3,
        },
    )
    first, second, third = items(file)
    assert (first.id, first.labels, first.line) == ("1", ("x", "y"), 1)
    assert (second.reason, second.line) == ("no text", 2)
    assert (third.id, third.labels) == (f"{file}:3", ())
    assert sum(b.size for b in read_batches([file], Fields())) == input_bytes([file])
    write_parquet(file, {"text": ["a"], "labels": ["x| y"]})
    assert [d.labels for d in items(file)] == [("x", "y")]


@pytest.mark.parametrize("kind", ["string", "large_string"])
def test_parquet_texts_that_are_alike_are_handed_out_a_few_at_a_time(tmp_path, kind):
    """In the file a text is kept once; a thousand rows of it were 5 GB in memory."""
    file, text = tmp_path / "d.parquet", "golf " * 200_000
    arrow = pytest.importorskip("pyarrow")
    texts = arrow.array([text, None, *[text] * 40], kind)
    labels = arrow.array([[text, "x"], None, *[[]] * 40], arrow.list_(arrow.type_for_alias(kind)))
    write_parquet(file, {"id": list(range(42)), "text": texts, "labels": labels})
    assert file.stat().st_size < 200_000
    batches = list(read_batches([file], Fields()))
    assert max(len(batch.records) for batch in batches) == 2
    documents = [item for batch in batches for item in batch.documents()]
    assert [d.line for d in documents] == list(range(1, 43))
    assert documents[0].labels == (text.strip(), "x")
    assert documents[1].reason == "no text"
    assert {d.text for d in documents[2:]} == {text}
    assert sum(b.size for b in batches) == input_bytes([file])


def test_a_parquet_file_that_grows_as_no_text_does_is_refused(tmp_path):
    file = tmp_path / "d.parquet"
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"text": ["a" * (64 << 20)]})
    parquet.write_table(table, file, compression="zstd", use_dictionary=False)
    with pytest.raises(InputError, match=r"is to be unpacked from [\d,]+ bytes into 67,"):
        items(file)


def test_parquet_text_that_is_not_utf8(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    texts = arrow.array([b"a", b"caf\xe9", b"c"], arrow.binary()).view(arrow.string())
    write_parquet(tmp_path / "d.parquet", {"text": texts})
    assert [getattr(i, "reason", "fine") for i in items(tmp_path / "d.parquet")] == [
        "fine",
        "not UTF-8",
        "fine",
    ]


def test_parquet_files_that_are_none(tmp_path, monkeypatch):
    file = tmp_path / "d.parquet"
    file.write_bytes(b"PAR1 and nothing else")
    pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match="not a sound Parquet file"):
        items(file)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"frex\[parquet\]"):
        items(file)


def test_a_column_that_was_asked_for_and_is_not_there(tmp_path):
    file = tmp_path / "d.csv"
    file.write_text("Nr;Thema;text\n1;x;a\n", encoding="utf-8")
    (found,) = items(file, id="nr", labels="thema")
    assert (found.id, found.labels) == ("1", ("x",))
    wrong = {"id": "No", "labels": "Them", "text": ("body",), "url": "Link", "keep": ("by",)}
    for option, name in wrong.items():
        with pytest.raises(InputError, match=r"there is no column '\w+'.*'Thema'.*--") as caught:
            items(file, **{option: name})
        assert f"--{option}" in str(caught.value)
    assert items(file)[0].labels == ()


def test_a_table_of_labelled_documents_has_a_column_of_labels(tmp_path):
    file = tmp_path / "d.csv"
    file.write_text("id,text,Thema\n1,a,x\n", encoding="utf-8")
    assert [found.labels for found in items(file)] == [()]
    with pytest.raises(InputError, match=r"no column 'labels'; .*'Thema'\. Name one of them"):
        items(file, labelled=True)
