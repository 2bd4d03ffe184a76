"""An inner topic where the leaf is in doubt."""

from itertools import product

import numpy as np
import pytest
from scipy import sparse

from frex.corpus import with_ancestors
from frex.predict.branches import branch_probabilities, choose_branches, learn_branch_threshold
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "a1", "a2", "a21"], [None, None, "a", "a", "a2"])


def by_topic(a, b, a1, a2, a21):
    """Return numbers in the order of the tree's topics."""
    values = {"a": a, "b": b, "a1": a1, "a2": a2, "a21": a21}
    return [values[topic] for topic in TREE.topics]


def test_at_least_one_of_a_branch_by_counting_all_sets_of_labels():
    chance = np.array([0.1, 0.4, 0.3, 0.0, 0.5])
    wanted = np.zeros(5)
    for labels in product([False, True], repeat=5):
        weight = np.where(labels, chance, 1 - chance).prod()
        wanted += weight * with_ancestors(sparse.csr_array([labels]), TREE).toarray()[0]
    found = branch_probabilities(sparse.csr_array([chance]), TREE, single=False)
    np.testing.assert_allclose(found.toarray()[0], wanted)


def test_single_labels_exclude_one_another():
    chance = sparse.csr_array([by_topic(0.1, 0.3, 0.2, 0.1, 0.3)])
    found = branch_probabilities(chance, TREE, single=True).toarray()[0]
    np.testing.assert_allclose(found, by_topic(0.7, 0.3, 0.2, 0.4, 0.3))


def test_the_threshold_is_the_best_of_all():
    rng = np.random.default_rng(0)
    chance = rng.beta(0.3, 1.2, (4000, 5))
    closed = branch_probabilities(sparse.csr_array(chance), TREE, single=False).toarray()

    def expected_f1(threshold):
        given = closed >= threshold
        return 2 * closed[given].sum() / (given.sum() + closed.sum())

    found = learn_branch_threshold(sparse.csr_array(chance), TREE, single=False)
    best = max(expected_f1(threshold) for threshold in np.linspace(0.05, 0.95, 181))
    assert expected_f1(found) == pytest.approx(best, abs=1e-4)
    assert found == pytest.approx(expected_f1(found) / 2, abs=0.005)


def test_a_topic_above_where_the_one_below_is_in_doubt():
    chances = np.array([
        by_topic(0.9, 0.1, 0.3, 0.35, 0.3),  # under a, and nothing more is known
        by_topic(0.9, 0.1, 0.1, 0.85, 0.8),  # that is a21
        by_topic(0.9, 0.8, 0.7, 0.1, 0.1),
        by_topic(0.2, 0.3, 0.1, 0.1, 0.0),  # in doubt altogether
    ])  # fmt: skip
    found = choose_branches(chances, 0.5, TREE)
    names = [{TREE.topics[k] for k in np.flatnonzero(row)} for row in found.toarray()]
    assert names == [{"a"}, {"a21"}, {"b", "a1"}, {"b"}]
    one = choose_branches(chances, 0.5, TREE, most=1).toarray()
    assert [TREE.topics[k] for k in one.argmax(axis=1)] == ["a", "a21", "b", "b"]
    assert not choose_branches(chances, 0.5, TREE, at_least_one=False).toarray()[3].any()
