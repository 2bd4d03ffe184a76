"""Thresholds are the best there are, on the documents they were set by."""

from itertools import product

import numpy as np
import pytest
from sklearn.metrics import f1_score, hamming_loss

from frex.errors import InputError
from frex.predict import find_thresholds, thresholds


@pytest.fixture
def case():
    rng = np.random.default_rng(5)
    labels = rng.random((12, 3)) < [0.5, 0.3, 0.2]
    return np.round(rng.random((12, 3)) * 0.6 + 0.3 * labels, 2), labels


def score(labels, probabilities, at, average):
    return f1_score(labels, probabilities >= at, average=average, zero_division=0.0)


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_one_threshold_is_optimal(case, average):
    probabilities, labels = case
    found = find_thresholds(probabilities, labels, criterion=average)
    assert len(set(found)) == 1
    best = max(score(labels, probabilities, at, average) for at in np.unique(probabilities))
    assert score(labels, probabilities, found, average) == pytest.approx(best)


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_thresholds_of_topics_are_optimal_without_shrinkage(case, average, monkeypatch):
    monkeypatch.setattr(thresholds, "SHRINKAGE", 0.0)
    probabilities, labels = case
    found = find_thresholds(probabilities, labels, by="topic", criterion=average)
    values = [np.unique(column) for column in probabilities.T]
    best = max(score(labels, probabilities, at, average) for at in product(*values))
    assert score(labels, probabilities, found, average) == pytest.approx(best)


def test_a_topic_without_labels_takes_after_the_others(case):
    probabilities, labels = case
    labels = labels.copy()
    labels[:, 2] = False
    found = find_thresholds(probabilities, labels, by="topic")
    common = find_thresholds(probabilities, labels)
    assert 0.5 * common[0] < found[2] <= 1.0


def test_a_function_may_be_the_criterion(case):
    probabilities, labels = case
    found = find_thresholds(probabilities, labels, criterion=lambda *pair: -hamming_loss(*pair))
    losses = [hamming_loss(labels, probabilities >= at) for at in np.unique(probabilities)]
    assert hamming_loss(labels, probabilities >= found) == min(losses)
    with pytest.raises(InputError, match="a function cannot"):
        find_thresholds(probabilities, labels, by="topic", criterion=f1_score)


@pytest.mark.parametrize(
    ("options", "complaint"),
    [({"by": "word"}, "thresholds='word'"), ({"criterion": "f2"}, "criterion='f2'")],
)
def test_wrong_options_are_told(case, options, complaint):
    with pytest.raises(InputError, match=complaint):
        find_thresholds(*case, **options)
    with pytest.raises(InputError, match="no document has a label"):
        find_thresholds(case[0], np.zeros_like(case[1]))
