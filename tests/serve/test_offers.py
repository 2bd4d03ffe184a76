"""An inner topic stands for its branch where it is not clear which of those below."""

import numpy as np
import pytest

from frex.serve.offers import best, offered
from frex.tree import TopicTree

TREE = TopicTree.from_nested({"sport": {"ball": ["golf", "tennis"], "chess": []}, "law": []})
NAMES = TREE.topics


def scores(given, sure=(), **options):
    own = np.array([given.get(name, 0.0) for name in NAMES])
    labels = np.array([name in sure for name in NAMES])
    return dict(zip(NAMES, offered(TREE, own, labels, **options).tolist(), strict=True))


def test_the_deepest_branch_that_is_likely_is_offered():
    found = scores({"golf": 0.4, "tennis": 0.4, "chess": 0.1, "law": 0.2})
    assert found["ball"] == pytest.approx(1 - 0.6 * 0.6)
    assert found["sport"] == 0.0  # `ball` says more
    assert found["golf"] == 0.4


def test_a_branch_that_is_likely_only_as_a_whole_is_offered():
    found = scores({"golf": 0.3, "tennis": 0.2, "chess": 0.3})
    assert found["sport"] == pytest.approx(1 - 0.7 * 0.8 * 0.7)
    assert found["ball"] == 0.0


def test_where_a_topic_is_sure_nothing_stands_for_it():
    found = scores({"golf": 0.45, "tennis": 0.4, "chess": 0.3}, sure=["golf"])
    assert found["ball"] == found["sport"] == 0.0


def test_a_likely_topic_stands_for_itself():
    assert scores({"golf": 0.7})["ball"] == 0.0


def test_shares_of_a_document_are_summed():
    found = scores({"golf": 0.28, "tennis": 0.27, "law": 0.2}, are_shares=True)
    assert found["ball"] == pytest.approx(0.55)


def test_a_sure_probability_is_no_infinity():
    assert scores({"golf": 1.0, "tennis": 1.0})["golf"] == 1.0


def test_the_best_come_first_and_ties_in_the_order_of_the_tree():
    values = np.array([0.2, 0.5, 0.2, 0.1])
    assert best(values, 3, 0.0).tolist() == [1, 0, 2]
    assert best(values, 10, 0.2).tolist() == [1, 0, 2]
    assert best(values, 0, 0.0).tolist() == []
