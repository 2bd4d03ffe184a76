import pytest

from frex import read_corpus, read_tree
from frex.errors import InputError
from frex.text import Fields, folders, input_bytes, prepare, read_documents
from frex.text.documents import Broken
from frex.text.files import read_batches


@pytest.fixture
def folder(tmp_path):
    made = {
        "sport/golf/a.txt": "The golfer's ball\n",
        "sport/golf/b.MD": "---\ntitle: 'A day'\ndate: 2019-03-04\ntags: [x]\n---\n# No\nthe ball",
        "sport/c.md": "\ufeff# Golf & *more* #\n\nsee [the golfer](https://example.org/golfer)\r\n",
        "votes/ärger.txt": "Votes of the golfer",
        "top.txt": "",
        ".git/x.txt": "no document",
        "sport/.hidden.txt": "none",
        "sport/picture.png": "none",
    }
    for name, text in made.items():
        (tmp_path / "d" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "d" / name).write_text(text, encoding="utf-8")
    return tmp_path / "d"


def items(folder, *known, **options):
    return [i for b in read_batches([folder], Fields(), known, **options) for i in b.documents()]


def test_files_are_documents_and_subfolders_labels(folder):
    found = {d.id: d for d in items(folder, "sport/golf", "golf")}
    assert list(found) == [
        "sport/c.md", "sport/golf/a.txt", "sport/golf/b.MD", "top.txt", "votes/ärger.txt",
    ]  # fmt: skip
    assert [d.labels for d in found.values()] == [
        ("sport",), ("sport/golf",), ("sport/golf",), (), ("votes",),
    ]  # fmt: skip
    assert items(folder, "golf")[1].labels == ("golf",)
    assert found["sport/golf/b.MD"].details == {"title": "A day", "date": "2019-03-04"}
    assert found["sport/golf/b.MD"].text == "# No\nthe ball"
    assert found["sport/c.md"].details == {"title": "Golf & *more*"}
    assert found["sport/c.md"].text == "# Golf & *more* #\n\nsee [the golfer]\n"
    assert found["votes/ärger.txt"].details == {"title": "ärger"}
    assert found["votes/ärger.txt"].path == str(folder / "votes" / "ärger.txt")


def test_batches_know_how_large_they_are(folder, monkeypatch):
    monkeypatch.setattr(folders, "BLOCK", 20)
    batches = list(read_batches([folder], Fields(labels=None, title=None, date=None)))
    assert len(batches) > 2
    assert sum(batch.size for batch in batches) == input_bytes([folder])
    assert all(d.details == {} and d.labels == () for b in batches for d in b.documents())


def test_a_table_tells_of_files(folder, tmp_path):
    table = tmp_path / "about.csv"
    table.write_text(
        "id;labels;title;url\nsport/golf/a;x|y;A;https://example.org\n./top.txt;;Top;\n"
        "no.txt;x;;\nsport/golf/a.txt;x;;\n",
        encoding="utf-8",
    )
    found = items(folder, table=table)
    assert [(i.line, i.detail.split(":")[0]) for i in found if isinstance(i, Broken)] == [
        (4, "'no.txt'"), (5, "'sport/golf/a.txt'"),
    ]  # fmt: skip
    known = {d.id: d for d in found if not isinstance(d, Broken)}
    assert known["sport/golf/a.txt"].labels == ("x", "y")
    assert known["sport/golf/a.txt"].details == {"title": "A", "url": "https://example.org"}
    assert known["top.txt"].details == {"title": "Top"}
    assert known["sport/golf/b.MD"].labels == ("golf",)
    with pytest.raises(InputError, match=r"about\.csv: a table tells.*--table"):
        read_batches([table], Fields(), table=table)


def test_files_that_are_no_documents(folder, monkeypatch):
    (folder / "bad.txt").write_bytes(b"caf\xe9")
    (folder / "large.txt").write_text("words " * 100)
    monkeypatch.setattr(folders, "LARGEST", 500)
    broken = [item for item in items(folder) if isinstance(item, Broken)]
    assert [(b.reason, b.line) for b in broken] == [("not UTF-8", None), ("too large", None)]
    with pytest.raises(InputError, match=r"bad\.txt: not UTF-8: byte 0xe9"):
        list(read_documents([folder]))
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match=r"empty: has no \.txt or \.md files"):
        items(folder / "empty")


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_is_tree_and_documents(folder, tmp_path, monkeypatch, jobs):
    monkeypatch.setattr(folders, "BLOCK", 20)
    tree = read_tree(folder)
    assert tree.topics == ("sport", "sport/golf", "votes")
    prepare(folder, tree, tmp_path / "c", jobs=jobs)
    corpus = read_corpus(tmp_path / "c")
    assert [corpus.labels_of(row) for row in range(4)] == [
        ("sport",), ("sport/golf",), ("sport/golf",), ("votes",),
    ]  # fmt: skip
    with pytest.raises(InputError, match="has no subfolders"):
        read_tree(folder / "votes")
