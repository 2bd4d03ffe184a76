import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frex.errors import FolderError, InputError
from frex.storage import MANIFEST, FolderReader, FolderWriter, Strings
from frex.storage.rules import Numbers, strings_rules


def make(path, *, value=1, overwrite=False, kind="test"):
    with FolderWriter(path, kind=kind, version=1, overwrite=overwrite) as folder:
        folder.write_array("numbers", np.full(3, value))
        folder.write_json("facts", {"é": value})
        names = folder.strings_appender("names")
        names.append(["a", "", "日本"])
        names.append(["z"])
        names.close()
        with folder.appender("grown", np.int32) as grown:
            for n in range(4):
                grown.append(np.arange(n))
        folder.meta["value"] = value
    return path


def contents(folder):
    (n,) = folder.shape("names")
    rules = {"numbers": Numbers((np.int64,), (3,)), "grown": Numbers((np.int32,), (6,))}
    return rules | strings_rules("names", 4, n)


def read(path, **options):
    return FolderReader(path, kind="test", version=1, **{"contents": contents, **options})


def test_what_is_written_is_read(tmp_path):
    folder = read(make(tmp_path / "f"))
    assert folder.array("numbers").tolist() == [1, 1, 1]
    assert folder.array("grown").tolist() == [0, 0, 1, 0, 1, 2]
    assert folder.json("facts", {str: int}) == {"é": 1}
    assert list(folder.strings("names")) == ["a", "", "日本", "z"]
    assert folder.meta == {"value": 1}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["f"]


def test_arrays_are_mapped_and_read_only(tmp_path):
    array = read(make(tmp_path / "f")).array("numbers")
    assert isinstance(array, np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 5


def test_an_empty_array_can_be_read(tmp_path):
    with FolderWriter(tmp_path / "f", kind="test", version=1) as folder:
        folder.appender("none", np.float64).close()
    contents = {"none": Numbers((np.float64,), (0,))}
    assert read(tmp_path / "f", contents=lambda _: contents).array("none").shape == (0,)


def test_a_failure_leaves_nothing_behind_and_the_old_folder_alone(tmp_path):
    make(tmp_path / "f", value=1)
    writer = FolderWriter(tmp_path / "f", kind="test", version=1, overwrite=True)
    with pytest.raises(KeyboardInterrupt), writer as folder:
        folder.write_array("numbers", np.zeros(1))
        raise KeyboardInterrupt
    assert [p.name for p in tmp_path.iterdir()] == ["f"]
    assert read(tmp_path / "f").meta == {"value": 1}


def test_nothing_is_overwritten_unless_asked_and_of_the_same_kind(tmp_path):
    make(tmp_path / "f")
    with pytest.raises(InputError, match="exists already"):
        make(tmp_path / "f")
    make(tmp_path / "f", value=2, overwrite=True)
    assert read(tmp_path / "f").meta == {"value": 2}
    with pytest.raises(InputError, match="is not a other folder"):
        make(tmp_path / "f", kind="other", overwrite=True)
    photos = tmp_path / "photos"
    photos.mkdir()
    (photos / "cat.png").write_bytes(b"meow")
    with pytest.raises(InputError, match="not overwritten"):
        make(photos, overwrite=True)
    assert (photos / "cat.png").exists()


@pytest.mark.parametrize("name", [".", "..", "/"])
def test_the_folder_one_is_in_is_not_replaced(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="Name a folder inside it"):
        make(name)


def test_an_empty_folder_may_be_filled(tmp_path):
    (tmp_path / "f").mkdir()
    assert read(make(tmp_path / "f")).meta == {"value": 1}


FILES = ["numbers.npy", "facts.json", "names.npy", "names_ends.npy", "grown.npy", MANIFEST]


@pytest.mark.parametrize("file", FILES)
def test_every_cut_and_every_flipped_byte_is_reported(tmp_path, file):
    path = make(tmp_path / "f") / file
    whole = path.read_bytes()
    for position in range(0, len(whole), 7):
        path.write_bytes(whole[:position])
        with pytest.raises(FolderError):
            read(tmp_path / "f")
        flipped = bytearray(whole)
        flipped[position] ^= 1
        path.write_bytes(flipped)
        with pytest.raises(FolderError):
            read(tmp_path / "f")
    path.unlink()
    with pytest.raises(FolderError, match=r"is missing|has no manifest"):
        read(tmp_path / "f")


def test_sizes_are_compared_even_without_checksums(tmp_path):
    path = make(tmp_path / "f") / "numbers.npy"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(FolderError, match=r"numbers\.npy: has 151 bytes, where 152"):
        read(tmp_path / "f", verify=False)


def test_other_kinds_and_newer_versions_are_refused(tmp_path):
    make(tmp_path / "f")
    with pytest.raises(FolderError, match="is a test folder, not a corpus one"):
        FolderReader(tmp_path / "f", kind="corpus", version=1)
    with pytest.raises(FolderError, match="Upgrade frex"):
        FolderReader(tmp_path / "f", kind="test", version=0)
    for missing in ("nowhere", "."):
        with pytest.raises(FolderError):
            read(tmp_path / missing)


def test_a_manifest_cannot_point_outside_its_folder(tmp_path):
    path = make(tmp_path / "f") / MANIFEST
    manifest = json.loads(path.read_text())
    manifest["files"]["../secret"] = {"bytes": 1, "sha256": ""}
    path.write_text(json.dumps(manifest))
    with pytest.raises(FolderError, match="altered"):
        read(tmp_path / "f")


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_strings_are_a_list(texts):
    blocks = [text.encode() for text in texts]
    strings = Strings(
        np.frombuffer(b"".join(blocks), np.uint8), np.cumsum([len(b) for b in blocks], dtype=int)
    )
    assert strings == texts
    assert strings[1:3] == texts[1:3]
    assert strings[-1:] == texts[-1:]
    for i in (-1, 0):
        if texts:
            assert strings[i] == texts[i]
    with pytest.raises(IndexError):
        strings[len(texts)]


def test_a_folder_of_a_version_that_is_no_longer_read_says_so(tmp_path):
    with FolderWriter(tmp_path / "old", kind="kind", version=1) as folder:
        folder.write_json("a", 1)
    with pytest.raises(FolderError, match=r"version 1 .* reads from version 2 on.*Make it again"):
        FolderReader(tmp_path / "old", kind="kind", version=2, oldest=2)
