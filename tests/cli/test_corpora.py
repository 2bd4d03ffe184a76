import csv
import gzip
import io
import json

import numpy as np
import pytest

from frex import Corpus, TopicTree, read_corpus
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


def test_one_level_is_no_levels(frex, tmp_path):
    made = frex("simulate", tmp_path / "s", "--docs", 3, "--words", 5, "--branching", "2")
    assert "2 topics on 1 level, " in made.out


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


def test_prepare_says_which_topics_have_several_parents(frex, files):
    (files / "tree.csv").write_text(TREE + "golf,news,Golf\n")
    order = ("prepare", "docs.jsonl", "--tree", "tree.csv", "--min-documents", 1, "--out")
    best = frex(*order, "c")
    assert "1 topic has several parents; the tree takes the one whose other documents" in best.out
    assert "golf Golf [the game]: under news News, also under sport All sport" in best.out
    assert read_corpus("c").labels_of(0) == ("golf",)
    first = frex(*order, "d", "--several-parents", "first")
    assert "the tree takes the first:" in first.out
    assert "golf Golf [the game]: under sport All sport, also under news News" in first.out
    shown = frex("describe", "d").out
    assert "1 topic with several parents" in shown
    refused = frex(*order, "e", "--several-parents", "error")
    assert refused.code == 2
    assert "tree.csv, line 5: topic 'golf' has several parents" in refused.err
    assert "--several-parents best" in refused.err


def test_prepare_names_a_few_of_many_topics_with_several_parents(frex, files):
    more = "".join(f"t{i},sport,\nt{i},news,\n" for i in range(9))
    (files / "tree.csv").write_text(TREE + more)
    order = ("prepare", "docs.jsonl", "--tree", "tree.csv", "--min-documents", 1, "--out", "c")
    shown = frex(*order).out
    assert "9 topics have several parents" in shown
    assert "t4: under sport All sport, also under news News\n  ... and 4 more\n" in shown


def test_prepare_reads_a_published_thesaurus(frex, files):
    pytest.importorskip("rdflib")
    turtle = """
        @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
        @prefix : <http://example.org/> .
        :1 a skos:Concept ; skos:prefLabel "Sport"@en, "Der Sport"@de .
        :2 skos:broader :1 ; skos:prefLabel "Golf"@en, "Das Golfspiel"@de .
    """
    (files / "tree.ttl.gz").write_bytes(gzip.compress(turtle.encode()))
    labels = ["http://example.org/2", "Das Golfspiel", "Sport"]
    docs = [{"text": "golf", "labels": [label]} for label in labels]
    (files / "docs.jsonl").write_text("\n".join(map(json.dumps, docs)))
    order = ("prepare", "docs.jsonl", "--tree", "tree.ttl.gz", "--names-language", "de", "--out")
    assert frex(*order, "c", "--min-documents", 1).code == 0
    corpus = read_corpus("c")
    assert [corpus.labels_of(d) for d in range(3)] == [("2",), ("2",), ("1",)]
    assert corpus.tree.titles[1:] == ("Der Sport", "Das Golfspiel")


def test_describe_for_programs(frex, files):
    frex("prepare", "docs.jsonl", "--tree", "tree.csv", "--out", "c", "--min-documents", 1)
    rows = list(csv.DictReader(io.StringIO(frex("describe", "c", "--format", "csv").out)))
    assert [row["topic"] for row in rows] == ["sport", "golf", "news", "ROOT"]
    assert rows[0]["mixed"] == ""
    table = json.loads(frex("describe", "c", "--format", "json").out)
    assert table[1] == {
        "topic": "golf", "title": "Golf [the game]", "level": 2, "documents": 2, "below": 2,
        "mixed": 0.5, "cross_1": 0.5, "cross_2": 0.0, "note": "few documents",
    }  # fmt: skip
    assert "\n|---|---|---:|" in frex("describe", "c", "--format", "markdown").out


def test_describe_flags_topics_of_which_little_can_be_known(frex, tmp_path):
    tree = TopicTree(
        ["sport", "golf", "chess", "law", "civil", "art"],
        [None, "sport", "sport", None, "law", None],
    )
    labels = [["golf"]] * 5 + [["sport"]] + [["art"]] * 4
    Corpus.from_matrices(np.ones((10, 2), int), labels, tree=tree).write(tmp_path / "c")
    shown = frex("describe", tmp_path / "c").out
    assert "3 of 6 topics have no documents, of their own or below them: chess, law, civil" in shown
    assert "1 of 6 topics has fewer than 5 documents, their own and those below: art" in shown
    marked = [
        line.split()[-2:] for line in shown.splitlines() if line.strip().endswith("documents")
    ]
    assert sorted(marked) == [["few", "documents"]] + [["no", "documents"]] * 3
    assert "cross_2" in shown
    assert "cross_3" not in shown
    flat = Corpus.from_matrices([[1]], [["a"]], tree=TopicTree(["a"], [None]))
    flat.write(tmp_path / "flat")
    assert "cross_2" not in frex("describe", tmp_path / "flat").out
    many = TopicTree([f"t{n}" for n in range(9)], [None] * 9)
    Corpus.from_matrices([[1]], [["t8"]], tree=many).write(tmp_path / "many")
    assert "t0, t1, t2, t3, t4 and 3 more. A fit leaves" in frex("describe", tmp_path / "many").out


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


