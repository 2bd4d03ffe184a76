"""Topics that are closer to another parent."""

from damage import MOVED

from frex.audit.moves import candidates, moved_topics


def test_a_moved_topic_is_sent_back_to_where_it_came_from(found):
    told = list(moved_topics(found.examples, found.sizes))
    assert [(one.topic, one.other) for one in told] == [(MOVED[0], "t3")]
    (one,) = told
    assert one.probability > 0.9
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
