import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer

from frex import Corpus, TopicTree
from frex.errors import InputError

TREE = TopicTree(["sport", "golf", "news"], [None, "sport", None])
COUNTS = np.array([[1, 0, 2], [0, 3, 0], [4, 0, 0]])
LABELS = [["golf"], ["sport", "news"], ["news"]]


def make(counts=COUNTS, labels=LABELS, **options):
    return Corpus.from_matrices(counts, labels, tree=options.pop("tree", TREE), **options)


def labels_of(corpus):
    return [set(corpus.labels_of(d)) for d in range(len(corpus))]


@pytest.mark.parametrize(
    "counts",
    [
        COUNTS,
        COUNTS.tolist(),
        COUNTS.astype(np.uint64),
        COUNTS.astype(float),
        sparse.csr_matrix(COUNTS),
        sparse.csc_array(COUNTS),
        sparse.coo_array(COUNTS),
        pd.DataFrame(COUNTS, columns=["w0", "w1", "w2"]),
        pl.DataFrame(COUNTS, schema=["w0", "w1", "w2"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_counts_in_any_form_are_the_same_corpus(counts):
    corpus = make(counts)
    assert corpus.counts.dtype == np.int32
    assert corpus.counts.has_canonical_format
    assert np.array_equal(corpus.counts.toarray(), COUNTS)
    assert corpus.words == ("w0", "w1", "w2")
    assert corpus.ids == ("d0", "d1", "d2")


def test_sizes_and_exposures():
    corpus = make()
    assert (len(corpus), corpus.n_words, corpus.n_topics, corpus.n_tokens) == (3, 3, 3, 10)
    assert corpus.lengths.tolist() == [3, 3, 4]
    assert np.allclose(corpus.exposures, np.array([3, 3, 4]) / (10 / 3))
    assert make(exposures=[1, 2, 0.5]).exposures.tolist() == [1, 2, 0.5]
    assert "3 documents, 3 words, 3 topics, 10 tokens" in repr(corpus)


def test_the_user_may_change_the_matrix_afterwards():
    counts = sparse.csr_array(COUNTS.astype(np.int32))
    corpus = make(counts)
    counts.data[:] = 9
    assert np.array_equal(corpus.counts.toarray(), COUNTS)


def test_entries_given_twice_are_summed_without_wrapping_around():
    half = np.full(2, 2**30, dtype=np.int32)
    twice = sparse.coo_array((half, ([0, 0], [0, 0])), shape=(1, 1))
    with pytest.raises(InputError, match="larger than 2,147,483,647"):
        Corpus.from_matrices(twice)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (-1, r"document 'b', word 'y': -1 is negative"),
        (0.5, r"document 'b', word 'y': 0.5 is not a whole number.*TfidfVectorizer"),
        (np.nan, r"document 'b', word 'y': nan is no number"),
        (np.inf, r"is no number"),
        (2**31, r"larger than 2,147,483,647"),
        (2.0**70, r"larger than"),
        (np.uint64(2**64 - 1), r"larger than"),
    ],
)
def test_bad_counts_are_refused_by_place(value, message):
    counts = np.array([[1, 0], [0, 1]], dtype=np.result_type(type(value), np.int32))
    counts[1, 1] = value
    with pytest.raises(InputError, match=message):
        Corpus.from_matrices(counts, words=["x", "y"], ids=["a", "b"])


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ([1, 2, 3], "1 dimension, not two"),
        (np.zeros((1, 1, 1)), "3 dimensions"),
        ([["a", "b"]], "not numbers"),
        ([[1], [2, 3]], "not a matrix of numbers"),
        (np.array([[1j]]), "not numbers"),
        (None, "not a matrix|dimension"),
        (np.zeros((0, 3), int), "no documents"),
        (np.zeros((2, 3), int), "no documents are left"),
    ],
)
def test_what_is_no_matrix_is_refused(counts, message):
    with pytest.raises(InputError, match=message):
        Corpus.from_matrices(counts)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"words": ["a", "b"]}, "2 words were given for 3"),
        ({"words": ["a", "b", "a"]}, "'a' appears twice"),
        ({"words": ["a", "b", None]}, "number 2 is None"),
        ({"words": ["a", "b", "\udc00"]}, "cannot be written as UTF-8"),
        ({"ids": ["a", "a", "b"]}, "ids: 'a' appears twice, as number 0 and number 1"),
        ({"ids": ["a", "b"]}, "2 ids were given for 3"),
        ({"exposures": [1, 2]}, "exposures are not 3 finite"),
        ({"exposures": [1, 2, -1]}, "exposures are not 3 finite"),
        ({"surface": ["a"]}, "surface forms are not 3"),
        ({"labels": [["golf"]]}, "1 documents have labels and 3 have counts"),
        ({"labels": [["golf"], ["news"], ["gold"]]}, "'d2': the label 'gold'.*Did you mean golf"),
        ({"labels": [["golf"], ["ROOT"], ["news"]]}, "label 'ROOT' is not a topic"),
        ({"labels": [["golf"], [7.5], ["news"]]}, r"document 'd1': the labels are \[7.5\]"),
        ({"labels": [["golf"], 7, ["news"]]}, "document 'd1': the label '7' is not a topic"),
        ({"labels": [["golf"], [], ["news"]]}, "'d1' has words and no label"),
        ({"labels": np.eye(3)[:, :2]}, "2 columns, and 3 topics"),
        ({"labels": np.eye(3) * 2}, "topic 'sport': 2.0 is neither 0 nor 1"),
        ({"labels": np.eye(3) * np.nan}, "nan is neither 0 nor 1"),
        ({"labels": np.eye(3), "topics": ["golf", "golf", "news"]}, "two columns"),
        ({"labels": None}, "a tree is given and no labels"),
        ({"unlabelled": "ignore"}, "unlabelled='ignore' is not a choice"),
    ],
)
def test_what_does_not_fit_together_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        make(**options)


