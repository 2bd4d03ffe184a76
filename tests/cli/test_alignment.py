"""`frex evaluate alignment` and `nonsense`."""

import json

import numpy as np
import pytest

from frex import HPC
from frex.corpus import read_corpus
from frex.evaluate.unsupervised import MODELS, Topics


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    from frex.model import branching_tree, simulate  # noqa: PLC0415

    place = tmp_path_factory.mktemp("aligned")
    corpus, _ = simulate(
        branching_tree([3]), 400, 60, rates="zipf", mean_length=60, unlabelled="redraw",
        drop_empty=True, seed=1,
    )  # fmt: skip
    corpus.write(place / "corpus")
    HPC(method="map").fit(corpus).posterior_.write(place / "fit")
    return place


def test_alignment(frex, folder, tmp_path):
    fit = folder / "fit"
    result = frex("evaluate", "alignment", fit, f"self={fit}", "--plot", tmp_path / "curve.svg")
    assert (result.code, result.err) == (0, "")
    head, line, *_ = [row.split() for row in result.out.splitlines()]
    assert head[:5] == ["model", "words", "topics", "resolved", "split"]
    assert line[0] == "self"
    assert line[2:6] == ["(100%)", "3", "3", "0"]
    assert "Coverage" in (tmp_path / "curve.svg").read_text(encoding="utf-8")
    for show, n in (("topics", 6), ("nodes", 6), ("coverage", 202), ("models", 2)):
        shown = frex(
            "evaluate", "alignment", fit, f"a={fit}", f"b={fit}", "--show", show, "--format", "json"
        )
        assert len(json.loads(shown.out)) == n
    table = frex("evaluate", "alignment", fit, fit, "--show", "nodes")
    assert "resolved" in table.out


def test_what_is_wrong_is_said(frex, folder):
    fit = folder / "fit"
    twice = frex("evaluate", "alignment", fit, f"a={fit}", f"a={fit}")
    assert twice.code == 2
    assert "two models called 'a'" in twice.err
    assert frex("evaluate", "alignment", fit, "nowhere.csv").code == 2


def test_nonsense(frex, folder, monkeypatch, tmp_path):
    corpus = read_corpus(folder / "corpus")

    def shuffled(corpus, n_topics, **options):
        rng = np.random.default_rng(n_topics)
        return Topics.of(rng.dirichlet(np.full(corpus.n_words, 0.05), n_topics))

    def true(corpus, n_topics, **options):
        counts = (corpus.labels.T.astype(float) @ corpus.counts).toarray()
        return Topics.of(counts / counts.sum(axis=1, keepdims=True))

    monkeypatch.setitem(MODELS, "pcm", true)
    monkeypatch.setitem(MODELS, "lda", shuffled)
    out = tmp_path / "rows.csv"
    wanted = ("evaluate", "nonsense", folder / "fit", folder / "corpus", "--models", "pcm,lda",
              "--topics", str(corpus.n_topics), "--out", out)  # fmt: skip
    shown = frex(*wanted)
    assert (shown.code, shown.err) == (0, "")
    assert "0 junk, 0 nodes missing" in shown.out
    assert "3 junk" in shown.out
    rows = json.loads(frex(*wanted, "--format", "json").out)
    assert [row["topics_junk"] for row in rows] == [0, 3]
