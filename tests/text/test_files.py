import bz2
import gzip
import io
import json
import lzma
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frex.errors import InputError, MissingExtraError
from frex.text import Fields, blocks, input_bytes, read_documents
from frex.text.documents import Broken, Document, Fault
from frex.text.files import read_batches

LINES = b"".join(b'{"id": %d, "text": "some words of document %d"}\n' % (i, i) for i in range(99))


def pack_zstd(data):
    zstandard = pytest.importorskip("zstandard")
    half = len(data) // 2  # two frames, as `cat a.zst b.zst` makes them
    pack = zstandard.ZstdCompressor().compress
    return pack(data[:half]) + pack(data[half:])


PACKERS = {
    "": bytes,
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": pack_zstd,
}


@pytest.mark.parametrize("suffix", PACKERS)
def test_packed_files(tmp_path, suffix):
    file = tmp_path / f"docs.jsonl{suffix}"
    file.write_bytes(PACKERS[suffix](LINES))
    documents = list(read_documents([file]))
    assert [d.id for d in documents] == [str(i) for i in range(99)]
    assert documents[98] == Document("98", "some words of document 98", (), str(file), 99)
    batches = list(read_batches([file], Fields()))
    assert sum(b.size for b in batches) == input_bytes([file]) == file.stat().st_size


@pytest.mark.parametrize("suffix", [s for s in PACKERS if s])
def test_a_packed_file_that_was_cut_is_told_after_what_is_whole(tmp_path, monkeypatch, suffix):
    monkeypatch.setattr(blocks, "BLOCK", 64)
    file = tmp_path / f"docs.jsonl{suffix}"
    file.write_bytes(PACKERS[suffix](LINES)[:-9])
    *found, last = [item for batch in read_batches([file], Fields()) for item in batch.documents()]
    assert all(isinstance(item, Document) for item in found)
    assert isinstance(last, Broken)
    assert (last.reason, last.line) == ("damaged file", len(found) + 1)
    with pytest.raises(InputError, match=r"docs\.jsonl\.\w+, line \d+: damaged file"):
        list(read_documents([file]))


def test_something_else_under_a_packed_name(tmp_path):
    for suffix in PACKERS:
        if suffix:
            file = tmp_path / f"docs.jsonl{suffix}"
            file.write_bytes(LINES)
            with pytest.raises(InputError, match="line 1: damaged file"):
                list(read_documents([file]))


def test_several_files_in_their_order_and_standard_input(tmp_path, monkeypatch):
    one, two = tmp_path / "b.jsonl", tmp_path / "a.csv"
    one.write_bytes(b'\xef\xbb\xbf{"text": "first"}')
    two.write_text("text,labels\nthird,x|y\n", encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"text": "second"}\n')))
    documents = list(read_documents([one, "-", str(two)]))
    assert [d.text for d in documents] == ["first", "second", "third"]
    assert [d.id for d in documents] == [f"{one}:1", "-:1", f"{two}:2"]
    assert documents[2].labels == ("x", "y")
    assert input_bytes([one, "-"]) is None


@pytest.mark.parametrize(
    ("name", "message"),
    [("absent.jsonl", "does not exist"), ("folder.jsonl", "has no .txt or .md files"),
     ("docs.txt", r"Call it \.jsonl"), ("docs", r"Call it \.jsonl"), ("d.parquet.gz", "Unpack")],
)  # fmt: skip
def test_files_that_are_refused_before_anything_is_read(tmp_path, name, message):
    (tmp_path / "folder.jsonl").mkdir()
    for file in ("docs.txt", "docs", "d.parquet.gz"):
        (tmp_path / file).write_text("x")
    with pytest.raises(InputError, match=message):
        read_batches([tmp_path / name], Fields())


def test_zstd_names_its_extra(tmp_path, monkeypatch):
    (tmp_path / "d.jsonl.zst").write_bytes(b"x")
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(MissingExtraError, match=r"frex\[zstd\]"):
        list(read_documents([tmp_path / "d.jsonl.zst"]))


def small_blocks(monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 8)
    monkeypatch.setattr(blocks, "LONGEST", 20)


def test_blocks_hold_whole_lines(monkeypatch):
    small_blocks(monkeypatch)
    pieces = list(blocks.cut([b"ab\ncd", b"ef\n", b"ghij\nk", b"l"]))
    assert pieces == [(1, b"ab\ncdef\n"), (3, b"ghij\nkl")]


def test_an_overlong_line_is_passed_over(monkeypatch):
    small_blocks(monkeypatch)
    pieces = list(blocks.cut([b"ab\n", b"x" * 15, b"x" * 15, b"x" * 15, b"xx\ncd\nef"]))
    assert [(line, str(p) if isinstance(p, Fault) else p) for line, p in pieces] == [
        (1, b"ab\n"),
        (2, "('line too long', 'more than 0 MiB')"),
        (3, b"cd\nef"),
    ]


@given(st.lists(st.binary(max_size=12).map(lambda b: b.replace(b"\xef", b"\n")), max_size=12))
def test_nothing_is_lost_in_cutting(chunks):
    data = b"".join(chunks)
    pieces = list(blocks.cut(chunks))
    assert b"".join(block for _, block in pieces) == data
    assert all(block.endswith(b"\n") for _, block in pieces[:-1])


JUNK = st.binary(max_size=60) | st.text(max_size=60).map(str.encode)
VALUE = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.lists(st.text())
OBJECT = st.dictionaries(st.sampled_from(["id", "text", "labels", "x"]), VALUE).map(
    lambda record: json.dumps(record).encode()
)


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(JUNK | OBJECT, max_size=8), st.sampled_from(["j.jsonl", "c.csv", "t.tsv"]))
def test_any_bytes_are_documents_or_a_clear_error(tmp_path, lines, name):
    file = tmp_path / name
    header = {"j": b"", "c": b"id,text,labels\n", "t": b"id\ttext\tlabels\n"}[name[0]]
    file.write_bytes(header + b"\n".join(lines))
    n_lines = file.read_bytes().count(b"\n") + 1
    try:
        items = [item for batch in read_batches([file], Fields()) for item in batch.documents()]
    except InputError as error:  # a table without a usable header
        assert error.path == str(file)
        return
    for item in items:
        assert item.path == str(file)
        assert 1 <= item.line <= n_lines
        if isinstance(item, Document):
            "".join((item.id, item.text, *item.labels)).encode()
