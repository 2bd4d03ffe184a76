import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest
from bits import assert_same_bits, small_corpus, stop_at

from frex.cli.typed import comparisons
from frex.corpus import Corpus, read_corpus
from frex.model import branching_tree
from frex.posterior import diagnose, read_posterior
from frex.predict import calibration_of
from frex.progress import show_progress
from frex.sampler.run import Status
from frex.tree import TopicTree

TREE = branching_tree([2, 2])
FEW = ("--warmup", 10, "--draws", 8, "--threads", 1, "--no-calibrate")
"""Only the first test calibrates, which takes longer than such a fit."""


@pytest.fixture
def corpus(tmp_path):
    """Return the folder of a small corpus."""
    small_corpus(TREE).write(tmp_path / "corpus")
    return tmp_path / "corpus"


@pytest.fixture
def press_ctrl_c(monkeypatch):
    """Return a function that has Ctrl-C pressed during a scan."""

    def during(scan):
        @contextmanager
        def show():
            yield stop_at(scan)

        monkeypatch.setattr("frex.progress.show_progress", show)

    return during


def test_fit_and_diagnose(frex, corpus, tmp_path):
    out = tmp_path / "fit"
    word = read_corpus(corpus).words[3]
    options = ("--trace", word, "--compare", "all", "--compare", "t1,t2", "--priors", "paper")
    result = frex("fit", corpus, "--out", out, *FEW, *options, "--seed", 4, "--calibrate")
    assert result.code == 0
    assert calibration_of(out) is not None
    assert "25 words, 6 topics; 2 chains of 8 draws after 10 scans of warm-up" in result.out
    assert "worst: R-hat " in result.out
    assert diagnose(read_posterior(out)).trust.sentence in result.out
    then = f"frex diagnose {out}; frex top {out}; frex report {out} --out PAGE.html"
    assert result.out.endswith(f"Next: {then}\n")
    assert result.err == ""
    posterior = read_posterior(out)
    assert list(posterior.exclusivity) == ["all", "t1,t2"]
    assert {(3, node) for node in range(7)} <= set(map(tuple, posterior.traced_rates.tolist()))
    assert posterior.settings["priors"] == "paper"
    assert posterior.settings["seed"] == 4

    shown = frex("diagnose", out)
    assert shown.code == 0
    for part in ("affinity_variance", "bulk, tail: ", "block", "Problems", "frex fit ... --"):
        assert part in shown.out
    assert "HPC(" not in result.out + shown.out  # a shell gets commands


def test_a_map_fit_says_that_it_has_no_draws(frex, corpus, tmp_path):
    options = ("--method", "map", "--threads", 1, "--no-calibrate")
    result = frex("fit", corpus, "--out", tmp_path / "fit", *options)
    assert result.code == 0
    assert "This is a MAP fit" in result.out
    assert not (tmp_path / "fit.checkpoint").exists()


def test_a_fit_is_not_replaced_unasked(frex, corpus, tmp_path):
    out = tmp_path / "fit"
    fit = ("fit", corpus, "--out", out, *FEW)
    assert frex(*fit).code == 0
    made = (out / "manifest.json").read_bytes()
    refused = frex(*fit)
    assert (refused.code, refused.out) == (2, "")
    assert "exists already" in refused.err
    assert (out / "manifest.json").read_bytes() == made
    assert frex(*fit, "--seed", 1, "--overwrite").code == 0
    assert read_posterior(out).settings["seed"] == 1


def test_a_finished_fit_is_made_longer(frex, corpus, tmp_path):
    short, long = tmp_path / "short", tmp_path / "long"
    assert frex("fit", corpus, "--out", short, *FEW, "--draws", 3).code == 0
    assert frex("fit", corpus, "--out", short, *FEW, "--resume").code == 0
    assert frex("fit", corpus, "--out", long, *FEW).code == 0
    assert_same_bits(read_posterior(short), read_posterior(long))


def test_ctrl_c_while_drawing_leaves_a_fit_that_can_go_on(frex, corpus, tmp_path, press_ctrl_c):
    out = tmp_path / "fit"
    press_ctrl_c(15)
    result = frex("fit", corpus, "--out", out, *FEW)
    assert result.code == 130
    stopped = f"stopped after 5 draws of each chain; {out} holds those. Go on with --resume."
    assert stopped in result.err
    posterior = read_posterior(out)
    assert (posterior.n_draws, posterior.complete) == (5, False)
    assert "The run was stopped after 5 of 8 draws" in frex("diagnose", out).out

    press_ctrl_c(None)
    assert frex("fit", corpus, "--out", out, *FEW, "--resume").code == 0
    assert frex("fit", corpus, "--out", tmp_path / "whole", *FEW).code == 0
    assert_same_bits(read_posterior(out), read_posterior(tmp_path / "whole"))


