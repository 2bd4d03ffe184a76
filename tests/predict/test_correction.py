"""How far the weights of words are freed is for the documents to say."""

import numpy as np
import pytest
from scipy import sparse

from frex.predict.correction import WORD_PRECISIONS, _choose_precision, _second_step

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
