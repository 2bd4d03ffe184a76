"""Folders that someone changed and signed anew: refused with their file, or as good as honest ones.

`python tests/attack.py folders` does the same by the thousand, with memory and signals watched.
"""

import json
import shutil

import numpy as np
import pytest
import strangers
from hostile import hostile_copy, resign
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frex.corpus import read_corpus
from frex.errors import FolderError, InputError
from frex.model import read_truth
from frex.posterior import diagnose, read_posterior
from frex.posterior.guards import refuse_not_finite
from frex.predict import read_calibration
from frex.sampler.settings import Settings


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    """Return a folder of each kind."""
    place = tmp_path_factory.mktemp("honest")
    for name, kind in strangers.KINDS.items():
        kind.make(place / name)
    return place


@pytest.mark.parametrize("kind", strangers.KINDS)
def test_a_folder_that_was_changed_and_signed_is_refused_or_as_good(kind, honest, tmp_path):
    outcomes = []
    assert strangers.use(kind, honest / kind) == ""

    # a run that goes on takes longer than all else
    @settings(
        max_examples=15 if kind == "checkpoint" else 40,
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.randoms(use_true_random=False))
    def check(rng):
        hostile_copy(honest / kind, tmp_path / "hostile", rng)
        outcomes.append(strangers.use(kind, tmp_path / "hostile"))

    check()
    assert sum(map(bool, outcomes)) > len(outcomes) / 4


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


def renamed(name, value):
    """Return a change of a JSON object."""

    def edit(saved):
        saved[name] = value
        return saved

    return edit


READ = {
    "corpus": read_corpus,
    "fit": read_posterior,
    "calibration": read_calibration,
    "truth": read_truth,
}
CAN_LEAVE_OUT_CHECKSUMS = ("corpus", "fit")
HOSTILE = [
    ("corpus", "counts_indices", at(0, -1), "holds the column -1 of a matrix of 25"),
    ("corpus", "counts_indices", at(-1, 10**6), "holds the column 1000000 of a matrix of 25"),
    ("corpus", "counts_indices", lambda a: a[::-1], "do not rise within a row"),
    ("corpus", "counts_indices", lambda a: a.astype(np.int64), "of type int64, not int32"),
    ("corpus", "labels_indices", at(-1, 6), "holds the column 6 of a matrix of 6"),
    ("corpus", "counts_indptr", at(0, 1), "does not rise from 0"),
    ("corpus", "counts_indptr", at(3, -5), "does not rise from 0"),
    ("corpus", "counts_indptr", at(-1, 7), "does not rise"),
    ("corpus", "counts_indptr", lambda a: a + (np.arange(len(a)) > 0), "does not end at"),
    ("corpus", "counts_indptr", lambda a: a[:-1], "has the shape"),
    ("corpus", "counts_data", at(0, 0), "holds a value below 1"),
    ("corpus", "counts_data", lambda a: a.astype(np.float32), "of type float32"),
    ("corpus", "counts_data", lambda a: a[None], "has the shape"),
    ("corpus", "exposures", lambda _: np.ones(3), r"has the shape \(3,\), not \(30,\)"),
    ("corpus", "exposures", lambda _: np.full(30, np.nan), "not a finite number"),
    ("corpus", "exposures", lambda _: np.full(30, -1.0), "below 0"),
    ("corpus", "ids_ends", at(0, -1), "does not rise"),
    ("corpus", "ids", at(0, 0xFF), "is not UTF-8"),
    ("corpus", "ids_ends", at(-1, 7), "does not"),
    ("corpus", "tree", renamed("parents", [0, 0, 5, 1, 2, 2]), "is no tree"),
    ("corpus", "tree", renamed("parents", [-1, 0, 1, 1, 2, 2]), "is no tree"),
    ("corpus", "tree", renamed("other_parents", [[9], [], [], [], [], []]), "is no tree"),
    ("corpus", "tree", renamed("aliases", [["x"]]), "is no tree: its lists do not fit together"),
    ("corpus", "tree", renamed("titles", [1] * 6), "'titles' item 0 is 1, not text"),
    ("corpus", "words", lambda words: [*words[:-1], words[0]], "has an empty word, or one twice"),
    ("fit", "labels_indices", at(-1, 4), "holds the column 4 of a matrix of 4"),
    ("fit", "exposures", at(0, -1.0), "below 0"),
    ("fit", "exposures", lambda a: a[:-1], r"has the shape \(3,\), not \(4,\)"),
    ("fit", "moments_log_rates_mean", at((0, 0), 1e4), "above 700"),
    ("fit", "moments_memberships_mean", at(0, 2.0), "above 1"),
    ("fit", "scored_0_words", at((0, -1), 5), "holds the column 5 of a matrix of 5"),
    ("fit", "scored_0_words", at((1, 0), -1), "holds the column -1 of a matrix of 5"),
    ("fit", "scored_0_words", lambda a: a[:, ::-1], "do not rise within a row"),
    ("fit", "traced_rates", at((0, 1), -1), "below 0"),
    ("fit", "typical_documents", at(0, 10**6), "above 4"),
    ("fit", "typical_words", at((0, 0), -2), "below -1"),
    ("fit", "settings", renamed("method", "guess"), "has the method 'guess'"),
    ("calibration", "thresholds", at(0, np.nan), "not a finite number"),
    ("calibration", "weights", lambda a: a[:, :-1], "has the shape"),
    ("truth", "labels_indices", at(0, -1), "holds the column -1"),
    ("truth", "memberships", at(0, 1.5), "above 1"),
]  # fmt: skip


