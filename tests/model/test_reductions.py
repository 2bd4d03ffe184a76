import numpy as np
import pytest
from hypothesis import given
from problems import make_problem, problems
from scipy.sparse import csr_array

from frex.corpus import Corpus
from frex.errors import InputError
from frex.model.rates import rate_log_likelihood, words_of
from frex.model.reductions import exposure, reduce
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "c"], [None, "a", "a"])


def corpus(counts, labels, exposures=None):
    return Corpus.from_matrices(
        csr_array(np.array(counts)), labels, tree=TREE, exposures=exposures,
        unlabelled="keep", empty="keep", ancestors="keep",
    )  # fmt: skip


@given(problems())
def test_the_reduced_likelihood_is_the_papers_sum_over_all_documents(problem):
    state, labels = problem.state, problem.labels
    weight = np.where(labels, np.exp(state.affinities), 0)
    theta = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1e-300)
    counts, lengths = problem.corpus.counts.toarray(), problem.corpus.exposures
    total = exposure(problem.reduced, problem.memberships)
    assert total == pytest.approx(lengths @ theta, rel=1e-12, abs=1e-12)
    reduced = words_of(problem.reduced, problem.memberships)
    for f, word in enumerate(reduced):
        expected = theta @ np.exp(state.log_rates[f, 1:])
        seen = counts[:, f] > 0
        naive = counts[seen, f] @ np.log(expected[seen]) - lengths @ expected
        assert rate_log_likelihood(state.log_rates[f], *word, total) == pytest.approx(
            naive, rel=1e-10, abs=1e-10
        )


def test_every_document_is_counted_where_it_belongs():
    counts = [[1, 2], [4, 8], [0, 0], [16, 0], [0, 32], [0, 0]]
    labels = [["b"], ["a", "c"], [], ["b"], ["c", "b"], ["a"]]
    reduced = reduce(corpus(counts, labels, exposures=[1, 2, 3, 4, 5, 6]))
    assert reduced.n_documents == 6
    assert reduced.single_counts.tolist() == [[0, 17, 0], [0, 2, 0]]
    assert reduced.single_exposures.tolist() == [6, 5, 0]
    assert reduced.label_counts.tolist() == [2, 3, 2]
    assert reduced.single_label_counts.tolist() == [1, 2, 0]
    assert reduced.counts.toarray().tolist() == [[4, 8], [0, 32]]
    assert reduced.labels.toarray().tolist() == [[True, False, True], [False, True, True]]
    assert reduced.exposures.tolist() == [2, 5]
    assert reduced.documents.tolist() == [1, 4]
    memberships = np.array([0.25, 0.75, 0.4, 0.6])
    assert exposure(reduced, memberships).tolist() == [6.5, 7, 4.5]


def test_documents_are_conditioned_on_a_label_where_each_has_one_unless_said_otherwise():
    each, not_each = (
        corpus([[1, 0], [2, 1]], [["a"], ["b", "c"]]),
        corpus([[1, 0], [0, 0]], [["a"], []]),
    )
    assert reduce(each).n_conditioned == 2
    assert reduce(each, conditioned=True).n_conditioned == 2
    assert reduce(each, conditioned=False).n_conditioned == 0
    assert reduce(not_each).n_conditioned == 0
    with pytest.raises(InputError, match="a document has no label"):
        reduce(not_each, conditioned=True)


def test_types_do_not_depend_on_which_documents_there_are():
    shapes = [
        corpus([[1, 0]], [["a", "b"]]),
        corpus([[1, 0]], [["a"]]),
        corpus([[0, 0]], [[]], exposures=[1.0]),
    ]
    for given_corpus in shapes:
        reduced = reduce(given_corpus)
        assert reduced.single_counts.dtype == reduced.single_exposures.dtype == np.float64
        assert reduced.counts.dtype == np.int32
        assert reduced.labels.dtype == np.bool_
        assert reduced.counts.shape[0] == reduced.labels.shape[0] == len(reduced.documents)
        assert exposure(reduced, np.full(reduced.labels.nnz, 0.5)).dtype == np.float64


def test_words_without_a_label_are_refused_with_the_documents_name():
    with pytest.raises(InputError, match=r"document 'd1' has words and no label, and so have 1 mo"):
        reduce(corpus([[1, 0], [1, 1], [0, 2]], [["a"], [], []]))
    with pytest.raises(InputError, match="no labels"):
        reduce(Corpus.from_matrices(csr_array(np.eye(2, dtype=int))))


def test_reducing_leaves_the_corpus_as_it_is():
    given_corpus = make_problem(TREE, 3).corpus
    before = given_corpus.counts.toarray(), given_corpus.labels.toarray()
    reduced = reduce(given_corpus)
    reduced.counts.data[:] = 0
    reduced.labels.data[:] = False
    assert np.array_equal(given_corpus.counts.toarray(), before[0])
    assert np.array_equal(given_corpus.labels.toarray(), before[1])
