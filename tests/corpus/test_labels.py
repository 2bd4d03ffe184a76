import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from strategies import graphs

from frex import Corpus, TopicTree
from frex.corpus import remove_redundant_ancestors, with_ancestors
from frex.errors import InputError
from frex.tree.records import TopicRecord

ALIASES = TopicTree.from_records(
    [
        TopicRecord("1", None, "Sport", aliases=("http://x/1", "Sport", "Bank")),
        TopicRecord("2", "1", "Golf", aliases=("http://x/2", "Golf", "Bank")),
    ]
)


@given(graphs(), st.integers(0, 2**32 - 1))
def test_ancestors_go_and_come_by_any_parent(rows, seed):
    tree = TopicTree(*zip(*rows, strict=True))
    given = np.random.default_rng(seed).random((5, tree.n_topics)) < 0.4
    specific = remove_redundant_ancestors(sparse.csr_array(given), tree).toarray()
    closed = with_ancestors(sparse.csr_array(given), tree).toarray()
    for row, labels in enumerate(given):
        nodes = set((np.flatnonzero(labels) + 1).tolist())
        above = {above for node in nodes for above in tree.all_ancestors(node)}
        assert set((np.flatnonzero(specific[row]) + 1).tolist()) == nodes - above
        assert set((np.flatnonzero(closed[row]) + 1).tolist()) == nodes | above


def test_a_label_may_be_an_alias():
    labels = [["http://x/2", "Golf"], ["Sport"], ["2", "none"]]
    corpus = Corpus.from_matrices(np.ones((3, 1), int), labels, tree=ALIASES, unknown="drop")
    assert [corpus.labels_of(d) for d in range(3)] == [("2",), ("1",), ("2",)]
    assert corpus.report == {"unknown_labels": 1}


@pytest.mark.parametrize("unknown", ["error", "drop"])
def test_an_alias_of_two_topics_is_no_label(unknown):
    with pytest.raises(InputError, match="document 'd1': the label 'Bank' may be any of 1, 2"):
        Corpus.from_matrices(np.ones((2, 1), int), [["1"], ["Bank"]], tree=ALIASES, unknown=unknown)


def test_a_label_may_be_a_title_that_one_topic_has_and_no_other_has_for_a_name():
    names, titles = ["42", "7", "Tax", "9", "8"], ["Trade", "Tax", "Levies", "Other", "Other"]
    known = TopicTree(names, [None] * 5, titles).known_labels
    assert [known.columns.get(label) for label in ("Trade", "Tax", "Levies", "42")] == [0, 2, 2, 0]
    assert "Other" not in known.columns
    assert "may be any of 9, 8" in str(known.error("Other"))
    assert "Did you mean Levies?" in str(known.error("Levy"))


def test_labels_may_be_whole_numbers_where_topics_are():
    tree = TopicTree(["1", "2", "10"], [None, "1", None])
    counts = np.ones((3, 1), int)
    corpus = Corpus.from_matrices(counts, [[2, 10], 1, np.int64(10)], tree=tree)
    assert [corpus.labels_of(d) for d in range(3)] == [("2", "10"), ("1",), ("10",)]
    for strange in (1.5, True):
        with pytest.raises(InputError, match="document 'd2': the labels are"):
            Corpus.from_matrices(counts, [[2], [1], strange], tree=tree)
