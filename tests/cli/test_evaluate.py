"""`frex evaluate classification`: tables, a plot, and going on where it was stopped."""

import csv
import io
import json

import pytest

from frex import Corpus, read_corpus
from frex.evaluate import MEASURES
from frex.evaluate.classification import MODELS

WORDS = {"art": (9, 1, 0), "golf": (0, 9, 1), "chess": (1, 0, 9)}


@pytest.fixture
def corpus(tmp_path):
    labels = [topic for topic in WORDS for _ in range(15)]
    made = Corpus.from_matrices([WORDS[topic] for topic in labels], labels)
    made.write(tmp_path / "corpus")
    return tmp_path / "corpus"


def test_a_table_for_people(frex, corpus, tmp_path):
    plot = tmp_path / "plot.svg"
    options = ("--repeats", 2, "--threads", 1, "--plot", plot)
    result = frex("evaluate", "classification", corpus, *options)
    assert (result.code, result.err) == (0, "")
    assert result.out.split("\n")[0].split() == ["measure", "hpc", "svm", "logit", "llda"]
    assert "micro F1                   1.000 (0.000)" in result.out
    assert "micro precision" in plot.read_text(encoding="utf-8")


def test_tables_for_programs(frex, corpus, tmp_path):
    out = tmp_path / "rows.csv"
    options = (corpus, "--models", "svm, logit-both", "--repeats", 1, "--out", out, "--format")
    shown = frex("evaluate", "classification", *options, "csv").out
    rows = list(csv.DictReader(io.StringIO(shown)))
    assert len(rows) == 2 * len(MEASURES)
    assert rows[2] == {
        "model": "svm", "measure": "micro_f1", "mean": "1.0", "sd": "", "repeats": "1",
    }  # fmt: skip
    kept = out.read_bytes()
    again = json.loads(frex("evaluate", "classification", *options, "json").out)
    assert [row["mean"] for row in again] == [float(row["mean"]) for row in rows]
    markdown = frex("evaluate", "classification", *options, "markdown").out
    assert markdown.startswith("| measure | svm | logit-both |\n|---|---|---|\n")
    assert out.read_bytes() == kept  # all was known


def test_ctrl_c_keeps_what_is_known(frex, corpus, tmp_path, monkeypatch):
    def interrupted(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setitem(MODELS, "logit", interrupted)
    out = tmp_path / "rows.csv"
    options = ("evaluate", "classification", corpus, "--models", "svm,logit", "--repeats", 1)
    result = frex(*options, "--out", out)
    assert result.code == 130
    assert f"stopped after 1 of 2 rows. They are in {out}. The same command goes on" in result.err
    assert len(out.read_text(encoding="utf-8").splitlines()) == 2
    assert "Nothing is kept without --out" in frex(*options).err


def test_wrong_requests_are_told(frex, corpus, tmp_path):
    for options, complaint in [
        ((corpus, "--models", "svn"), "there is no model 'svn'. Choose among frex"),
        ((corpus, "--fractions", "0.5,half"), "--fractions is '0.5,half'"),
        ((corpus, "--fractions", "0.5,0.5"), "there are 2 fractions"),
        ((corpus, "--plot", tmp_path / "plot.doc"), ".png, .svg, .pdf"),
        ((corpus, "--models", "svm", "--out", tmp_path), "Name a file"),
        ((tmp_path / "none",), "does not exist"),
    ]:
        result = frex("evaluate", "classification", *options)
        assert (result.code, result.out) == (2, ""), result.err
        assert complaint in result.err


def test_a_split_comes_from_a_file_or_a_field(frex, corpus, tmp_path):
    file = tmp_path / "split.csv"
    ids = read_corpus(corpus).ids
    lines = [f"{name};{'test' if d % 3 else 'train'}" for d, name in enumerate(ids)]
    file.write_text("\n".join(["id;part", *lines]), encoding="utf-8")
    options = ("--models", "svm", "--threads", 1, "--bands", tmp_path / "bands.csv")
    plot = ("--bands-plot", tmp_path / "bands.svg")
    command = ("evaluate", "classification", corpus)
    result = frex(*command, "--split", file, *options, *plot)
    assert (result.code, result.err) == (0, "")
    assert "documents of the topic" in result.out
    assert "3 topics" in result.out
    assert "frequencies" in (tmp_path / "bands.svg").read_text(encoding="utf-8")
    for name, complaint in (
        ("nowhere", "no such file, and no such field"),
        (corpus / "manifest.json", "has no columns id and part"),
    ):
        refused = frex(*command, "--split", name, *options)
        assert refused.code == 2
        assert complaint in refused.err
    file.write_text("id,part\n1,train\n1,test\n", encoding="utf-8")
    assert "document '1' is in two parts" in frex(*command, "--split", file, *options).err
    both = frex(*command, "--split", file, "--fractions", "0.2,0.3,0.5")
    assert "both --split and --fractions" in both.err
