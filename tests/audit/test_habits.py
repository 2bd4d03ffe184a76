"""What labels alone say."""

import numpy as np
from damage import relabelled
from scipy.sparse import csr_array

from frex.audit.habits import labels_together, unused_topics
from frex.tree import TopicTree


def test_labels_that_come_together_are_told_once_in_each_direction(found):
    corpus = relabelled(found.corpus, lambda own: own | {"t2.3"} if "t1.1" in own else own)
    (one,) = labels_together(found.examples, corpus.labels)
    assert (one.kind, one.topic, one.other) == ("together", "t1.1", "t2.3")
    assert one.low > 0.9
    assert one.estimate == 1
    assert "below" in one.advice
    both = relabelled(
        found.corpus, lambda own: own | {"t1.1", "t2.3"} if own & {"t1.1", "t2.3"} else own
    )
    told = list(labels_together(found.examples, both.labels))
    assert {(one.topic, one.other) for one in told} == {("t1.1", "t2.3"), ("t2.3", "t1.1")}
    assert all("one label in two" in one.advice for one in told)
    assert list(labels_together(found.examples, found.corpus.labels)) == []


def test_topics_above_one_another_are_not_told(found):
    corpus = relabelled(found.corpus, lambda own: own | {"t1"} if "t1.1" in own else own)
    assert list(labels_together(found.examples, corpus.labels)) == []


def test_only_the_uppermost_of_unused_topics_is_named():
    tree = TopicTree(["a", "b", "c", "d", "e"], [None, "a", "b", None, None])
    labels = np.zeros((9, 5), bool)
    labels[:8, 3] = True
    labels[8, 4] = True
    told = {one.topic: one for one in unused_topics(csr_array(labels), tree)}
    assert {name: one.kind for name, one in told.items()} == {"a": "empty", "e": "tiny"}
    assert "nor under the 2 below" in told["a"].finding
    assert told["e"].documents == 1
    assert 0.9 < told["e"].probability < 0.95  # as many documents again bring fewer than five


def test_what_is_below_is_told_of_topics_that_have_any():
    tree = TopicTree(["a", "b", "c"], [None, "a", None])
    labels = csr_array(np.eye(3, dtype=bool))
    told = {one.topic: one.finding for one in unused_topics(labels, tree)}
    assert told["a"].startswith("a and all below it have 2 documents:")
    assert told["c"] == "c has 1 document: another 3 of all topics will bring 0 to 4 more."
