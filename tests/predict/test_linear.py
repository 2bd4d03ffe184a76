"""The linear scorer."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.svm import LinearSVC

from frex.predict.linear import ALWAYS, NEVER, learn_linear


@pytest.fixture(scope="module")
def counts():
    rng = np.random.default_rng(0)
    return sparse.csr_array(rng.poisson(0.3, (80, 30)).astype(np.int32))


def test_it_is_scikit_learns_svm_on_tf_idf(counts):
    labels = np.zeros((80, 3), bool)
    labels[:, 0] = counts[:, [0]].toarray().ravel() > 0
    labels[:, 2] = True
    scorer = learn_linear(counts, sparse.csr_array(labels))
    weigh = TfidfTransformer(sublinear_tf=True).fit(counts)
    features = weigh.transform(counts)
    np.testing.assert_allclose(scorer.weigh(counts).toarray(), features.toarray(), atol=1e-6)
    model = LinearSVC(random_state=0).fit(features, labels[:, 0])
    found = scorer.decisions(counts)
    np.testing.assert_allclose(found[:, 0], model.decision_function(features), atol=1e-3)
    assert (found[:, 1] == NEVER).all()
    assert (found[:, 2] == ALWAYS).all()


def test_a_document_without_words_has_the_intercepts(counts):
    labels = sparse.csr_array((counts[:, [3]] > 0).toarray())
    scorer = learn_linear(counts, labels)
    empty = sparse.csr_array((1, 30), dtype=np.int32)
    np.testing.assert_array_equal(scorer.decisions(empty)[0], scorer.intercepts)


def test_many_topics_are_trained_as_each_alone():
    """More topics than are trained side by side, of all sizes, and documents without words."""
    rng = np.random.default_rng(1)
    table = rng.poisson(0.2, (150, 40)).astype(np.int32)
    table[::20] = 0
    counts, shares = sparse.csr_array(table), np.linspace(0, 0.9, 19)
    truth = table @ rng.normal(size=(40, 19)) + rng.normal(size=(150, 19))
    labels = truth > np.quantile(truth, 1 - shares, axis=0)[np.arange(19), np.arange(19)]
    scorer = learn_linear(counts, sparse.csr_array(labels), penalty=3.0)
    features = scorer.weigh(counts)
    found = scorer.decisions(counts)
    for topic in range(1, 19):
        model = LinearSVC(C=3.0, random_state=0, tol=1e-6, max_iter=100_000)
        model.fit(features, labels[:, topic])
        exact = model.decision_function(features)
        np.testing.assert_allclose(found[:, topic], exact, atol=5e-3, err_msg=str(topic))
    assert (found[:, 0] == NEVER).all()


def test_threads_do_not_change_the_bits(counts):
    labels = sparse.csr_array(counts.toarray()[:, :20] > 0)
    one, two = (learn_linear(counts, labels, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.weights, two.weights)
    np.testing.assert_array_equal(one.intercepts, two.intercepts)
