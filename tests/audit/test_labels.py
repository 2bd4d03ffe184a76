"""Doubtful and missing labels of documents."""

from itertools import groupby

import numpy as np
import pytest
from damage import MERGED, relabelled, with_labels

from frex.audit import audit_labels, label_table
from frex.audit.doubts import document_doubts, find_doubts
from frex.audit.labels import places_of
from frex.corpus import remove_redundant_ancestors
from frex.predict import out_of_fold
from frex.sampler.fit import fit
from frex.sampler.settings import Settings

N = 40


@pytest.fixture(scope="module")
def misfiled(damaged):
    """Return the corpus with labels of one topic put where another belongs, and those documents."""
    rng = np.random.default_rng(1)
    single = np.flatnonzero(np.diff(damaged.labels.indptr) == 1)
    rows = set(rng.permutation(single)[:N].tolist())
    others = [name for name in damaged.tree.topics if name not in MERGED]
    names = [
        (str(rng.choice([o for o in others if o not in damaged.labels_of(row)])),)
        if row in rows
        else damaged.labels_of(row)
        for row in range(len(damaged))
    ]
    corpus = with_labels(damaged, names)
    posterior = fit(corpus.without_empty_topics(), Settings(method="map", draws=2))
    judged = out_of_fold(corpus, n_folds=3)
    found = audit_labels(posterior, corpus, judged=judged)
    return corpus, posterior, judged, found, {damaged.ids[row]: row for row in rows}


def test_misfiled_documents_come_first(misfiled, damaged):
    *_, found, rows = misfiled
    first = list(dict.fromkeys(one.document for one in found))[:N]
    assert np.mean([name in rows for name in first]) > 0.45  # of all documents 0.025
    right = [
        one.other in damaged.labels_of(rows[one.document])
        for one in found
        if one.document in rows and one.label is not None and one.other is not None
    ]
    assert np.mean(right) > 0.6


def test_documents_come_first_whose_labels_are_least_probably_all_right(misfiled):
    corpus, _, judged, found, _ = misfiled
    places = places_of(judged)
    doubts = document_doubts(places, find_doubts(places, corpus.without_empty_topics().tree))
    rows = {name: row for row, name in enumerate(corpus.ids)}
    order = [doubts[rows[one.document]] for one in found if one.kind != "redundant"]
    assert order == sorted(order, reverse=True)
    documents = [one.document for one in found if one.kind != "redundant"]
    assert len(list(groupby(documents))) == len(set(documents))
    assert all(one.probability >= 0.1 for one in found)
    for one in found:
        assert one.label is None or one.label in one.given
        assert (one.other in one.given) == (one.kind == "redundant")
        assert one.kind != "missing" or one.label is None


def test_kinds_say_where_in_the_tree_the_other_label_is(misfiled):
    corpus, *_, found, _ = misfiled
    tree = corpus.tree
    for one in found:
        if one.kind == "sibling":
            assert tree.parents[tree.node(one.label)] == tree.parents[tree.node(one.other)]
        elif one.kind == "too general":
            assert tree.node(one.label) in tree.ancestors(one.other)
        elif one.kind == "too specific":
            assert tree.node(one.other) in tree.ancestors(one.label)
    assert {"sibling", "elsewhere"} <= {one.kind for one in found}


def test_a_limit_and_a_topic_leave_what_is_asked_for(misfiled):
    corpus, posterior, judged, found, _ = misfiled
    assert audit_labels(posterior, corpus, judged=judged, limit=5) == found[:5]
    for only in ("given", "missing"):
        told = audit_labels(posterior, corpus, judged=judged, only=only)
        assert told
        assert {one.label is None for one in told} == {only == "missing"}
    own = audit_labels(posterior, corpus, judged=judged, topic="t1")
    assert own
    assert own == [
        one
        for one in found
        if (one.label or "").startswith("t1") or (one.other or "").startswith("t1")
    ]


def test_redundant_ancestors_are_named_as_such(found, damaged):
    corpus = relabelled(damaged, lambda own: own | {"t1"} if "t1.3" in own else own)
    told = audit_labels(found.posterior, corpus, least=1.0)
    redundant = {(one.document, one.label) for one in told if one.kind == "redundant"}
    specific = remove_redundant_ancestors(corpus.labels, corpus.tree)
    assert len(redundant) == corpus.labels.nnz - specific.nnz > 10
    assert ("redundant", "t1", "t1.3") in {(one.kind, one.label, one.other) for one in told}
    assert told[-1].kind == "redundant"  # no document need be read for these


def test_the_table_has_a_row_for_each(misfiled):
    *_, found, _ = misfiled
    table = label_table(found)
    assert table["document"].tolist() == [one.document for one in found]
    assert set(table["label"][table["kind"] == "missing"]) <= {""}


def test_a_topic_that_a_judge_never_saw_is_no_reason_to_doubt(damaged):
    """A topic of one document is unknown to the judge of that document."""
    row = int(np.flatnonzero(np.diff(damaged.labels.indptr) == 1)[0])
    names = [damaged.labels_of(r) for r in range(len(damaged))]
    names[row] = ("t2.2",)  # which no other document has
    corpus = with_labels(damaged, names).take(range(row, row + 400))
    judged = out_of_fold(corpus, n_folds=2)
    places = places_of(judged)
    unknown = places.given & ~places.known
    assert unknown.sum() >= 1
    posterior = fit(corpus.without_empty_topics(), Settings(method="map", draws=2))
    told = audit_labels(posterior, corpus, judged=judged, least=0.0)
    assert ("t2.2", corpus.ids[0]) not in {(one.label, one.document) for one in told}


def test_labels_that_mostly_come_with_the_missing_one_are_named(damaged):
    """A third of the documents have two labels more; of a few of these one is missing."""
    first, second = damaged.tree.topics[-2:]
    lots = np.random.default_rng(0).random(len(damaged)).tolist()
    names = [
        {*damaged.labels_of(row), *([first] * (lot < 0.33)), *([second] * (lot < 0.3))}
        for row, lot in enumerate(lots)
    ]
    corpus = with_labels(damaged, names)
    posterior = fit(corpus.without_empty_topics(), Settings(method="map", draws=2))
    judged = out_of_fold(corpus, n_folds=3)
    found = audit_labels(posterior, corpus, judged=judged, least=0.01)
    lacking = {damaged.ids[row] for row, lot in enumerate(lots) if 0.3 <= lot < 0.33}
    told = [one for one in found if one.other == second and one.document in lacking]
    assert len(told) > 0.8 * len(lacking)
    assert all(one.label == first or one.labels_for[0] == first for one in told)
    assert all(set(one.labels_for) <= set(one.given) - {one.label} for one in found)