def test_ctrl_c_during_the_warm_up_leaves_a_checkpoint(frex, corpus, tmp_path, press_ctrl_c):
    out = tmp_path / "fit"
    press_ctrl_c(7)
    result = frex("fit", corpus, "--out", out, *FEW)
    assert result.code == 130
    assert (
        "stopped during the warm-up, so there are no draws yet. Go on with --resume" in result.err
    )
    assert not out.exists()

    press_ctrl_c(None)
    forgot = frex("fit", corpus, "--out", out, *FEW)
    assert forgot.code == 2
    assert "fit.checkpoint: holds a run that can be resumed" in forgot.err
    assert frex("fit", corpus, "--out", out, *FEW, "--resume").code == 0
    assert read_posterior(out).complete


def test_kill_and_resume_give_the_bits_of_a_run_that_was_left_alone(frex, corpus, tmp_path):
    out, place = tmp_path / "fit", tmp_path / "fit.checkpoint"
    options = ("--warmup", "10", "--threads", "1", "--no-calibrate")
    program = [sys.executable, "-c", "from frex.cli import main; main()"]
    endless = ("--draws", "100000", "--checkpoint-seconds", "0")
    arguments = ["fit", corpus, "--out", out, *options, *endless]
    killed = subprocess.Popen([*program, *map(str, arguments)])
    try:
        while _saved(place) < 13:
            assert killed.poll() is None
            time.sleep(0.005)
    finally:
        killed.kill()
    assert killed.wait() == -signal.SIGKILL
    draws = ("--draws", _saved(place) + 5)
    assert frex("fit", corpus, "--out", out, *options, *draws, "--resume").code == 0
    assert frex("fit", corpus, "--out", tmp_path / "whole", *options, *draws).code == 0
    assert_same_bits(read_posterior(out), read_posterior(tmp_path / "whole"))


def _saved(place):
    """Return the scan at which a run was last saved."""
    return max((int(folder.name.split("-")[1]) for folder in place.glob("scan-*")), default=0)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--resume",), "there is no checkpoint to resume from"),
        (("--resume", "--method", "map"), "there is no checkpoint to resume from"),
        (("--compare", "t1,t9"), "there is no topic 't9' in the tree"),
        (("--compare", "7"), "7"),
        (("--trace", "nonsense"), "the word 'nonsense' is not in the vocabulary"),
        (("--threads", "99"), "99 threads were asked for"),
        (("--draws", "0"), "greater than or equal to 1"),
        (("--curvature", "flat"), "'flat'"),
    ],
)
def test_a_wrong_option_is_told_before_the_run(frex, corpus, tmp_path, options, complaint):
    result = frex("fit", corpus, "--out", tmp_path / "fit", *FEW, *options)
    assert result.code == 2
    assert complaint in re.sub(r"[\s│]+", " ", result.err)
    assert "Traceback" not in result.err
    assert not (tmp_path / "fit").exists()


@pytest.mark.parametrize(
    ("labels", "complaint"),
    [(None, "the corpus has no labels"), ([["t1"], [], ["t2"]], "'d1' has words and no label")],
)
def test_a_corpus_that_cannot_be_fitted_is_told(frex, tmp_path, labels, complaint):
    tree = None if labels is None else TREE
    corpus = Corpus.from_matrices([[1, 2]] * 3, labels, tree=tree, unlabelled="keep")
    corpus.write(tmp_path / "corpus")
    result = frex("fit", tmp_path / "corpus", "--out", tmp_path / "fit")
    assert result.code == 2
    assert complaint in result.err


def test_a_resume_that_does_not_fit_is_told(frex, corpus, tmp_path):
    out = tmp_path / "fit"
    assert frex("fit", corpus, "--out", out, *FEW).code == 0
    other = frex("fit", corpus, "--out", out, *FEW, "--resume", "--seed", 5)
    assert other.code == 2
    assert "had seed = 0, not 5" in other.err
    for folder in (tmp_path / "fit.checkpoint").iterdir():
        (folder / "chain1.log_rates.npy").unlink()
    damaged = frex("fit", corpus, "--out", out, *FEW, "--resume")
    assert damaged.code == 2
    assert "chain1.log_rates.npy: is missing" in damaged.err
    assert read_posterior(out).complete  # and the fit is as it was


def test_what_is_not_a_fit_is_told(frex, corpus, tmp_path):
    for place in (corpus, tmp_path / "nowhere"):
        result = frex("diagnose", place)
        assert result.code == 2
        assert str(place) in result.err


def test_comparison_sets_as_they_are_typed():
    tree = TopicTree(["golf", "chess", "12", "oil, gas"], [None] * 4)
    typed = ["siblings", "all", "2", "golf, chess", "golf", "12", "oil, gas"]
    read = ("siblings", "all", 2, ("golf", "chess"), ("golf",), ("12",), ("oil, gas",))
    assert comparisons(typed, tree) == read


def test_the_bar_shows_phase_rate_and_acceptance(monkeypatch, capsys):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "160")
    with show_progress() as show:
        show(Status("start", 3, 12, {}))
        for scan in (40, 41, 42):  # a run that was resumed
            show(Status("drawing", scan, 100, {"rates": 0.913, "dispersion_hyper": 1.0}))
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", capsys.readouterr().err)
    assert "drawing" in shown
    assert "42/100" in re.sub(r"\s*/", "/", shown)
    assert "accepted 91-100 %" in shown
