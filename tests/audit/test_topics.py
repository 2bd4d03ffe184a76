"""The health of topics, from a fit and its corpus."""

from dataclasses import replace

import pytest
from damage import MOVED, TWINS

from frex.audit import audit_topics, topic_table
from frex.audit.topics import LEAST, PASSES, UNUSED
from frex.errors import InputError


@pytest.fixture(scope="module")
def findings(damaged, found):
    steps = []
    told = audit_topics(found.posterior, damaged, progress=steps.append)
    assert sum(steps) == PASSES * found.posterior.tree.n_topics
    return told


def test_the_damage_is_found_and_the_likeliest_come_first(findings):
    told = {(one.kind, one.topic, one.other) for one in findings}
    assert ("merge", *TWINS) in told
    assert ("move", MOVED[0], "t3") in told
    order = [(one.kind in UNUSED, -one.probability) for one in findings]
    assert order == sorted(order)
    assert all(one.probability >= LEAST for one in findings)


def test_the_table_has_a_row_for_each(findings):
    table = topic_table(findings)
    assert table["topic"].tolist() == [one.topic for one in findings]
    assert table["words"].str.len().max() > 10


def test_the_same_seed_finds_the_same(findings, damaged, found):
    assert audit_topics(found.posterior, damaged) == findings


def test_another_corpus_is_refused(damaged, found):
    with pytest.raises(InputError, match="not the one that was fitted"):
        audit_topics(found.posterior, damaged.take(range(100)))
    with pytest.raises(InputError, match="no labels"):
        audit_topics(found.posterior, replace(damaged, tree=None))
