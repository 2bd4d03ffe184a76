"""Topics that are closer to another parent."""

import numpy as np
from damage import MOVED
from scipy.sparse import csr_array

from frex.audit.moves import _Branches, _own_documents, candidates, moved_topics
from frex.audit.own_words import OwnWords
from frex.tree import TopicTree


def test_a_moved_topic_is_sent_back_to_where_it_came_from(found):
    told = list(moved_topics(found.examples, found.sizes))
    assert [(one.topic, one.other) for one in told] == [(MOVED[0], "t3")]
    (one,) = told
    assert one.probability > 0.7
    assert 1 / 2 < one.low < one.estimate < one.high
    assert "t4" in one.finding
    assert "under t3" in one.advice


def test_topics_at_the_top_and_parents_in_the_same_branch_are_no_candidates(found):
    tree = found.posterior.tree
    for move in candidates(found.own, tree):
        node, other = move.topic + 1, move.parent + 1
        assert tree.parents[node] != 0
        assert other != tree.parents[node]
        assert other not in tree.ancestors(node)
        assert 0 <= move.closer <= move.documents


def test_a_document_is_not_close_to_a_branch_for_being_filed_there(found):
    """Its part about another topic is no evidence that this one belongs there."""
    own, tree = found.own, found.posterior.tree
    itself = _own_documents(own, tree).toarray()
    usage, topics = own.usage.toarray(), own.topics
    rng = np.random.default_rng(0)
    for row in rng.choice(len(topics), 50, replace=False).tolist():
        for node in range(1, tree.n_nodes):
            below = np.array([node in (k + 1, *tree.ancestors(k + 1)) for k in topics])
            same = below & (own.documents == own.documents[row])
            assert np.isclose(itself[row, node], (usage[same] @ usage[row]).sum(), atol=1e-5)


def test_parents_within_the_topics_own_branch_are_no_others():
    tree = TopicTree(
        ["a", "a1", "a2", "b", "b1", "c", "c1"], [None, "a", "a1", None, "b", None, "c"]
    )
    n = tree.n_topics
    usage = csr_array(np.eye(4 * n, dtype=np.float32))
    own = OwnWords(usage, np.arange(4 * n), np.arange(0, 4 * n + 1, 4), np.zeros(4 * n, np.int64))
    branches = _Branches(own, tree)
    node, trial = tree.node("a1"), tree.node("b")
    names = lambda nodes: [tree.names[other] for other in nodes]  # noqa: E731 - two uses below
    assert names(branches.others(node, tree.node("a"))) == ["b", "c"]
    assert names(branches.others(node, trial)) == ["a", "c"]


def test_of_topics_with_hardly_any_documents_nothing_is_said():
    tree = TopicTree(["a", "a1", "a2", "b", "b1"], [None, "a", "a", None, "b"])
    sizes = np.array([4, 4, 5, 4, 4])
    n, starts = int(sizes.sum()), np.concatenate([[0], np.cumsum(sizes)])
    usage = csr_array(np.random.default_rng(0).random((n, 6)).astype(np.float32))
    own = OwnWords(usage, np.arange(n), starts, np.zeros(n, np.int64))
    assert [tree.topics[move.topic] for move in candidates(own, tree)] == ["a2"]
