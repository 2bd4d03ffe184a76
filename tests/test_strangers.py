"""Folders that someone changed and signed anew: refused with their file, or as good as honest ones.

`python tests/attack.py` does the same by the thousand, with memory and signals watched.
"""

import shutil

import numpy as np
import pytest
import strangers
from hostile import hostile_copy, resign
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frex.corpus import read_corpus
from frex.errors import FolderError


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Return a folder of each kind, but for a checkpoint, whose use takes seconds."""
    place = tmp_path_factory.mktemp("honest")
    for kind in ("corpus", "fit", "calibration", "truth"):
        strangers.KINDS[kind].make(place / kind)
    return place


@pytest.mark.parametrize("kind", ["corpus", "fit", "calibration", "truth"])
def test_a_folder_that_was_changed_and_signed_is_refused_or_as_good(kind, honest, tmp_path):
    outcomes = []
    assert strangers.use(kind, honest / kind) == ""

    @settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
    @given(st.randoms(use_true_random=False))
    def check(rng):
        hostile_copy(honest / kind, tmp_path / "hostile", rng)
        outcomes.append(strangers.use(kind, tmp_path / "hostile"))

    check()
    assert sum(map(bool, outcomes)) > len(outcomes) / 2


def change(place, name, edit):
    """Change an array of a folder and sign it."""
    file = place / f"{name}.npy"
    array = np.load(file)
    np.save(file, edit(array))
    resign(place)


def at(place, value):
    """Return a change of one number."""

    def edit(array):
        array = array.copy()
        array[place] = value
        return array

    return edit


CORPUS = [
    ("counts_indices", at(0, -1), "holds the column -1 of a matrix of 25"),
    ("counts_indices", at(-1, 10**6), "holds the column 1000000 of a matrix of 25"),
    ("counts_indices", lambda a: a[::-1], "do not rise within a row"),
    ("counts_indices", lambda a: a.astype(np.int64), "of type int64, not int32"),
    ("labels_indices", at(-1, 6), "holds the column 6 of a matrix of 6"),
    ("counts_indptr", at(0, 1), "does not rise from 0"),
    ("counts_indptr", at(3, -5), "does not rise from 0"),
    ("counts_indptr", at(-1, 7), "does not rise"),
    ("counts_indptr", lambda a: a + (np.arange(len(a)) > 0), "does not end at"),
    ("counts_indptr", lambda a: a[:-1], "has the shape"),
    ("counts_data", at(0, 0), "holds a value below 1"),
    ("counts_data", lambda a: a.astype(np.float32), "of type float32"),
    ("counts_data", lambda a: a[None], "has the shape"),
    ("exposures", lambda _: np.ones(3), r"has the shape \(3,\), not \(30,\)"),
    ("exposures", lambda _: np.full(30, np.nan), "not a finite number"),
    ("exposures", lambda _: np.full(30, -1.0), "below 0"),
    ("ids_ends", at(0, -1), "does not rise"),
    ("ids", at(0, 0xFF), "is not UTF-8"),
    ("ids_ends", at(-1, 7), "does not"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edit", "complaint"), CORPUS)
def test_a_corpus_that_would_break_memory_is_refused(name, edit, complaint, honest, tmp_path):
    place = tmp_path / "c"
    shutil.copytree(honest / "corpus", place)
    change(place, name, edit)
    for verify in (True, False):
        with pytest.raises(FolderError, match=rf"{name}\.npy: .*{complaint}"):
            read_corpus(place, verify=verify)
