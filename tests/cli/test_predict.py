"""`frex predict`: from documents to labels, and no traceback on the way."""

import json
import signal
from dataclasses import replace

import pytest

from frex import Corpus, read_corpus
from frex.posterior import read_posterior
from frex.predict import stream
from frex.text import Analyzer
from frex.text.record import analyzer_record

TEXTS = {
    "sport": "goals and kicks, a referee with a whistle; the goal of the team",
    "art": "painting a portrait in oil, the painter's brush and canvas",
    "music": "an orchestra with violins plays the symphony, violin and harp",
}


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture
def fit(frex, tmp_path):
    """Return the folder of a fit of three topics that anybody can tell apart."""
    texts = [f"{text} {n}" for text in TEXTS.values() for n in range(12)]
    labels = [[topic] for topic in TEXTS for _ in range(12)]
    Corpus.from_texts(texts, labels).write(tmp_path / "corpus")
    made = frex(
        "fit", tmp_path / "corpus", "--out", tmp_path / "fit", "--method", "map", "--threads", 1
    )
    assert made.code == 0
    return tmp_path / "fit"


@pytest.fixture
def docs(tmp_path):
    path = tmp_path / "docs.jsonl"
    texts = ["A goal! The referee whistled.", "", "brushes, paintings, portraits", "xyzzy"]
    records = [{"id": f"d{n}", "text": text} for n, text in enumerate(texts)]
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return path


def test_columns_of_any_name_hold_titles_and_addresses(frex, fit, tmp_path):
    (tmp_path / "neu.csv").write_text(
        "Nr;Titel;Adresse;Inhalt\n1;Tor;https://example.org/1;A goal!\n", encoding="utf-8"
    )
    names = ("--id", "Nr", "--title", "Titel", "--url", "Adresse", "--text", "Inhalt")
    out = tmp_path / "labels.jsonl"
    assert frex("predict", fit, tmp_path / "neu.csv", "--out", out, *names).code == 0
    (made,) = lines(out)
    assert [made[key] for key in ("id", "title", "url")] == ["1", "Tor", "https://example.org/1"]


def test_texts_are_labelled_and_explained(frex, fit, docs, tmp_path):
    out = tmp_path / "labels.jsonl"
    result = frex("predict", fit, docs, "--out", out, "--explain", "--threads", 1)
    assert (result.code, result.err) == (0, "")
    assert f"{out}: 4 documents, 0.50 labels a document" in result.out
    assert "2 without a word of the fit's vocabulary: no labels" in result.out
    made = lines(out)
    assert [record["id"] for record in made] == ["d0", "d1", "d2", "d3"]
    assert [record["labels"] for record in made] == [["sport"], [], ["art"], []]
    assert {word for word, _ in made[0]["words"]["sport"]["for"]} >= {"referee", "whistle"}
    # what was made can be read again as documents' labels
    refused = frex("predict", fit, docs, "--out", out)
    assert refused.code == 2
    assert "exists already" in refused.err
    assert lines(out) == made


def test_text_is_read_as_that_of_the_fit_was(frex, fit, docs, tmp_path):
    """Words that were split at white space are not lower-cased, nor rid of a comma."""
    told = replace(read_posterior(fit), analyzer=analyzer_record(Analyzer(tokens="whitespace")))
    told.write(tmp_path / "told")
    out = tmp_path / "labels.jsonl"
    assert frex("predict", tmp_path / "told", docs, "-o", out, "--jobs", 1).code == 0
    # "A goal! The referee whistled." has one known word then, and "brushes, ..." the last of three
    assert [record["tokens"] for record in lines(out)] == [1, 0, 1, 0]
    strange = replace(told, analyzer={"python": "own.Analyzer"})
    strange.write(tmp_path / "strange")
    refused = frex("predict", tmp_path / "strange", docs, "-o", tmp_path / "none.jsonl")
    assert refused.code == 2
    assert "made by own.Analyzer" in refused.err


