"""What was saved is never lost, and is resumed only by the run that it belongs to."""

import re
import shutil
import signal
from dataclasses import replace

import pytest
from bits import assert_same_bits, fit, small_corpus, stop_at

from frex.errors import FolderError, InputError, StoppedError
from frex.model import branching_tree
from frex.sampler import checkpoint as module
from frex.sampler.checkpoint import saved_scans
from frex.sampler.settings import Settings
from frex.tree import TopicTree

SETTINGS = Settings(warmup=4, draws=6, chains=1)


@pytest.fixture(scope="module")
def corpus():
    return small_corpus(branching_tree([2, 2]))


@pytest.fixture(scope="module")
def whole(corpus):
    return fit(corpus, SETTINGS)


@pytest.fixture
def stopped(corpus, tmp_path):
    """Return the checkpoint of a run that was stopped after six of ten scans."""
    place = tmp_path / "run.checkpoint"
    fit(corpus, SETTINGS, checkpoint=place, progress=stop_at(6))
    return place


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"seed": 1}, "had seed = 0, not 1"),
        ({"warmup": 5}, "had warmup = 4, not 5"),
        ({"chains": 2}, "had chains = 1, not 2"),
        ({"curvature": "dense"}, "had curvature = tree, not dense"),
        ({"priors": "paper"}, "had priors = weak, not paper"),
        ({"draws": 1}, "has 2 draws already, and draws is 1"),
    ],
)
def test_another_setting_is_named(corpus, stopped, change, complaint):
    with pytest.raises(InputError, match=complaint):
        fit(corpus, replace(SETTINGS, **change), checkpoint=stopped, resume=True)


def test_a_run_that_has_more_than_it_makes_unasked_says_how_to_go_on(corpus, stopped, monkeypatch):
    monkeypatch.setattr("frex.sampler.settings.MOST_DRAWS", 1)
    complaint = "has 2 draws already, and without a number of draws it ends at 1. .*--draws 2"
    with pytest.raises(InputError, match=complaint):
        fit(corpus, replace(SETTINGS, draws=None), checkpoint=stopped, resume=True)


def test_another_corpus_is_refused(corpus, stopped):
    other = corpus.take(range(39))
    with pytest.raises(InputError, match="is of another corpus"):
        fit(other, SETTINGS, checkpoint=stopped, resume=True)


@pytest.mark.parametrize("what", ["words", "topics"])
def test_other_names_are_refused(corpus, stopped, what):
    """The counts alone would let the fit of one corpus go on as that of another."""
    tree = corpus.tree
    changes = {
        "words": {"words": [f"{word}s" for word in corpus.words]},
        "topics": {"tree": TopicTree([f"{t}s" for t in tree.topics],
                                     [None if p == 0 else f"{tree.names[p]}s"
                                      for p in tree.parents[1:]])},
    }  # fmt: skip
    with pytest.raises(InputError, match="other words, or other names of topics"):
        fit(replace(corpus, **changes[what]), SETTINGS, checkpoint=stopped, resume=True)


def test_a_second_fit_into_the_same_place_is_refused_at_once(corpus, whole, tmp_path):
    place, complaints = tmp_path / "run.checkpoint", []

    def begin_another(status):
        for options in ({}, {"overwrite": True}, {"resume": True}):
            if status.done == 6 and status.phase != "start":
                with pytest.raises(InputError, match=r"run.checkpoint: another fit is running"):
                    fit(corpus, SETTINGS, checkpoint=place, **options)
                complaints.append(options)

    assert_same_bits(fit(corpus, SETTINGS, checkpoint=place, progress=begin_another), whole)
    assert len(complaints) == 3
    assert [folder.name for folder in place.iterdir()] == ["scan-000000010"]


def test_a_full_disk_keeps_what_was_saved_and_the_run_goes_on(corpus, whole, disk, caplog):
    place, saved = disk.path / "run.checkpoint", []

    def watch(status):
        saved.append([path.name for path in saved_scans(place)])
        if status.phase != "start" and status.done == 3:
            disk.leave(20_000)
        if status.done == 8:
            disk.empty()

    posterior = fit(corpus, SETTINGS, checkpoint=place, checkpoint_seconds=0, progress=watch)
    assert_same_bits(posterior, whole)
    assert saved[-8:-2] == [["scan-000000002"]] * 6
    assert saved[-1] == ["scan-000000009"]
    assert [path.name for path in place.iterdir()] == ["scan-000000010"]
    messages = [record.getMessage() for record in caplog.records]
    assert len(messages) == 5
    for message in messages:
        found = re.search(
            r"run.checkpoint: the run cannot be saved: No space left on device. It takes some "
            r"([\d,]+) bytes, and ([\d,]+) are free, ([\d,]+) too few",
            message,
        )
        needed, free, missing = (int(part.replace(",", "")) for part in found.groups())
        assert needed - free == missing > 0


