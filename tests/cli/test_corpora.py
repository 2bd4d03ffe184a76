import csv
import io
import json

import numpy as np
import pytest

from frex import read_corpus
from frex.model.truth import read_truth

TREE = "topic,parent,name\nsport,,All sport\ngolf,sport,Golf [the game]\nnews,,News\n"
DOCS = [
    {"id": "a", "text": "The golfer's golf ball was green", "labels": ["golf", "sport"]},
    {"id": "b", "text": "A vote is a vote; voters voted", "labels": ["news"]},
    {"id": "c", "text": "golf and votes", "labels": ["golf", "news"]},
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tree.csv").write_text(TREE)
    (tmp_path / "docs.jsonl").write_text("\n".join(json.dumps(d) for d in DOCS))
    return tmp_path


def test_prepare_and_describe(frex, files):
    made = frex("prepare", "docs.jsonl", "--tree", "tree.csv", "--out", "c", "--min-documents", 2)
    assert made.code == 0
    assert "3 documents, 2 words, 3 topics on 2 levels, 6 tokens" in made.out
    assert "1 label made redundant" in made.out
    corpus = read_corpus("c")
    assert corpus.words == ("golf", "vote")
    assert corpus.counts.toarray().tolist() == [[1, 0], [0, 3], [1, 1]]
    shown = frex("describe", "c").out
    assert "│   └── golf" in shown
    assert "Golf [the game]" in shown
    assert "all documents" in shown


def test_describe_for_programs(frex, files):
    frex("prepare", "docs.jsonl", "--tree", "tree.csv", "--out", "c", "--min-documents", 1)
    rows = list(csv.DictReader(io.StringIO(frex("describe", "c", "--format", "csv").out)))
    assert [row["topic"] for row in rows] == ["sport", "golf", "news", "ROOT"]
    assert rows[0]["mixed"] == ""
    table = json.loads(frex("describe", "c", "--format", "json").out)
    assert table[1] == {
        "topic": "golf", "title": "Golf [the game]", "level": 2, "documents": 2,
        "mixed": 0.5, "cross_1": 0.5, "cross_2": 0.0, "cross_3": 0.0,
    }  # fmt: skip
    assert "\n|---|---|---:|" in frex("describe", "c", "--format", "markdown").out


def test_prepare_from_standard_input_with_other_fields(frex, files, monkeypatch):
    line = json.dumps({"n": 7, "title": "Golf", "body": "golf", "kind": "golf"})
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line.encode())))
    result = frex(
        "prepare", "-", "--tree", "tree.csv", "--out", "c", "--id", "n", "--text", "title",
        "--text", "body", "--labels", "kind", "--min-documents", 1,
    )  # fmt: skip
    assert result.code == 0, result.err
    corpus = read_corpus("c")
    assert list(corpus.ids) == ["7"]
    assert corpus.counts.toarray().tolist() == [[2]]


def test_a_broken_line_is_named_or_skipped(frex, files):
    (files / "docs.jsonl").write_text(json.dumps(DOCS[0]) + "\nnonsense\n" + json.dumps(DOCS[1]))
    order = ("prepare", "docs.jsonl", "--tree", "tree.csv", "--out", "c", "--min-documents", 1)
    stopped = frex(*order)
    assert stopped.code == 2
    assert "docs.jsonl, line 2" in stopped.err
    assert not (files / "c").exists()
    skipped = frex(*order, "--on-error", "skip")
    assert skipped.code == 0
    assert "skipped docs.jsonl, line 2" in skipped.out
    assert len(read_corpus("c")) == 2


def test_options_reach_the_pipeline(frex, files):
    order = ("prepare", "docs.jsonl", "--tree", "tree.csv", "--min-documents", 1, "--out")
    frex(*order, "plain")
    frex(*order, "stopped", "--stop-words", "smart")
    (files / "mine.txt").write_text("golf\n")
    frex(*order, "mine", "--stop-words", "mine.txt", "--no-stem")
    frex(*order, "top", "--top", 1)
    frex(*order, "ancestors", "--keep-ancestors")
    assert "the" in read_corpus("plain").words
    assert "the" not in read_corpus("stopped").words
    assert "golf" not in read_corpus("mine").words
    assert "votes" in read_corpus("mine").words
    assert read_corpus("top").words == ("vote",)
    assert read_corpus("ancestors").labels.nnz == read_corpus("plain").labels.nnz + 1
    assert "mine2.txt" in frex(*order, "x", "--stop-words", "mine2.txt").err


def test_nothing_is_overwritten_unless_asked(frex, files):
    order = ("prepare", "docs.jsonl", "--tree", "tree.csv", "--min-documents", 1, "--out", "c")
    assert frex(*order).code == 0
    again = frex(*order)
    assert again.code == 2
    assert "--overwrite" in again.err
    assert frex(*order, "--overwrite").code == 0


def test_simulate(frex, files):
    order = ("simulate", "s", "--docs", 50, "--words", 20, "--branching", "2,2", "--seed", 3)
    assert frex(*order).code == 0
    corpus, truth = read_corpus("s/corpus"), read_truth("s/truth")
    assert (len(corpus), corpus.n_words, corpus.n_topics) == (50, 20, 6)
    assert truth.log_rates.shape == (20, 7)
    assert np.diff(corpus.labels.indptr).min() == 1  # each has a label, as a fit takes for given
    assert frex(*order, "--keep-unlabelled", "--overwrite").code == 0
    assert np.diff(read_corpus("s/corpus").labels.indptr).min() == 0
    assert len(read_corpus("s/corpus")) == 50
    assert frex("simulate", "s2", "--docs", 5, "--words", 9, "--tree", "tree.csv").code == 0
    assert read_corpus("s2/corpus").tree.topics == ("sport", "golf", "news")


def test_datasets_lists_and_writes_the_bundled_one(frex, files):
    assert "debtags" in frex("datasets").out
    result = frex("datasets", "debtags", "--out", "debtags")
    assert result.code == 0, result.err
    assert read_corpus("debtags").tree.levels.max() == 3