def test_the_fields_of_the_text_are_those_of_the_corpus(frex, tmp_path):
    records = [
        {"id": f"{topic}{n}", "title": text, "text": str(n), "labels": [topic]}
        for topic, text in TEXTS.items()
        for n in range(12)
    ]
    docs, corpus, fit = tmp_path / "d.jsonl", tmp_path / "c", tmp_path / "f"
    docs.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    (tmp_path / "t.csv").write_text("topic\n" + "\n".join(TEXTS), encoding="utf-8")
    both = ("--text", "title", "--text", "text")
    made = frex("prepare", docs, "--tree", tmp_path / "t.csv", "--out", corpus, *both)
    assert made.code == 0
    assert read_corpus(corpus).analyzer["fields"] == ["title", "text"]
    assert frex("fit", corpus, "--out", fit, "--method", "map", "--threads", 1).code == 0
    assert frex("predict", fit, docs, "--out", tmp_path / "l.jsonl").code == 0
    found = [record["labels"] for record in lines(tmp_path / "l.jsonl")]
    assert found == [record["labels"] for record in records]
    assert frex("predict", fit, docs, "--out", tmp_path / "m.jsonl", "--text", "text").code == 0
    assert all(record["tokens"] == 0 for record in lines(tmp_path / "m.jsonl"))


def test_a_calibration_is_learned_kept_and_used_again(frex, fit, docs, tmp_path):
    first, second, place = tmp_path / "1.jsonl", tmp_path / "2.jsonl", tmp_path / "calibration"
    learn = (
        "--calibrate",
        tmp_path / "corpus",
        "--calibration",
        place,
        "--thresholds",
        "per-topic",
    )
    assert frex("predict", fit, docs, "-o", first, *learn, "--criterion", "macro").code == 0
    assert frex("predict", fit, docs, "-o", second, "--calibration", place).code == 0
    assert lines(first) == lines(second)
    assert [record["labels"] for record in lines(first)] == [["sport"], [], ["art"], []]


def test_a_corpus_folder_may_have_its_words_in_another_order(frex, fit, tmp_path):
    corpus = read_corpus(tmp_path / "corpus")
    shuffled = Corpus.from_matrices(
        corpus.counts[:, ::-1].toarray(), words=corpus.words[::-1], ids=list(corpus.ids)
    )
    shuffled.write(tmp_path / "shuffled")
    for name in ("corpus", "shuffled"):
        out = tmp_path / f"{name}.jsonl"
        assert frex("predict", fit, tmp_path / name, "--out", out).code == 0
    known = [list(corpus.labels_of(d)) for d in range(len(corpus))]
    for name in ("corpus", "shuffled"):
        assert [record["labels"] for record in lines(tmp_path / f"{name}.jsonl")] == known


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ('{"id": 1, "text": "a goal"}\n{"id": 2', "docs.jsonl, line 2: not valid JSON"),
        ('{"id": 1, "body": "a goal"}', "docs.jsonl, line 1: no text: there is no field 'text'"),
        ("", "there are no documents"),
    ],
)
def test_bad_documents_leave_no_file(frex, fit, tmp_path, content, complaint):
    docs = tmp_path / "docs.jsonl"
    docs.write_text(content, encoding="utf-8")
    before = set(tmp_path.iterdir())
    result = frex("predict", fit, docs, "--out", tmp_path / "labels.jsonl")
    assert result.code == 2
    assert complaint in result.err
    assert set(tmp_path.iterdir()) == before


def test_bad_options_are_told(frex, fit, docs, tmp_path):
    out = tmp_path / "labels.jsonl"
    for arguments, complaint in [
        ((tmp_path / "corpus", docs, "-o", out), "not a frex-fit one"),
        ((fit, docs, "-o", tmp_path / "labels.txt"), "Let it end in .jsonl"),
        ((fit, docs, "-o", out, "--calibration", tmp_path / "none"), "does not exist"),
        ((fit, tmp_path / "none.jsonl", "-o", out), "does not exist"),
        ((fit, docs, "-o", out, "--thresholds", "per-topic"), "--thresholds has no effect"),
        ((fit, tmp_path / "corpus", "-o", out, "--no-stem"), "--stem has no effect"),
    ]:
        result = frex("predict", *arguments)
        assert result.code == 2
        assert complaint in result.err
        assert not out.exists()


def test_ctrl_c_leaves_nothing_behind(frex, fit, docs, tmp_path, monkeypatch):
    def interrupted(*_args, **_options):
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(stream, "predict", interrupted)
    before = set(tmp_path.iterdir())
    result = frex("predict", fit, docs, "--out", tmp_path / "labels.jsonl")
    assert result.code == 130
    assert "stopped after 0 documents" in result.err
    assert set(tmp_path.iterdir()) == before
