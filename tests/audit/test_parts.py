"""Topics whose documents fall into two groups."""

import numpy as np
from damage import MERGED
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize

from frex.audit.own_words import FOLDS, OwnWords
from frex.audit.parts import _distance, split_topics, two_groups, view_of

SIZE, N_WORDS = 60, 120


def by_hand(seed=0):
    """Return documents of four topics; those of the last are of two kinds, one after the other."""
    rng = np.random.default_rng(seed)
    rates = np.full((4 * SIZE, N_WORDS), 0.3)
    for topic in range(3):
        rates[topic * SIZE : (topic + 1) * SIZE, topic * 20 : topic * 20 + 20] *= 5
    half = SIZE // 2
    rates[3 * SIZE : 3 * SIZE + half, 60:90] *= 5
    rates[3 * SIZE + half :, 90:] *= 5
    usage = csr_array(normalize(rng.poisson(rates).astype(np.float32)))
    rows = np.arange(4 * SIZE)
    return OwnWords(usage, rows, np.arange(0, 4 * SIZE + 1, SIZE), rows % FOLDS)


def test_two_kinds_of_documents_are_told_apart_and_one_kind_is_not():
    own, rng = by_hand(), np.random.default_rng(1)
    first = rng.random(N_WORDS) < 0.5
    halves = [view_of(own, words, rng) for words in (first, ~first)]
    told = [
        _distance([half.of(k) for half in halves], own, np.arange(*own.starts[k : k + 2]), rng)
        for k in range(4)
    ]
    assert told[3].distance > 3
    assert all(one is None or one.distance < 1 for one in told[:3])


def test_the_groups_are_those_kinds():
    own, rng = by_hand(), np.random.default_rng(0)
    whole = view_of(own, np.ones(N_WORDS, bool), rng)
    side = two_groups(whole.of(3), np.arange(3 * SIZE, 4 * SIZE), rng)
    kinds = np.arange(SIZE) < SIZE // 2
    assert max(np.mean(side == kinds), np.mean(side != kinds)) > 0.95
    assert np.allclose(whole.common.T @ whole.common, np.eye(whole.common.shape[1]), atol=1e-4)


def test_topics_of_the_model_have_no_parts_and_a_finding_shows_both_sides(found):
    told = list(split_topics(found.examples, found.sizes, least=0.0))
    names = found.posterior.tree.topics
    small = {names[topic] for topic in np.flatnonzero(found.own.sizes < 10)}
    assert not small & {one.topic for one in told}
    assert all(one.probability < 0.5 for one in told if one.topic != MERGED[0])
    one = next(one for one in told if one.topic == MERGED[0])
    assert [group.name.split(",")[0] for group in one.groups] == ["part 1", "part 2"]
    assert not set(one.groups[0].words) & set(one.groups[1].words)
