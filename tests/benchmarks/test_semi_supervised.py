"""How `benchmarks/semi_supervised.py` makes labels of probabilities."""

from importlib import import_module
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.sparse import csr_array

from frex import Corpus
from frex.tree import TopicTree

TREE = TopicTree(["crop", "wheat", "metal"], [None, "crop", None])
PROBABILITIES = np.array([[0.6, 0.9, 0.0], [0.0, 0.3, 0.8], [0.2, 0.0, 0.7], [0.0, 0.0, 0.0]])


@pytest.fixture
def predicted():
    labels = csr_array(PROBABILITIES > [0.7, 0.25, 0.5])
    return SimpleNamespace(labels=labels, probabilities=PROBABILITIES)


@pytest.fixture
def others():
    counts = np.ones((4, 2), dtype=np.int64)
    return Corpus.from_matrices(counts, [[]] * 4, tree=TREE, words=["a", "b"], unlabelled="keep")


def test_a_document_enters_where_each_of_its_labels_is_sure(predicted):
    script = import_module("semi_supervised")
    assert script.sure(predicted, 0.0).toarray().astype(int).tolist() == [
        [0, 1, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0],
    ]  # fmt: skip
    assert np.diff(script.sure(predicted, 0.5).indptr).tolist() == [1, 0, 1, 0]


def test_labels_are_drawn_by_their_probabilities(predicted, others):
    script = import_module("semi_supervised")
    found = sum(script.drawn(predicted, others, seed).toarray() for seed in range(2000)) / 2000
    expected = PROBABILITIES.copy()
    expected[0, 0] *= 1 - expected[0, 1]  # redundant where the more specific one is drawn too
    assert np.abs(found - expected).max() < 0.04


def test_documents_with_a_label_are_added(predicted, others):
    script = import_module("semi_supervised")
    labelled = Corpus.from_matrices(
        [[2, 0]], [["metal"]], tree=TREE, words=["a", "b"], ids=["given"]
    )
    both = script.with_labels(labelled, others, script.sure(predicted, 0.5))
    assert [both.labels_of(row) for row in range(len(both))] == [("metal",), ("wheat",), ("metal",)]
