"""`frex evaluate diversity`, `stability`, `coherence` and `intrusion`: tables, plots, going on."""

import csv
import io
import json

import numpy as np
import pytest

from frex import Corpus
from frex.evaluate.unsupervised import MODELS, Topics


@pytest.fixture
def calls(monkeypatch):
    """Put a model that knows the themes in the place of two real ones; return what it was asked."""
    made = []

    def themes(corpus, n_topics, **options):
        made.append((n_topics, options))
        counts = corpus.counts.toarray().astype(float)
        rows = np.array_split(np.arange(len(counts)), n_topics)
        rates = np.stack([counts[part].mean(axis=0) for part in rows]) + 0.01
        return Topics.of(rates / rates.sum(axis=1, keepdims=True))

    monkeypatch.setitem(MODELS, "pcm", themes)
    monkeypatch.setitem(MODELS, "lda", themes)
    return made


@pytest.fixture
def corpus(tmp_path):
    rng = np.random.default_rng(6)
    rates = np.full((4, 44), 0.05)
    for theme in range(4):
        rates[theme, 10 * theme : 10 * theme + 10] = 1.0
    rates[:, 40:] = 2.0
    counts = np.concatenate([rng.poisson(row, (20, 44)) for row in rates])
    made = Corpus.from_matrices(counts, words=[f"w{number}" for number in range(44)])
    made.write(tmp_path / "corpus")
    return tmp_path / "corpus"


@pytest.fixture
def evaluate(frex, corpus):
    def run(experiment, *options):
        return frex("evaluate", experiment, corpus, "--models", "pcm,lda", *options)

    return run


def test_diversity(evaluate, calls, tmp_path):
    out, plot = tmp_path / "rows.csv", tmp_path / "plot.svg"
    options = ("--topics", "2,4", "--words", "3,5", "--pcm", "draws=7,method=map", "--out", out)
    result = evaluate("diversity", *options, "--plot", plot)
    assert (result.code, result.err) == (0, "")
    lines = [line.split() for line in result.out.splitlines()]
    assert lines[0] == ["words", "strategy", "2", "topics", "4", "topics"]
    assert lines[1][:3] == ["3", "PCM", "FREX"]
    assert "Unique words" in plot.read_text(encoding="utf-8")
    assert calls[0] == (2, {"seed": 0, "threads": 0, "draws": 7, "method": "map"})
    again = evaluate("diversity", *options, "--format", "json")
    assert len(calls) == 4  # all was known
    shown = json.loads(again.out)
    assert len(shown) == 16
    assert shown[0].keys() == {"model", "topics", "seed", "ranking", "words", "unique"}
    assert "exists already" in evaluate("diversity", *options, "--plot", plot).err


def test_diversity_over_seeds(evaluate, calls, tmp_path):
    options = ("--topics", 4, "--words", 5, "--repeats", 3, "--out", tmp_path / "rows.csv")
    table = evaluate("diversity", *options, "--plot", tmp_path / "plot.svg").out
    assert [asked["seed"] for _, asked in calls] == [0, 0, 1, 1, 2, 2]
    assert "0.950 (0.950-0.950)" in table
    assert len(table.splitlines()) == 6  # the head, four strategies, the plot's file
    rows = json.loads(evaluate("diversity", *options, "--format", "json").out)
    assert [row["seed"] for row in rows[::4]] == [0, 1, 2]


def test_experiments_share_fits(evaluate, calls, tmp_path):
    fits, plot = tmp_path / "fits", tmp_path / "plot.svg"
    options = ("--topics", "2,4", "--fits", fits)
    for experiment in ("diversity", "coherence"):
        result = evaluate(experiment, *options, "--words", "5")
        assert (result.code, result.err) == (0, "")
    result = evaluate("stability", *options, "--plot", plot, "--format", "markdown")
    assert result.out.startswith("| measure | model | 2 topics | 4 topics |\n|---|")
    assert "| maximum exclusivity | PCM | +" in result.out or "| PCM | -" in result.out
    assert len(calls) == 4
    for n_topics in (2, 4):
        drawn = (tmp_path / f"plot-{n_topics}.svg").read_text(encoding="utf-8")
        assert f"Words of {n_topics} topics" in drawn


