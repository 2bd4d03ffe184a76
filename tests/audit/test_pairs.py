"""Siblings and topics elsewhere that words do not tell apart; catch-alls."""

from damage import TWINS

from frex.audit.pairs import alike_topics, catch_alls, neighbours


def test_a_topic_split_at_random_is_found_and_no_other(found):
    told = list(alike_topics(found.examples, found.sizes))
    assert [(one.kind, one.topic, one.other) for one in told] == [("merge", *TWINS)]
    (one,) = told
    assert one.probability > 0.9
    assert one.low < 0.56 < one.high + 0.1
    assert TWINS[0] in one.finding
    assert "Merge" in one.advice
    assert all(group.words and group.documents for group in one.groups)


def test_all_pairs_are_judged_where_nothing_is_too_unlikely(found):
    told = list(alike_topics(found.examples, found.sizes, least=0.0))
    within, across = neighbours(found.own, found.posterior.tree)
    assert len(told) <= len(within) + len(across)
    assert {one.kind for one in told} == {"merge", "duplicate"}
    tree = found.posterior.tree
    for one in told:
        same = tree.parents[tree.node(one.topic)] == tree.parents[tree.node(one.other)]
        assert same == (one.kind == "merge")


def test_steps_are_told(found):
    steps = []
    neighbours(found.own, found.posterior.tree, steps.append)
    assert sum(steps) == found.posterior.tree.n_topics


def test_topics_of_a_drawn_corpus_have_words_of_their_own(found):
    assert list(catch_alls(found.examples, found.sizes)) == []
    judged = list(catch_alls(found.examples, found.sizes, least=0.0))
    assert judged
    assert {one.kind for one in judged} == {"catch-all"}
    assert all(one.other is None and len(one.groups) == 1 for one in judged)
