"""How far the weights of words are freed is for the documents to say."""

import numpy as np
import pytest
from scipy import sparse

from frex.predict.correction import (
    WORD_PRECISIONS,
    _along_documents,
    _choose_precision,
    _second_step,
)

N, TOPICS, WORDS = 300, 4, 40


@pytest.fixture
def documents():
    """Return usage of words, labels that depend on the first few, and who is held out."""
    rng = np.random.default_rng(0)
    usage = np.maximum(rng.normal(size=(N, WORDS)), 0.0)
    usage /= np.linalg.norm(usage, axis=1, keepdims=True)
    odds = 30.0 * (usage[:, :TOPICS] - 0.2)
    labels = rng.random((N, TOPICS)) < 1.0 / (1.0 + np.exp(-odds))
    return sparse.csr_array(usage.astype(np.float32)), odds, labels, np.arange(N) % 3 == 0


def test_a_model_that_knows_all_needs_no_weights(documents):
    usage, odds, labels, held = documents
    assert _choose_precision(odds, usage, labels, held) >= 1.0


def test_words_mend_a_model_that_knows_nothing(documents):
    usage, odds, labels, held = documents
    nothing = np.zeros_like(odds)
    precision = _choose_precision(nothing, usage, labels, held)
    assert precision <= 0.1
    found = _second_step(nothing, usage, labels, precision)
    # each topic's largest weight is that of the word that makes it
    np.testing.assert_array_equal(found.weights.argmax(axis=0), np.arange(TOPICS))


def test_a_single_document_cannot_choose(documents):
    usage, odds, labels, _ = documents
    one = _choose_precision(odds[:1], usage[[0]], labels[:1], np.array([True]))
    assert one == WORD_PRECISIONS[0]


@pytest.mark.parametrize("precision", [1.0, 0.1])
def test_few_documents_learn_the_same_along_what_they_span(documents, precision):
    usage, odds, labels, _ = documents
    few = sparse.csr_array(sparse.hstack([usage[:60], usage[60:120], usage[120:180]], "csr"))
    few = sparse.csr_array(few[:50])  # 50 documents, two of them the same, over 120 words
    few = sparse.csr_array(sparse.vstack([few, few[[0]]], "csr"))
    rows = [*range(50), 0]
    along, basis = _along_documents(few)
    assert along.shape == (51, 50)
    np.testing.assert_allclose(along @ basis.T, few.toarray(), atol=1e-5)
    learned = _second_step(odds[rows], along, labels[rows], precision)
    expected = _second_step(odds[rows], few, labels[rows], precision)
    np.testing.assert_allclose(basis @ learned.weights, expected.weights, atol=5e-3)
    np.testing.assert_allclose(learned.slopes, expected.slopes, atol=5e-3)
    np.testing.assert_allclose(
        learned.log_odds(odds[rows], along), expected.log_odds(odds[rows], few), atol=2e-2
    )


def test_many_documents_are_left_as_they_are(documents):
    usage = documents[0]
    assert _along_documents(usage) == (usage, None)
