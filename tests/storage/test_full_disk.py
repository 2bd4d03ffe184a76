"""A disk that gets full is told, with the path, and holds afterwards what it held before."""

import json

import numpy as np
import pytest
from disks import PAGE
from fits import make_fit

from frex.errors import FullDiskError
from frex.export import write_csv, write_netcdf, write_parquet, write_skos
from frex.model import branching_tree, simulate
from frex.storage import FolderWriter
from frex.storage.arrays import write_array
from frex.storage.files import whole_file
from frex.text import prepare
from frex.tree import TopicTree


def test_no_array_is_written_in_part_unnoticed(disk):
    """`numpy.save` does that where less than its buffer is missing."""
    disk.leave(2 * PAGE)
    for n in range(1000, 1600, 7):
        file, values = disk.path / "a.npy", np.arange(n, dtype=np.float64)
        if values.nbytes + 128 > 2 * PAGE:
            with pytest.raises(OSError, match="No space left"):
                write_array(file, values)
        else:
            write_array(file, values)
            np.testing.assert_array_equal(np.load(file), values)
        file.unlink()


@pytest.mark.parametrize(
    "values",
    [np.array(2.5), np.zeros((0, 3)), np.arange(6).reshape(2, 3).T, np.array([True]),
     np.array(["é", "word"]), np.arange(4, dtype=">i2"), np.float32(1.5)],
)  # fmt: skip
def test_arrays_of_any_kind_are_written_as_numpy_does(tmp_path, values):
    write_array(tmp_path / "ours.npy", values)
    np.save(tmp_path / "theirs.npy", np.ascontiguousarray(values).reshape(np.shape(values)))
    assert (tmp_path / "ours.npy").read_bytes() == (tmp_path / "theirs.npy").read_bytes()


@pytest.mark.parametrize("left", [0, PAGE, 4 * PAGE, 16 * PAGE])
def test_a_folder_and_a_file_leave_nothing_and_say_where(disk, left):
    path = disk.path / "out"
    disk.leave(left)
    with (
        pytest.raises(FullDiskError, match=rf"{path}: cannot be written: No space left .* free"),
        FolderWriter(path, kind="test", version=1) as folder,
    ):
        names = folder.strings_appender("names")
        for _ in range(2000):
            names.append(["word"] * 20)
        names.close()
        folder.write_json("json", list(range(20_000)))
    assert disk.names() == []
    with pytest.raises(FullDiskError, match="No space left"), whole_file(path) as partial:
        partial.write_bytes(bytes(17 * PAGE))
    assert disk.names() == []


@pytest.mark.parametrize("left", [0, 2 * PAGE, 40 * PAGE])
@pytest.mark.parametrize(
    ("write", "name"),
    [(write_netcdf, "a.nc"), (write_csv, "a"), (write_parquet, "a"), (write_skos, "a.ttl"),
     (lambda fit, path: fit.write(path), "a")],
    ids=["netcdf", "csv", "parquet", "skos", "fit"],
)  # fmt: skip
def test_an_export_is_whole_or_leaves_nothing(disk, write, name, left):
    disk.leave(left)
    try:
        write(make_fit(1, 200), disk.path / name)
    except FullDiskError:
        assert disk.names() == []
    else:
        assert left
        assert disk.names() == [name]


@pytest.mark.parametrize("pages", [0, 1, 6, 12, 40, 80])
def test_a_corpus_is_whole_or_leaves_nothing(disk, tmp_path, pages):
    file = tmp_path / "docs.jsonl"
    words = [f"word{number:04}" for number in range(3000)]
    rng = np.random.default_rng(0)
    with file.open("w") as lines:
        for number in range(300):
            text = " ".join(rng.choice(words, 30))
            lines.write(json.dumps({"id": str(number), "text": text, "labels": ["a"]}) + "\n")
    disk.leave(pages * PAGE)
    try:
        prepare(file, TopicTree(["a", "b"], [None, None]), disk.path / "corpus", jobs=1)
    except FullDiskError as error:
        assert str(disk.path / "corpus") in str(error)
        assert disk.names() == []
    else:
        assert pages == 80
        assert disk.names() == ["corpus"]


def test_a_corpus_in_memory_leaves_nothing(disk):
    corpus, _ = simulate(branching_tree([2]), 300, 300, rates="zipf", mean_length=50, seed=1)
    disk.leave(3 * PAGE)
    with pytest.raises(FullDiskError):
        corpus.write(disk.path / "corpus")
    assert disk.names() == []
