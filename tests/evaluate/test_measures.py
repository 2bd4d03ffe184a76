import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import precision_recall_fscore_support

from frex.evaluate import MEASURES, measure
from frex.tree import TopicTree

TREE = TopicTree(["art", "sport", "golf", "chess"], [None, None, "sport", "sport"])


def labels(*rows):
    return sparse.csr_array(np.array(rows, dtype=bool))


def test_by_hand():
    actual = labels([1, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1])
    predicted = labels([1, 0, 0, 0], [0, 0, 0, 1], [1, 0, 1, 0])
    scores = np.array([[0.9, 0.1, 0.2, 0.3], [0.1, 0.2, 0.6, 0.7], [0.8, 0.1, 0.4, 0.3]])
    measured = measure(actual, predicted, scores, TREE)
    assert list(measured) == list(MEASURES)
    expected = {
        "micro_precision": 2 / 4, "micro_recall": 2 / 4, "micro_f1": 2 / 4,
        # art 1; golf and chess 0; sport has no document of its own and does not count
        "macro_precision": 1 / 3, "macro_recall": 1 / 3, "macro_f1": 1 / 3,
        # sport above golf and chess is right twice: art, sport, art, sport of 6
        "hierarchical_precision": 4 / 6, "hierarchical_recall": 4 / 6, "hierarchical_f1": 4 / 6,
        "ranking_precision": (1 + 1 / 2 + (1 + 2 / 3) / 2) / 3,
        "precision_at_1": 2 / 3,
        "coverage_error": (1 + 2 + 3) / 3,
    }  # fmt: skip
    assert measured == pytest.approx(expected)


def test_as_scikit_learn_has_it():
    rng = np.random.default_rng(1)
    flat = TopicTree(list("abcdef"), [None] * 6)
    actual, scores = rng.random((50, 6)) < 0.3, rng.random((50, 6))
    actual[:, 0] = True
    predicted = scores > 0.6
    measured = measure(sparse.csr_array(actual), sparse.csr_array(predicted), scores, flat)
    for average in ("micro", "macro"):
        reference = precision_recall_fscore_support(actual, predicted, average=average)[:3]
        found = [measured[f"{average}_{name}"] for name in ("precision", "recall", "f1")]
        np.testing.assert_allclose(found, reference)


def test_no_label_predicted():
    nothing = labels([0, 0, 0, 0])
    measured = measure(labels([1, 0, 0, 0]), nothing, np.zeros((1, 4)), TREE)
    assert measured["micro_f1"] == measured["macro_precision"] == measured["hierarchical_f1"] == 0