def test_datasets_take_the_options_of_vocabulary_and_topics(frex, files):
    options = ("--top-share", 0.05, "--without", "mail::filters", "--out", "small")
    result = frex("datasets", "debtags", *options)
    assert result.code == 0, result.err
    corpus = read_corpus("small")
    assert corpus.n_words == int(0.05 * 2959)
    assert "mail::filters" not in corpus.tree
    for wrong, message in (
        (("--without", "mail"), "topic mail cannot be left out"),
        (("--without", "nothing"), "there is no topic 'nothing'"),
        (("--stop-words", "smart"), "comes as counts"),
        (("--drop-proper-nouns",), "comes as counts"),
        (("--labels", "taxonomic"), "has no labels called"),
    ):
        result = frex("datasets", "debtags", *wrong, "--out", "wrong")
        assert result.code == 2
        assert message in result.err


def test_documents_typed_by_hand(frex, files):
    (files / "docs.csv").write_text(
        "ID;Title;Link;Date;Labels;Text\n1;Öl;https://example.org/1;2019-03-04;golf;golf ball\n"
        "2;Two;;2019;news;golf vote\n",
        encoding="utf-8-sig",
    )
    order = ("prepare", "docs.csv", "--tree", "tree.csv", "--out", "c", "--min-documents", 1)
    made = frex(*order, "--url", "Link", "--keep-text", 5)
    shown = "title of 2, url of 1, date of 2, snippet of 2"
    assert f"kept to be shown of 2 documents: {shown}" in made.out
    assert (
        "words of titles are not counted; if they should be: --text title --text text" in made.out
    )
    both = frex(*order, "--overwrite", "--text", "title", "--text", "text")
    assert "words of titles" not in both.out
    made = frex(*order, "--overwrite", "--url", "Link", "--keep-text", 5)
    details = read_corpus("c").details
    assert details.of(0) == {
        "title": "Öl", "url": "https://example.org/1", "date": "2019-03-04", "snippet": "golf",
    }  # fmt: skip
    refused = frex(*order, "--overwrite", "--keep", "author")
    assert refused.code == 2
    assert "no column 'author'" in refused.err
    lines = frex("prepare", "docs.jsonl", "--out", "d", "--keep", "author")
    assert "no document has anything in the field 'author'" in lines.out


def test_a_language_that_there_is_not_is_refused_with_those_that_there_are(frex, files):
    made = frex("prepare", "docs.jsonl", "--out", "c", "--language", "German")
    assert made.code == 0
    assert read_corpus("c").analyzer["language"] == "german"
    refused = frex("prepare", "docs.jsonl", "--out", "d", "--language", "Deutsch")
    assert refused.code == 2
    assert "german" in refused.err


def test_what_is_offered_is_taken(frex, files):
    refused = frex("prepare", "docs.jsonl", "--tree", "tree.csv", "--out", "c", "--unknown", "keep")
    assert refused.code == 2
    lines = " ".join(refused.err.replace("│", "").split())
    assert "Invalid value for '--unknown': 'keep' is not one of 'error', 'drop'" in lines
    assert "Unlabelled" not in refused.err
    shown = " ".join(frex("prepare", "--help").out.replace("│", "").split())
    assert "Leave out English proper nouns. Needs frex[tagger]." in shown


def test_errors_name_the_option_that_helps(frex, files):
    order = ("prepare", "docs.jsonl", "--tree", "tree.csv", "--out", "c")
    none = frex(*order, "--min-documents", 99).err
    assert "is in 99 documents or more" in none
    assert "--min-documents" in none
    assert "VocabularyRule(share" not in none
    records = [DOCS[0] | {"labels": ["All"]}, {"id": "x", "text": "golf"}]
    for record, option in zip(records, ("--unknown drop", "--unlabelled drop"), strict=True):
        (files / "docs.jsonl").write_text(json.dumps(record))
        refused = frex(*order)
        assert refused.code == 2
        assert option in refused.err


def test_a_tree_of_two_levels_has_no_column_of_a_third(frex, files):
    frex("prepare", "docs.jsonl", "--tree", "tree.csv", "--out", "c", "--min-documents", 1)
    shown = frex("describe", "c").out
    assert "cross_2" in shown
    assert "cross_3" not in shown


def test_a_newcomers_first_slips_are_told_with_what_helps(frex, files):
    (files / "titel.csv").write_text("id;Über;text\n1;golf;golf ball\n", encoding="utf-8")
    order = ("prepare", "titel.csv", "--out", "c", "--min-documents", "1")
    assert "the columns are 'id', 'Über', 'text'. Name one of them: --labels" in (
        frex(*order, "--tree", "tree.csv").err
    )
    assert "no labels were read, for there is no --tree" in frex(*order).out
    (files / "texts" / "golf").mkdir(parents=True)
    for name in ("a.txt", "golf/b.txt"):
        (files / "texts" / name).write_text("golf ball")
    lonely = frex("prepare", "texts", "--tree", "tree.csv", "--out", "d").err
    assert "a.txt" in lonely
    assert "Put the file into a subfolder" in lonely
    assert "make one: frex prepare DOCS" in frex("fit", "texts", "--out", "f").err
    assert "which frex fit CORPUS --out FIT makes" in frex("top", "c").err
