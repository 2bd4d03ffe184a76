"""Words and documents that show what a finding is about."""

from dataclasses import replace

import numpy as np

from frex.audit.examples import Examples
from frex.tree import TopicTree


def test_a_topic_is_shown_by_its_words_and_typical_documents(found):
    group = found.examples.topic(0)
    assert group.name == "t1"
    assert len(group.words) == 8
    assert set(group.documents) <= set(found.corpus.ids)


def test_a_group_is_shown_by_what_it_has_over_the_other(found):
    own = found.own
    first, second = (np.arange(*own.starts[k : k + 2]) for k in (5, 9))
    here, there = found.examples.group("a", first, second), found.examples.group("b", second, first)
    assert not set(here.words) & set(there.words)
    assert set(here.documents) <= {found.corpus.ids[row] for row in own.documents[first]}


def test_topics_of_one_title_go_by_their_names(found):
    tree = found.posterior.tree
    parents = [None if p == 0 else tree.names[p] for p in tree.parents[1:]]
    titled = TopicTree(tree.topics, parents, ["Same", "Same", *tree.topics[2:]])
    examples = Examples(replace(found.posterior, tree=titled), found.own)
    assert [examples.title(topic) for topic in range(3)] == list(tree.topics[:3])
