"""Corrections of labels: read from a review's file, and brought to a corpus or to documents."""

import json

import numpy as np
import pytest

from frex import Corpus, TopicTree, read_corpus
from frex.corpus import Correction, Corrections, read_corrections
from frex.errors import InputError
from frex.text import prepare

TREE = TopicTree(["trade", "metal", "grain", "sport"], [None, "trade", "trade", None])
TEXTS = ["gold and silver", "wheat and corn", "gold and wheat", "a ball and a goal"]
LABELS = [["metal"], ["metal", "grain"], ["trade"], ["sport"]]


@pytest.fixture
def corpus():
    return Corpus.from_texts(TEXTS, LABELS, TREE, ids=["a", "b", "c", "d"])


def write(path, *records):
    text = "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in records)
    path.write_text(text, encoding="utf-8")
    return path


def accept(document, remove=(), add=()):
    return {
        "document": document, "decision": "accept", "remove": list(remove), "add": list(add),
        "kind": "sibling",
    }  # fmt: skip


def test_accepted_changes_are_made_and_others_are_not(corpus, tmp_path):
    file = write(
        tmp_path / "decisions.jsonl",
        accept("a", ["metal"], ["grain"]),
        {**accept("b", ["metal"]), "decision": "reject"},
        {"topic": "sport", "kind": "split", "other": None, "decision": "accept"},
        accept("c", [], ["metal"]),
        accept("c", [], ["sport"]),
    )
    made = corpus.with_corrections(file)
    assert [made.labels_of(row) for row in range(4)] == [
        ("grain",), ("metal", "grain"), ("metal", "sport"), ("sport",),
    ]  # fmt: skip
    assert made.labels.has_sorted_indices
    assert made.labels.dtype == np.bool_
    assert corpus.labels_of(0) == ("metal",)


def test_a_redundant_ancestor_stays_where_the_corpus_keeps_such():
    kept = Corpus.from_texts(
        TEXTS, [["metal", "trade"], *LABELS[1:]], TREE, ids=["a", "b", "c", "d"], ancestors="keep"
    )
    made = kept.with_corrections(Corrections((Correction("c", (), ("metal",)),)))
    assert made.labels_of(2) == ("trade", "metal")


def test_documents_that_lose_their_last_label_are_a_choice(corpus):
    wrong = Corrections((Correction("d", ("sport",), ()),))
    with pytest.raises(InputError, match=r"'d' has no label left.*unlabelled"):
        corpus.with_corrections(wrong)
    assert len(corpus.with_corrections(wrong, unlabelled="drop")) == 3
    assert corpus.with_corrections(wrong, unlabelled="keep").labels_of(3) == ()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1.*not JSON"),
        ("[]", "not an object"),
        ('{"document": "a"}', "no 'decision'"),
        ('{"document": "a", "decision": "maybe"}', "'maybe', not accept"),
        ('{"document": 3, "decision": "accept"}', "not text"),
        ('{"document": "a", "decision": "accept", "add": "grain"}', "not a list"),
        ('{"document": "z", "decision": "accept", "add": ["grain"]}', "no document 'z'"),
        ('{"document": "a", "decision": "accept", "add": ["grian"]}', "line 1.*Did you mean grain"),
    ],
)
def test_what_is_no_decision_is_refused_with_its_line(corpus, tmp_path, line, said):
    file = tmp_path / "decisions.jsonl"
    file.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=rf"(?s)decisions.jsonl.*{said}"):
        corpus.with_corrections(file)


def test_a_label_cannot_be_added_and_removed(corpus, tmp_path):
    file = write(tmp_path / "d.jsonl", accept("a", ["metal"]), accept("a", [], ["metal"]))
    with pytest.raises(InputError, match=r"line 2.*'metal' of document 'a'"):
        corpus.with_corrections(file)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere.jsonl.*frex audit"):
        read_corrections(tmp_path / "nowhere.jsonl")


def test_prepare_applies_them_and_counts_the_documents(tmp_path):
    docs = write(
        tmp_path / "docs.jsonl",
        *({"id": i, "text": t, "labels": k} for i, t, k in zip("abcd", TEXTS, LABELS, strict=True)),
    )
    file = write(
        tmp_path / "decisions.jsonl", accept("a", ["metal"], ["grain"]), accept("z", ["metal"])
    )
    report = prepare([docs], TREE, tmp_path / "CORPUS", corrections=file, jobs=1)
    assert report.dropped["corrected_documents"] == 1
    made = read_corpus(tmp_path / "CORPUS")
    assert made.labels_of(made.ids.index("a")) == ("grain",)
    assert made.labels_of(made.ids.index("d")) == ("sport",)


def test_corrections_need_a_tree(tmp_path):
    file = write(tmp_path / "decisions.jsonl", accept("a", ["metal"]))
    docs = write(tmp_path / "docs.jsonl", {"id": "a", "text": "gold"})
    with pytest.raises(InputError, match=r"tree"):
        prepare([docs], None, tmp_path / "CORPUS", corrections=file)