def test_a_run_that_was_never_saved_does_not_say_where_it_is(corpus, disk, caplog):
    def watch(status):
        if status.phase != "start" and status.done == 2:
            disk.leave(0)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(StoppedError) as caught:
        fit(corpus, SETTINGS, checkpoint=disk.path / "run.checkpoint", progress=watch)
    assert "Go on with --resume" not in str(caught.value)
    assert "cannot be saved" in caplog.text


def test_there_must_be_something_to_resume(corpus, tmp_path, stopped):
    for place in (None, tmp_path / "nowhere"):
        with pytest.raises(InputError, match="no checkpoint to resume from"):
            fit(corpus, SETTINGS, checkpoint=place, resume=True)
    with pytest.raises(InputError, match="no checkpoint to resume from"):
        fit(corpus, replace(SETTINGS, method="map"), checkpoint=stopped, resume=True)


def test_a_new_run_does_not_replace_a_saved_one_unasked(corpus, whole, stopped):
    with pytest.raises(InputError, match=r"holds a run that can be resumed.*--resume"):
        fit(corpus, SETTINGS, checkpoint=stopped)
    other = replace(SETTINGS, seed=1, draws=1)
    fit(corpus, other, checkpoint=stopped, overwrite=True)
    assert [folder.name for folder in stopped.iterdir()] == ["scan-000000005"]


def test_a_place_that_cannot_be_written_shows_at_once(corpus, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot make the folder"):
        fit(corpus, SETTINGS, checkpoint=tmp_path / "file" / "checkpoint")


@pytest.mark.parametrize("saves", [2, 5])
def test_a_kill_while_saving_leaves_what_was_saved_before(
    corpus, whole, tmp_path, monkeypatch, saves
):
    """The folder of a killed save is never renamed into place, and never cleaned up."""
    place, count = tmp_path / "checkpoint", 0
    write_array = module.FolderWriter.write_array

    def die(self, name, array):
        nonlocal count
        count += name == "chain0.log_rates"
        if count == saves:
            self._partial = self._partial.rename(self._partial.with_suffix(".left"))
            raise SystemExit
        write_array(self, name, array)

    with monkeypatch.context() as patch, pytest.raises(SystemExit):
        patch.setattr(module.FolderWriter, "write_array", die)
        patch.setattr("frex.storage.folders.shutil.rmtree", lambda *_, **__: None)
        fit(corpus, SETTINGS, checkpoint=place, checkpoint_seconds=0)
    left = sorted(folder.name for folder in place.iterdir())
    assert left[-1] == f"scan-{saves - 1:09d}"
    assert left[0].startswith(f".scan-{saves:09d}")
    assert_same_bits(fit(corpus, SETTINGS, checkpoint=place, resume=True), whole)
    assert [folder.name for folder in place.iterdir()] == ["scan-000000010"]


def test_of_two_saves_the_latest_whole_one_is_taken(corpus, whole, tmp_path, stopped):
    earlier = tmp_path / "earlier"
    fit(corpus, replace(SETTINGS, draws=1), checkpoint=earlier)
    shutil.copytree(earlier / "scan-000000005", stopped / "scan-000000005")
    assert module._latest_whole(stopped, lambda _: {}).meta["scan"] == 6
    (stopped / "scan-000000006" / "chain0.log_rates.npy").write_bytes(b"damaged")
    assert module._latest_whole(stopped, lambda _: {}).meta["scan"] == 5
    assert_same_bits(fit(corpus, SETTINGS, checkpoint=stopped, resume=True), whole)


def test_a_damaged_checkpoint_is_told(corpus, stopped):
    (stopped / "scan-000000006" / "chain0.log_rates.npy").write_bytes(b"damaged")
    with pytest.raises(FolderError, match=r"chain0\.log_rates\.npy: has 7 bytes, where"):
        fit(corpus, SETTINGS, checkpoint=stopped, resume=True)


def test_a_comparison_set_may_have_any_name(tmp_path):
    tree = TopicTree(["a/b", "ü:c", "d"], [None, None, None])
    corpus = small_corpus(tree)
    settings = replace(SETTINGS, compare=(("a/b", "ü:c"), 1))
    fit(corpus, settings, checkpoint=tmp_path / "c", progress=stop_at(6))
    resumed = fit(corpus, settings, checkpoint=tmp_path / "c", resume=True)
    assert list(resumed.exclusivity) == ["a/b,ü:c", "level-1"]
    assert_same_bits(resumed, fit(corpus, settings))
