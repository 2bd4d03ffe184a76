import csv
import json
import signal
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frex import Corpus, TopicTree, read_corpus
from frex.errors import FrexError, InputError
from frex.text import (
    Analyzer,
    Document,
    Fields,
    VocabularyRule,
    batches,
    blocks,
    files,
    input_bytes,
    prepare,
    prepare_documents,
)
from frex.tree.records import TopicRecord

TREE = TopicTree(["sport", "golf", "news"], [None, "sport", None])
ALL = VocabularyRule()
WORDS = ["golf", "golfing", "vote", "Votes", "green", "café", "don't", "the", "2nd", "x86"]


def corpus_of(n, seed=0):
    """Make texts, labels and ids; the labels have redundant ancestors among them."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(WORDS, rng.integers(0, 12))) for _ in range(n)]
    choices = [["golf"], ["golf", "sport"], ["news"], ["news", "golf", "sport", "golf"], ["sport"]]
    labels = [choices[i] for i in rng.integers(0, len(choices), n)]
    return texts, labels, [f"d{i}" for i in range(n)]


def write_jsonl(path, records):
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    return path


def records_of(texts, labels, ids):
    return [{"id": i, "text": t, "labels": y} for i, t, y in zip(ids, texts, labels, strict=True)]


@pytest.fixture
def small_batches(monkeypatch):
    for module in (batches, blocks, files):
        monkeypatch.setattr(module, "BLOCK", 500)


def assert_same(one, other):
    for name in ("counts", "labels"):
        a, b = getattr(one, name), getattr(other, name)
        assert a.shape == b.shape
        np.testing.assert_array_equal(a.indptr, b.indptr)
        np.testing.assert_array_equal(a.indices, b.indices)
        np.testing.assert_array_equal(a.data, b.data)
    assert list(one.words) == list(other.words)
    assert list(one.surface) == list(other.surface)
    assert list(one.ids) == list(other.ids)
    assert one.tree == other.tree
    assert one.report == other.report
    assert one.analyzer == other.analyzer


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_a_prepared_corpus_is_that_of_the_same_texts_in_memory(tmp_path, jobs):
    texts, labels, ids = corpus_of(200)
    file = write_jsonl(tmp_path / "d.jsonl", records_of(texts, labels, ids))
    rule = VocabularyRule(top=6, min_documents=3)
    done = []
    report = prepare(file, TREE, tmp_path / "c", jobs=jobs, vocabulary=rule, progress=done.append)
    corpus = read_corpus(tmp_path / "c")
    assert_same(corpus, Corpus.from_texts(texts, labels, TREE, ids=ids, vocabulary=rule))
    assert sum(done) == input_bytes([file])
    assert len(done) > 4
    assert report.read == 200
    assert report.dropped == corpus.report
    assert set(report.dropped) == {"empty_documents", "redundant_ancestor_labels"}
    assert (report.documents, report.words, report.tokens) == (
        corpus.n_documents,
        corpus.n_words,
        corpus.n_tokens,
    )
    assert report.stems == len({s for text in texts for s in Analyzer().analyze(text)})
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_every_way_in_gives_the_same_corpus(tmp_path):
    texts, labels, ids = corpus_of(30)
    write_jsonl(tmp_path / "d.jsonl", records_of(texts, labels, ids))
    with (tmp_path / "d.csv").open("w", newline="", encoding="utf-8") as file:
        rows = zip(ids, texts, map("|".join, labels), strict=True)
        csv.writer(file).writerows([("id", "text", "labels"), *rows])
    expected = Corpus.from_texts(texts, labels, TREE, ids=ids)
    for name in ("d.jsonl", "d.csv"):
        prepare([tmp_path / name], TREE, tmp_path / "c", overwrite=True)
        assert_same(read_corpus(tmp_path / "c"), expected)
    made = (Document(*row) for row in zip(ids, texts, labels, strict=True))
    done = []
    prepare_documents(made, TREE, tmp_path / "c", overwrite=True, progress=done.append)
    assert_same(read_corpus(tmp_path / "c"), expected)
    assert done == [30]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("policy", ["best", "first"])
def test_several_parents_as_in_memory(tmp_path, policy, monkeypatch):
    monkeypatch.setattr("frex.text.spool.ROWS", 16)  # so that branches are put together
    topics = ["news", "sport", "golf", "golf", "vote", "vote"]
    tree = TopicTree(topics, [None, None, "news", "sport", None, "news"])
    texts, labels, ids = corpus_of(200)
    texts = [f"{text} {' '.join(kinds)}" for text, kinds in zip(texts, labels, strict=True)]
    file = write_jsonl(tmp_path / "d.jsonl", records_of(texts, labels, ids))
    report = prepare(file, tree, tmp_path / "c", vocabulary=ALL, several_parents=policy)
    made = read_corpus(tmp_path / "c")
    assert_same(
        made,
        Corpus.from_texts(texts, labels, tree, ids=ids, vocabulary=ALL, several_parents=policy),
    )
    taken, other = ("sport", "news") if policy == "best" else ("news", "sport")
    assert report.several_parents == {"golf": [taken, other], "vote": ["ROOT", "news"]}
    assert made.tree.names[made.tree.parents[made.tree.node("golf")]] == taken
    assert (made.tree == tree) is (policy == "first")


def test_several_parents_may_be_refused(tmp_path):
    tree = TopicTree(["a", "b", "c", "c"], [None, None, "a", "b"])
    with pytest.raises(InputError, match="'c' has several parents"):
        prepare([tmp_path / "none.jsonl"], tree, tmp_path / "c", several_parents="error")


def test_labels_by_another_name_of_a_topic(tmp_path):
    tree = TopicTree.from_records(
        [
            TopicRecord("1", None, aliases=("Golf", "Sport")),
            TopicRecord("2", None, aliases=("News", "Sport")),
        ]
    )
    records = [{"id": "a", "text": "golf vote", "labels": ["1", "Golf"]}]
    file = write_jsonl(
        tmp_path / "d.jsonl", [*records, {"text": "vote golf", "labels": ["News", "Law"]}]
    )
    prepare(file, tree, tmp_path / "c", unknown="drop")
    made = read_corpus(tmp_path / "c")
    assert [made.labels_of(d) for d in range(2)] == [("1",), ("2",)]
    assert made.report["unknown_labels"] == 1
    assert made.tree.aliases == tree.aliases
    shared = write_jsonl(
        tmp_path / "e.jsonl", [*records, {"id": "b", "text": "golf", "labels": ["Sport"]}]
    )
    for policy in ("error", "drop"):
        with pytest.raises(
            InputError, match="document 'b': the label 'Sport' may be any of 1, 2"
        ) as caught:
            prepare(shared, tree, tmp_path / "d", unknown=policy)
        assert caught.value.line == 2


def test_without_a_tree_labels_are_not_read(tmp_path):
    file = write_jsonl(tmp_path / "d.jsonl", [{"text": "oil oil corn", "labels": ["?"]}] * 2)
    prepare(file, None, tmp_path / "c")
    corpus = read_corpus(tmp_path / "c")
    assert corpus.tree is None
    assert corpus.words == ("corn", "oil")
    assert corpus.counts.toarray().tolist() == [[1, 2]] * 2
    assert list(corpus.ids) == [f"{file}:1", f"{file}:2"]


BROKEN = ["{", {"id": "d0", "text": "golf again", "labels": ["golf"]}, {"id": "n"}, "[]"]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("jobs", [1, 2])
def test_skipped_lines_are_counted_and_leave_no_trace(tmp_path, jobs):
    texts, labels, ids = corpus_of(100)
    good = records_of(texts, labels, ids)
    lines = [json.dumps(r) for r in good]
    for place, broken in zip((10, 40, 60, 90), BROKEN, strict=True):
        lines.insert(place, broken if isinstance(broken, str) else json.dumps(broken))
    file = tmp_path / "d.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    report = prepare(file, TREE, tmp_path / "c", on_error="skip", jobs=jobs, vocabulary=ALL)
    assert report.skipped == {
        "not valid JSON": 1,
        "repeated id": 1,
        "no text": 1,
        "not a JSON object": 1,
    }
    assert {message.split(": ")[0] for message in report.messages} == {
        f"{file}, line {n}" for n in (11, 41, 61, 91)
    }
    corpus = read_corpus(tmp_path / "c")
    assert corpus.report.pop("skipped_documents") == 4
    assert_same(corpus, Corpus.from_texts(texts, labels, TREE, ids=ids, vocabulary=ALL))


GOOD = [{"id": f"d{i}", "text": "golf green", "labels": ["golf"]} for i in range(40)]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("{", "line 31: not valid JSON: .* Write one JSON object a line."),
        ({"text": "golf", "labels": ["gulf"]}, r"line 31: .*'gulf' is not a topic.*golf"),
        ({"text": "golf", "labels": []}, "line 31: .*no label"),
        ({"id": "d3", "text": "golf", "labels": ["golf"]}, "line 31: repeated id.*line 4"),
        ({"id": "d29", "text": "golf", "labels": ["golf"]}, "line 31: repeated id.*line 30"),
    ],
)
def test_the_first_fault_stops_and_nothing_is_left_behind(tmp_path, record, message, jobs):
    lines = list(map(json.dumps, GOOD))
    lines[30:30] = [record if isinstance(record, str) else json.dumps(record), "later {"]
    folder = tmp_path / "out"
    file = tmp_path / "d.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError, match=message) as caught:
        prepare(file, TREE, folder / "c", jobs=jobs)
    assert caught.value.path == str(file)
    assert list(folder.iterdir()) == []


def test_policies(tmp_path):
    records = [
        *GOOD[:3],
        {"id": "u", "text": "rare rare", "labels": []},
        {"id": "x", "text": "golf", "labels": ["?", "??", "golf"]},
        {"id": "e", "text": "...", "labels": []},
    ]
    file = write_jsonl(tmp_path / "d.jsonl", records)

    def run(**options):
        prepare(file, TREE, tmp_path / "c", overwrite=True, vocabulary=ALL, **options)
        return read_corpus(tmp_path / "c")

    corpus = run(unlabelled="drop", unknown="drop")
    assert list(corpus.ids) == ["d0", "d1", "d2", "x"]
    assert corpus.words == ("golf", "green")  # no word is from a document that was dropped
    assert corpus.report == {"unlabelled_documents": 1, "unknown_labels": 2, "empty_documents": 1}
    corpus = run(unlabelled="keep", unknown="drop", empty="keep", ancestors="keep")
    assert list(corpus.ids) == ["d0", "d1", "d2", "u", "x", "e"]
    assert np.diff(corpus.labels.indptr).tolist() == [1, 1, 1, 0, 1, 0]
    with pytest.raises(InputError, match=r"line 6: document 'e' has no words"):
        run(unlabelled="keep", unknown="drop", empty="error")
    for policy in ("unlabelled", "empty", "unknown", "ancestors", "on_error"):
        with pytest.raises(InputError, match="not a choice"):
            run(**{policy: "perhaps"})
    with pytest.raises(InputError, match="-1 processes"):
        run(jobs=-1)


def test_repeated_ids_of_documents_that_have_no_place(tmp_path):
    made = [Document("one", "golf", ("golf",))] * 2
    with pytest.raises(InputError, match="'one' is also the id of an earlier document"):
        prepare_documents(made, TREE, tmp_path / "c")


def test_fields(tmp_path):
    record = {"nr": 5, "title": "Golf", "body": "green grass", "topics": "golf"}
    file = write_jsonl(tmp_path / "d.jsonl", [record])
    fields = Fields(id="nr", text=("title", "body"), labels="topics")
    prepare(file, TREE, tmp_path / "c", fields=fields, vocabulary=ALL)
    corpus = read_corpus(tmp_path / "c")
    assert (list(corpus.ids), corpus.words) == (["5"], ("golf", "grass", "green"))
    assert corpus.labels_of(0) == ("golf",)


def test_a_corpus_without_documents_or_words(tmp_path):
    for records, message in (
        ([], "no documents"),
        ([{"text": "a 1", "labels": "golf"}], "no text has a word in it.*--text"),
        (
            [{"text": "once", "labels": "golf"}],
            "none of 1 distinct words is in 2 documents or more",
        ),
    ):
        file = write_jsonl(tmp_path / "d.jsonl", records)
        with pytest.raises(InputError, match=message):
            prepare(file, TREE, tmp_path / "c", vocabulary=VocabularyRule(min_documents=2))
    assert [p.name for p in tmp_path.iterdir()] == ["d.jsonl"]


def test_an_existing_corpus_is_refused_before_any_work(tmp_path):
    file = write_jsonl(tmp_path / "d.jsonl", GOOD)
    prepare(file, TREE, tmp_path / "c")
    before = read_corpus(tmp_path / "c")
    with pytest.raises(InputError, match="exists already"):
        prepare(file, TREE, tmp_path / "c", progress=lambda _: pytest.fail("work was begun"))
    write_jsonl(file, [*GOOD, "no object"])
    with pytest.raises(InputError, match="not a JSON object"):
        prepare(file, TREE, tmp_path / "c", overwrite=True)
    assert_same(read_corpus(tmp_path / "c"), before)


KILLED = """
import os, signal, sys
from frex.text import Document, prepare_documents

