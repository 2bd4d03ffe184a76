import numpy as np
import pytest
from bits import small_corpus
from scipy.sparse import csr_array

from frex.corpus import Corpus, blocks
from frex.model import branching_tree
from frex.posterior import typical as module
from frex.posterior.typical import typical_documents
from frex.tree import TopicTree


def brute_force(corpus, rates, memberships):
    """Return (score, document, words) of the three most typical documents of each topic."""
    tree, counts = corpus.tree, corpus.counts.toarray()
    weights = csr_array((memberships, corpus.labels.indices, corpus.labels.indptr)).toarray()
    found = []
    for k in range(tree.n_topics):
        compared = rates[:, tree.comparison_set(k + 1)].mean(axis=1)
        speaks = np.log(rates[:, k + 1] / compared)
        rows = []
        for d in np.flatnonzero(corpus.labels.toarray()[:, k]):
            n = counts[d].sum()
            score = weights[d, k] * (counts[d] @ speaks) / max(n, 1) * n / (n + 20)
            spoken = counts[d] * speaks
            words = [w for w in np.argsort(-spoken, kind="stable")[:8] if spoken[w] > 0]
            rows.append((score, d, words))
        found.append(sorted((r for r in rows if r[0] > 0), key=lambda r: (-r[0], r[1]))[:3])
    return found


@pytest.mark.parametrize("tree", [branching_tree([2, 2]), TopicTree(["a", "b"], [None, "a"])])
def test_documents_and_words_are_those_of_brute_force(tree, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", 50)
    monkeypatch.setattr(module, "N_DOCUMENTS", 3)
    corpus = small_corpus(tree, 120)
    rng = np.random.default_rng(0)
    rates = rng.gamma(2.0, size=(corpus.n_words, tree.n_nodes))
    memberships = rng.random(corpus.labels.nnz)
    typical = typical_documents(corpus, np.log(rates), memberships)
    expected = brute_force(corpus, rates, memberships)
    assert np.diff(typical.starts).tolist() == [len(rows) for rows in expected]
    assert max(np.diff(typical.starts)) == 3
    flat = [row for rows in expected for row in rows]
    assert typical.documents.tolist() == [d for _, d, _ in flat]
    np.testing.assert_allclose(typical.scores, [score for score, _, _ in flat])
    assert [[w for w in words if w >= 0] for words in typical.words.tolist()] == [
        words for _, _, words in flat
    ]


def test_of_equal_documents_the_first_and_of_shorter_ones_the_longer():
    corpus = Corpus.from_matrices(
        [[2, 0], [20, 0], [20, 0], [0, 5], [0, 0]],
        [["a"], ["a"], ["a"], ["a", "b"], ["a"]],
        tree=TopicTree(["a", "b", "c"], [None] * 3),
        empty="keep",
    )
    rates = np.array([[1.0, 4.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
    typical = typical_documents(corpus, np.log(rates), np.ones(6))
    # the word that all topics use alike, and no word at all, speak for none
    assert typical.starts.tolist() == [0, 3, 3, 3]
    assert typical.documents.tolist() == [1, 2, 0]
    np.testing.assert_allclose(typical.scores, np.log(2) * np.array([1 / 2, 1 / 2, 1 / 11]))
    assert typical.words.tolist() == [[0] + [-1] * 7] * 3
