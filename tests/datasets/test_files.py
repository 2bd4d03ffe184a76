import gzip
import lzma
import tarfile

import pytest

from frex.datasets.files import OfficialFiles
from frex.errors import InputError


@pytest.fixture
def folder(tmp_path):
    inner = tmp_path / "data" / "inner"
    inner.mkdir(parents=True)
    (inner / "b.txt").write_text("one\ntwo\n")
    (inner / "a.txt.gz").write_bytes(gzip.compress(b"three\n"))
    (inner / "c.txt.xz").write_bytes(lzma.compress(b"four\n"))
    (inner / "other.md").write_text("not asked for\n")
    return tmp_path / "data"


def test_a_folder_an_archive_and_named_files_give_the_same(folder, tmp_path):
    archive = tmp_path / "all.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder, "top")
    named = sorted((folder / "inner").glob("*.txt*"))
    for paths in ([folder], [archive], named):
        found = OfficialFiles(paths, ["*.txt"]).all("*.txt")
        assert [(f.name, list(f.lines())) for f in found] == [
            ("a.txt", [(1, "three")]),
            ("b.txt", [(1, "one"), (2, "two")]),
            ("c.txt", [(1, "four")]),
        ]


def test_what_is_missing_or_there_twice_is_named(folder, tmp_path):
    files = OfficialFiles([folder], ["*.txt"])
    with pytest.raises(InputError, match=r"no file d\.txt"):
        files.one("d.txt")
    with pytest.raises(InputError, match="3 files are called"):
        files.one("*.txt")
    with pytest.raises(InputError, match="no such file"):
        OfficialFiles([tmp_path / "nowhere"], ["*.txt"])
    with pytest.raises(InputError, match="no data files"):
        OfficialFiles([], ["*.txt"])
    with pytest.raises(InputError, match=r"none of the corpus's files .* Name \*\.sgm"):
        OfficialFiles([folder, folder / "inner" / "other.md"], ["*.sgm"])


@pytest.mark.parametrize("name", ["a.txt.gz", "c.txt.xz"])
def test_a_file_cut_short_is_reported(folder, name):
    path = folder / "inner" / name
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="damaged or cut short") as caught:
        [list(file.lines()) for file in OfficialFiles([path], ["*.txt"]).files]
    assert caught.value.path == str(path)


def test_an_archive_cut_short_is_reported(folder, tmp_path):
    archive = tmp_path / "all.tar.xz"
    with tarfile.open(archive, "w:xz") as tar:
        tar.add(folder, "top")
    archive.write_bytes(archive.read_bytes()[:150])
    with pytest.raises(InputError, match="damaged or cut short"):
        OfficialFiles([archive], ["*.txt"])


def test_bytes_in_another_encoding_are_reported(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes(b"tea\ncaf\xe9\n")
    (file,) = OfficialFiles([path], ["*.txt"]).files
    assert file.text("latin-1") == "tea\ncafé"
    with pytest.raises(InputError, match=r"a\.txt, line 2: bytes that are not utf-8: b'\\xe9'"):
        file.text()
