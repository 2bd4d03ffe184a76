"""Exclusivity of a draw: topics share the sums of their comparison sets."""

import numpy as np
import pytest

from frex.model import branching_tree
from frex.sampler.kernels.exclusivity import exclusivity
from frex.sampler.record import ComparisonSets
from frex.tree import TopicTree

CHAIN = TopicTree(["a", "b", "aa", "aaa", "ba", "bb"], [None, None, "a", "aa", "b", "b"])
CHOICES = ["siblings", "all", 1, 2, 3, ("aa", "b"), ("bb",)]


@pytest.mark.parametrize("compare", CHOICES)
def test_every_topic_is_compared_with_its_set(compare):
    rates = np.random.default_rng(0).gamma(1.0, size=(9, CHAIN.n_nodes))
    found = np.empty((9, CHAIN.n_topics))
    exclusivity(rates, *ComparisonSets.of(CHAIN, compare), found)
    for node in range(1, CHAIN.n_nodes):
        members = list(CHAIN.comparison_set(node, compare))
        assert node in members
        expected = rates[:, node] / rates[:, members].sum(axis=1)
        np.testing.assert_allclose(found[:, node - 1], expected, rtol=1e-13)


@pytest.mark.parametrize("compare", ["siblings", "all", 1, 2, 3])
def test_no_more_members_are_summed_than_there_are_nodes(compare):
    tree = branching_tree((4, 5, 6))
    assert len(ComparisonSets.of(tree, compare).nodes) <= tree.n_nodes
