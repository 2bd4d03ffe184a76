"""Topics whose documents fall into two groups."""

import numpy as np
from damage import MERGED

from frex.audit.parts import split_topics, two_groups, view_of


def test_two_merged_topics_are_the_likeliest_to_be_split(found):
    told = sorted(
        split_topics(found.examples, found.sizes, least=0.0), key=lambda f: -f.probability
    )
    assert MERGED[0] in [one.topic for one in told[:2]]
    one = next(one for one in told if one.topic == MERGED[0])
    assert one.high > 0.8
    assert [group.name.split(",")[0] for group in one.groups] == ["part 1", "part 2"]
    assert not set(one.groups[0].words) & set(one.groups[1].words)
    assert len(told) < found.posterior.tree.n_topics + 1


def test_groups_are_those_that_were_merged(found):
    whole = view_of(found.own, np.ones(found.own.usage.shape[1], bool), np.random.default_rng(0))
    topic = found.posterior.tree.topics.index(MERGED[0])
    rows = np.arange(*found.own.starts[topic : topic + 2])
    side = two_groups(whole, rows, np.random.default_rng(0))
    assert 0.1 <= side.mean() <= 0.9
    assert np.allclose(whole.common.T @ whole.common, np.eye(whole.common.shape[1]), atol=1e-4)


def test_small_topics_are_left_alone(found):
    told = list(split_topics(found.examples, found.sizes, least=0.0))
    small = {found.posterior.tree.topics[k] for k in np.flatnonzero(found.own.sizes < 10)}
    assert not small & {one.topic for one in told}
