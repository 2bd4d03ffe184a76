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
