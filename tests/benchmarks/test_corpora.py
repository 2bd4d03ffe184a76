"""The corpora of the benchmarks are what the benchmarks say."""

from importlib import import_module

import numpy as np
import pytest


@pytest.fixture(scope="module")
def wide():
    return import_module("corpora").wide_corpus((3, 20), 400, 50)


def documents_by_topic(corpus):
    return np.bincount(corpus.labels.indices, minlength=corpus.n_topics)


def test_half_the_topics_of_a_wide_tree_have_next_to_no_documents(wide):
    documents = documents_by_topic(wide)
    assert documents.min() >= 1
    assert 0.3 < (documents < 5).mean() < 0.7
    assert wide.without_empty_topics() is wide


def test_twice_the_topics_are_a_twin_of_the_tree_and_nothing_more(wide):
    twice = import_module("corpora").with_topics_twice(wide)
    n = wide.n_topics
    assert (twice.counts != wide.counts).nnz == 0
    assert documents_by_topic(twice).min() >= 1
    assert not (wide.labels[::2] > twice.labels[::2, :n]).nnz
    assert not (wide.labels[1::2] > twice.labels[1::2, n:]).nnz
    for parent in (twice.tree.node(name) for name in ("t1", "t1'")):
        children = [twice.tree.names[node] for node in twice.tree.children(parent)]
        assert len(children) == 20
        assert {name.endswith("'") for name in children} == {parent > n}
    # topics that had documents of the other half alone were given one each
    assert twice.labels.nnz - wide.labels.nnz < 0.1 * wide.labels.nnz
