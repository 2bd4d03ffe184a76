"""Labels respect the tree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import trees

from frex.errors import InputError
from frex.predict import choose_labels
from frex.tree import TopicTree


@given(st.data(), trees(8), st.booleans())
def test_closed_labels_hold_all_ancestors_and_open_ones_none(data, tree, at_least_one):
    numbers = st.lists(st.floats(0, 1), min_size=tree.n_topics, max_size=tree.n_topics)
    probabilities = np.array(data.draw(st.lists(numbers, min_size=1, max_size=3)))
    thresholds = np.full(tree.n_topics, 0.5)
    both = {
        form: choose_labels(
            probabilities, thresholds, tree, form=form, at_least_one=at_least_one
        ).toarray()
        for form in ("open", "closed")
    }
    for row, reached in enumerate(probabilities >= 0.5):
        opened, closed = (set(np.flatnonzero(both[form][row])) for form in ("open", "closed"))
        above = {k: {n - 1 for n in tree.ancestors(k + 1)} for k in range(tree.n_topics)}
        assert all(above[k] <= closed for k in closed)
        assert not any(above[k] & opened for k in opened)
        assert opened <= closed <= set().union(opened, *(above[k] for k in opened))
        if reached.any():
            assert set(np.flatnonzero(reached)) <= closed
        else:
            assert len(opened) == at_least_one


def test_the_nearest_label_is_so_by_its_odds():
    tree = TopicTree(["a", "b"], [None, None])
    labels = choose_labels(np.array([[0.4, 0.02]]), np.array([0.9, 0.03]), tree)
    assert labels.indices.tolist() == [1]
    with pytest.raises(InputError, match="form='half'"):
        choose_labels(np.array([[0.4, 0.02]]), np.array([0.9, 0.03]), tree, form="half")


def test_a_document_gets_as_many_topics_as_are_allowed():
    tree = TopicTree(["a", "b", "c"], [None, None, None])
    chances = np.array([[0.9, 0.8, 0.6], [0.1, 0.2, 0.3]])
    thresholds = np.array([0.8, 0.2, 0.5])
    for most, wanted in ((1, [[0, 1, 0], [0, 1, 0]]), (2, [[1, 1, 0], [0, 1, 0]])):
        found = choose_labels(chances, thresholds, tree, most=most).toarray()
        np.testing.assert_array_equal(found, wanted)


def test_a_topic_whose_threshold_is_one_is_never_given():
    tree = TopicTree(["a", "b"], [None, None])
    chances = np.array([[1.0, 1e-300], [1.0 - 1e-16, 0.4]])
    found = choose_labels(chances, np.array([1.0, 0.5]), tree).toarray()
    np.testing.assert_array_equal(found, [[False, True], [False, True]])