def test_labels_as_names_matrices_and_frames_agree():
    matrix = np.array([[0, 1, 0], [1, 0, 1], [0, 0, 1]])
    expected = [{"golf"}, {"sport", "news"}, {"news"}]
    for labels in (LABELS, matrix, matrix.astype(bool), sparse.csc_matrix(matrix), matrix.tolist()):
        assert labels_of(make(labels=labels)) == expected
    shuffled = pd.DataFrame(matrix[:, ::-1], columns=["news", "golf", "sport"])
    assert labels_of(make(labels=shuffled)) == expected
    named = make(labels=matrix[:, ::-1], topics=["news", "golf", "sport"])
    assert labels_of(named) == expected
    assert labels_of(make(labels=["golf", ["sport", "news", "news"], ("news",)])) == expected


def test_without_a_tree_every_topic_is_on_top():
    corpus = make(tree=None)
    assert corpus.tree == TopicTree(["golf", "news", "sport"], [None] * 3)
    assert labels_of(corpus) == [{"golf"}, {"sport", "news"}, {"news"}]
    assert make(labels=np.eye(3), tree=None).tree.topics == ("t1", "t2", "t3")
    assert make(labels=None, tree=None).tree is None


def test_redundant_ancestors_go_and_are_counted():
    given = [["golf", "sport"], ["sport", "news"], ["golf", "sport", "news"]]
    corpus = make(labels=given)
    assert labels_of(corpus) == [{"golf"}, {"sport", "news"}, {"golf", "news"}]
    assert corpus.report == {"redundant_ancestor_labels": 2}
    assert labels_of(make(labels=given, ancestors="keep")) == [set(names) for names in given]


def test_documents_are_dropped_or_kept_with_a_count():
    counts = np.array([[1, 0, 0], [0, 0, 0], [0, 2, 0], [0, 0, 0]])
    labels = [["golf"], ["news"], [], []]
    dropped = make(counts, labels, unlabelled="drop")
    assert dropped.ids == ["d0"]
    assert dropped.report == {"empty_documents": 2, "unlabelled_documents": 1}
    kept = make(counts, labels, unlabelled="keep", empty="keep")
    assert len(kept) == 4
    assert kept.report == {}
    with pytest.raises(InputError, match="'d1' has no words of the vocabulary, and so have 1 more"):
        make(counts, labels, unlabelled="drop", empty="error")
    given = make(counts, labels, unlabelled="drop", exposures=[1, 2, 3, 4])
    assert given.exposures.tolist() == [1]


def test_unknown_labels_can_be_dropped():
    corpus = make(labels=[["golf", "x"], ["y", "news"], ["news"]], unknown="drop")
    assert labels_of(corpus) == [{"golf"}, {"news"}, {"news"}]
    assert corpus.report == {"unknown_labels": 2}


def test_a_vectorizers_output():
    texts = ["green green golf", "vote", "golf vote"]
    vectorizer = CountVectorizer()
    corpus = make(vectorizer.fit_transform(texts), words=vectorizer)
    assert corpus.words == ("golf", "green", "vote")
    assert corpus.counts.toarray().tolist() == [[1, 2, 0], [0, 0, 1], [1, 0, 1]]
    with pytest.raises(InputError, match="CountVectorizer, not TfidfVectorizer"):
        make(TfidfVectorizer().fit_transform(texts))


def test_some_documents_of_a_corpus():
    part = make(exposures=[1, 2, 3]).take([2, 0])
    assert part.ids == ["d2", "d0"]
    assert part.counts.toarray().tolist() == [[4, 0, 0], [1, 0, 2]]
    assert labels_of(part) == [{"news"}, {"golf"}]
    assert part.exposures.tolist() == [3, 1]


def test_topics_without_documents_are_left_out_and_those_above_documents_stay():
    tree = TopicTree(
        ["sport", "golf", "chess", "news", "old", "older"],
        [None, "sport", "sport", None, None, "old"],
    )
    corpus = make(labels=[["golf"], ["news"], ["golf", "news"]], tree=tree)
    fitted = corpus.without_empty_topics()
    assert fitted.tree.topics == ("sport", "golf", "news")
    assert labels_of(fitted) == labels_of(corpus)
    assert fitted.labels.shape == (3, 3)
    assert fitted.without_empty_topics() is fitted


def test_indices_are_short_where_they_fit():
    counts = sparse.csr_array(np.eye(3, dtype=np.int64))
    counts.indices, counts.indptr = counts.indices.astype(np.int64), counts.indptr.astype(np.int64)
    corpus = Corpus.from_matrices(counts, counts)
    for matrix in (corpus.counts, corpus.take([0, 2]).counts):
        assert matrix.indices.dtype == matrix.indptr.dtype == np.int32