def test_coherence_with_references(evaluate, calls, corpus, tmp_path):
    options = ("--topics", 4, "--words", 5, "--fits", tmp_path / "fits", "--format", "csv")
    shown = evaluate("coherence", *options).out
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert list(rows[0]) == ["model", "topics", "ranking", "words", "npmi", "c_v"]
    assert evaluate("coherence", *options, "--reference", corpus).out == shown
    texts = tmp_path / "texts.jsonl"
    texts.write_text('{"text": "w1 w2 w3 w4 w5 w6"}\n{"text": "w11 w12 w13"}\n', encoding="utf-8")
    windows = evaluate("coherence", *options, "--reference", texts, "--window", 3)
    assert (windows.code, windows.err) == (0, "")
    assert windows.out != shown
    table = evaluate("coherence", *options[:-1], "table").out.splitlines()
    assert table[0].split() == ["measure", "words", "strategy", "4", "topics"]
    assert [line.split()[0] for line in table[1:]] == ["NPMI"] * 4 + ["C_V"] * 4


def test_intrusion(evaluate, calls, tmp_path):
    options = ("--topics", 4, "--fits", tmp_path / "fits")
    assert evaluate("intrusion", *options).out.startswith("strategy")
    file = tmp_path / "vectors.npz"
    vectors = np.repeat(np.eye(5)[:, :4], [10, 10, 10, 10, 4], axis=0) + 0.01
    np.savez(file, words=np.array([f"w{number}" for number in range(44)]), vectors=vectors)
    result = evaluate("intrusion", *options, "--vectors", file, "--format", "json")
    rows = json.loads(result.out)
    assert rows[0].keys() == {"model", "topics", "ranking", "accuracy", "low", "high"}
    assert rows[0]["accuracy"] > rows[1]["accuracy"]  # frequent words are those of all themes
    plot = tmp_path / "plot.png"
    assert evaluate("intrusion", *options, "--plot", plot).code == 0
    assert plot.stat().st_size > 1000


def test_ctrl_c_keeps_what_is_known(evaluate, calls, tmp_path, monkeypatch):
    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setitem(MODELS, "lda", interrupted)
    out = tmp_path / "rows.csv"
    options = ("diversity", "--topics", 4, "--words", 5)
    result = evaluate(*options, "--out", out)
    assert result.code == 130
    assert "stopped after 1 of 2 fits. The same command goes on." in result.err
    assert len(out.read_text(encoding="utf-8").splitlines()) == 3
    assert "Nothing is kept without --out or --fits." in evaluate(*options).err


def test_wrong_requests_are_told(evaluate, frex, corpus, tmp_path):
    for options, complaint in [
        (("diversity", "--models", "pmc"), "there is no model 'pmc'. Choose among pcm, lda"),
        (("diversity", "--topics", "ten"), "--topics is 'ten'"),
        (("diversity", "--topics", "1"), "a number of topics is 1"),
        (("diversity", "--words", "45"), "at most the corpus's 44"),
        (("diversity", "--pcm", "draws"), "--pcm has 'draws'"),
        (("diversity", "--plot", tmp_path / "plot.doc"), ".png, .svg, .pdf"),
        (("coherence", "--window", 10), "--window is for text"),
        (("coherence", "--reference", corpus, "--reference", "x.jsonl"), "2 references"),
        (("coherence", "--reference", tmp_path / "none.jsonl"), "none.jsonl"),
        (("intrusion", "--vectors", tmp_path / "none.txt"), "no such file"),
        (("intrusion", "--vectors", "x.txt", "--reference", corpus), "Name one of them"),
    ]:
        result = evaluate(*options)
        assert (result.code, result.out) == (2, ""), options
        assert complaint in result.err