@pytest.mark.parametrize("case", HOSTILE, ids=lambda case: "-".join(case[:2]))
def test_a_folder_that_would_break_memory_is_refused(case, honest, tmp_path):
    kind, name, edit, complaint = case
    place = tmp_path / "c"
    shutil.copytree(honest / kind, place)
    ending = "npy" if (place / f"{name}.npy").exists() else "json"
    if ending == "npy":
        change(place, name, edit)
    else:
        saved = json.loads((place / f"{name}.json").read_text())
        (place / f"{name}.json").write_text(json.dumps(edit(saved)))
        resign(place)
    for options in ({}, {"verify": False})[: 1 + (kind in CAN_LEAVE_OUT_CHECKSUMS)]:
        with pytest.raises(FolderError, match=rf"{name}\.{ending}: .*{complaint}"):
            READ[kind](place, **options)


@pytest.mark.parametrize(
    "name",
    ["moments_log_rates_mean", "exclusivity_0_mean", "exposures", "draws_affinity_variance"],
)
def test_a_fit_that_left_the_range_of_numbers_is_read_for_its_diagnosis(name, honest, tmp_path):
    place = tmp_path / "fit"
    shutil.copytree(honest / "fit", place)
    change(place, name, lambda array: array * np.nan)
    posterior = read_posterior(place)
    assert "not finite" in str(diagnose(posterior))
    with pytest.raises(InputError, match="not finite numbers"):
        refuse_not_finite(posterior)


def test_without_checksums_only_these_are_left_out(honest, tmp_path):
    place = tmp_path / "c"
    shutil.copytree(honest / "corpus", place)
    counts = np.load(place / "counts_data.npy")
    np.save(place / "counts_data.npy", counts + 1)  # sound, and not what was written
    with pytest.raises(FolderError, match=r"counts_data\.npy: was altered after it was written"):
        read_corpus(place)
    assert read_corpus(place, verify=False).n_tokens == counts.sum() + len(counts)


@pytest.mark.parametrize(
    "changed", [{"priors": {"root_mean": 1}}, {"priors": 5}, {"compare": None}, {"unknown": 1}]
)
def test_settings_that_no_fit_has_are_refused(changed):
    with pytest.raises(InputError, match="the settings of a fit are not such as this frex writes"):
        Settings.from_json(Settings().to_json() | changed)