def documents():
    for number in range(20_000):
        yield Document(id=str(number), text="golf vote", labels=())
    os.kill(os.getpid(), signal.SIGKILL)

prepare_documents(documents(), None, sys.argv[1], jobs=1)
"""


def test_the_next_run_removes_what_a_killed_one_left_and_not_what_another_uses(tmp_path):
    out = tmp_path / "corpus"
    killed = subprocess.run([sys.executable, "-c", KILLED, out], check=False)
    assert killed.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    assert left.suffix == ".spool"
    seen = []

    def documents(*, outer):
        for number in range(10):
            yield Document(id=str(number), text="golf vote", labels=())
        seen.append(sum(path.suffix == ".spool" for path in tmp_path.iterdir()))
        if outer:
            prepare_documents(documents(outer=False), None, out, jobs=1)

    prepare_documents(documents(outer=True), None, out, jobs=1, overwrite=True)
    assert seen == [1, 2]
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_a_place_that_cannot_be_written(tmp_path):
    file = write_jsonl(tmp_path / "d.jsonl", GOOD)
    with pytest.raises(FrexError, match="cannot be written"):
        prepare(file, TREE, file / "c")


TEXT = st.lists(st.sampled_from([*WORDS, "...", "\u0301"]), max_size=5).map(" ".join)
LABELS = st.lists(st.sampled_from(["golf", "sport", "news"]), max_size=3)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.lists(st.tuples(TEXT, LABELS), min_size=1, max_size=8),
    st.sampled_from(["keep", "drop"]),
    st.sampled_from(["keep", "drop"]),
)
def test_prepared_or_in_memory_makes_no_difference(tmp_path, documents, empty, unlabelled):
    texts, labels = zip(*documents, strict=True)
    ids = [f"d{i}" for i in range(len(texts))]
    made = [Document(*row) for row in zip(ids, texts, labels, strict=True)]
    options = {"vocabulary": ALL, "empty": empty, "unlabelled": unlabelled}
    try:
        prepare_documents(made, TREE, tmp_path / "c", overwrite=True, **options)
    except InputError as error:
        with pytest.raises(InputError):
            Corpus.from_texts(texts, labels, TREE, ids=ids, **options)
        assert "no text has a word" in str(error)
    else:
        expected = Corpus.from_texts(texts, labels, TREE, ids=ids, **options)
        assert_same(read_corpus(tmp_path / "c"), expected)


def test_what_is_dropped_in_memory_has_no_say_in_the_vocabulary():
    texts, labels = ["ball", "vote", "ball", ""], [["golf"], [], ["golf", "chess"], []]
    options = {"vocabulary": ALL, "unlabelled": "drop", "unknown": "drop", "empty": "keep"}
    corpus = Corpus.from_texts(texts, labels, TREE, ids=list("abcd"), **options)
    assert corpus.words == ("ball",)
    assert corpus.ids == ("a", "c", "d")
    assert corpus.report == {"unlabelled_documents": 1, "unknown_labels": 1}
    with pytest.raises(InputError, match="a single text"):
        Corpus.from_texts("ball", [["golf"]], TREE, unlabelled="drop")
    with pytest.raises(InputError, match="not text"):
        Corpus.from_texts(["ball", 7], [["golf"], []], TREE, unlabelled="drop")


def test_spaces_around_a_label_are_no_part_of_it_in_memory_either():
    for tree in (TREE, None):
        corpus = Corpus.from_texts(["ball", "ball"], [[" golf"], "golf "], tree, vocabulary=ALL)
        assert [corpus.labels_of(d) for d in (0, 1)] == [("golf",), ("golf",)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_known_of_documents_is_kept_for_any_number_of_processes(
    tmp_path, small_batches, jobs
):
    records = [
        {"id": i, "text": f"Title {i}\n\nvote golf green {i}", "title": f"Title {i}"}
        | ({"url": f"https://example.org/{i}"} if i % 3 else {})
        | ({"date": 1990 + i % 9, "by": f"é{i}"} if i > 100 else {})
        for i in range(200)
    ]
    records[7]["text"] = ""
    path = write_jsonl(tmp_path / "d.jsonl", records)
    report = prepare(
        path, None, tmp_path / "c", fields=Fields(keep=("by",)), jobs=jobs, keep_text=10
    )
    assert report.known == {"title": 200, "url": 133, "date": 99, "snippet": 199, "by": 99}
    corpus = read_corpus(tmp_path / "c")
    assert len(corpus) == 199
    for row, name in enumerate(corpus.ids):
        record = records[int(name)]
        expected = {"title": record["title"], "url": record.get("url"), "snippet": "vote golf"}
        expected |= {"date": str(record.get("date", "")), "by": record.get("by")}
        assert corpus.details.of(row) == {n: text for n, text in expected.items() if text}


def test_no_text_is_kept_unless_it_is_asked_for(tmp_path):
    path = write_jsonl(tmp_path / "d.jsonl", [{"text": "secret words", "by": "Ann"}] * 3)
    report = prepare(path, None, tmp_path / "c", jobs=1)
    assert report.known == {}
    assert not read_corpus(tmp_path / "c").details
    assert not any(b"Ann" in file.read_bytes() for file in (tmp_path / "c").iterdir())
    with pytest.raises(InputError, match="-1 characters"):
        prepare(path, None, tmp_path / "d", keep_text=-1)


def test_documents_of_other_readers_are_checked_too(tmp_path):
    documents = [Document(f"{i}", "vote golf", (), "f", i, {"date": "2019"}) for i in range(3)]
    prepare_documents(documents, None, tmp_path / "c", jobs=1)
    assert list(read_corpus(tmp_path / "c").details.columns["date"]) == ["2019"] * 3
    wrong = [documents[0]._replace(details={"date": "May"})]
    with pytest.raises(InputError, match=r"f, line 0|wrong date: 'May'"):
        prepare_documents(wrong, None, tmp_path / "d", jobs=1)


def test_a_table_has_the_columns_that_were_asked_for(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("id,text,Headline\n1,vote golf,A\n2,vote golf,B\n", encoding="utf-8")
    prepare(path, None, tmp_path / "c", fields=Fields(title="Headline"), jobs=1)
    assert list(read_corpus(tmp_path / "c").details.columns["title"]) == ["A", "B"]
    for fields in (Fields(title="head"), Fields(keep=("by",))):
        with pytest.raises(InputError, match=r"there is no column .*--keep, --title"):
            prepare(path, None, tmp_path / "d", fields=fields, jobs=1)
