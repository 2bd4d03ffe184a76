"""Topics whose documents fall into two groups."""

import numpy as np
from damage import MERGED, TWINS
from scipy.sparse import csr_array
from sklearn.preprocessing import normalize

from frex.audit.groups import HeldOut
from frex.audit.own_words import FOLDS, OwnWords
from frex.audit.parts import (
    FEWEST,
    MOST_PAIRS,
    MOST_ROWS,
    Grouping,
    Parts,
    judge,
    split_topics,
    topics_of_two,
)
from frex.tree import TopicTree

SIZE, N_WORDS, FORM = 60, 120, 5
USUAL = HeldOut(0.3, 0.35)


def by_hand(seed=0):
    """Return documents of four siblings; those of the last are of two kinds, one after the other.

    All topics have documents of two forms, every other one, which tell on `FORM` words besides.
    """
    rng = np.random.default_rng(seed)
    rates = np.full((4 * SIZE, N_WORDS), 0.3)
    for topic in range(3):
        rates[topic * SIZE : (topic + 1) * SIZE, topic * 20 : topic * 20 + 20] *= 5
    half = SIZE // 2
    rates[3 * SIZE : 3 * SIZE + half, 60:80] *= 5
    rates[3 * SIZE + half :, 80:100] *= 5
    rates[::2, -FORM:] *= 20
    usage = csr_array(normalize(rng.poisson(rates).astype(np.float32)))
    rows = np.arange(4 * SIZE)
    return OwnWords(usage, rows, np.arange(0, 4 * SIZE + 1, SIZE), rows % FOLDS)


def flat(n):
    return TopicTree([f"t{k}" for k in range(n)], [None] * n)


def grouping(own, seed=0):
    return Grouping(own, flat(len(own.sizes)), own.sizes, seed)


def test_groups_are_what_the_topic_is_about_and_not_the_form_of_its_documents():
    parts = grouping(by_hand()).of((3,))
    kinds, forms = np.arange(SIZE) < SIZE // 2, np.arange(SIZE) % 2 == 0
    assert max(np.mean(parts.first == kinds), np.mean(parts.first != kinds)) > 0.95
    assert 0.3 < np.mean(parts.first == forms) < 0.7


def test_two_kinds_of_documents_differ_more_than_one_kind_does():
    cosines = [grouping(by_hand()).of((topic,)).cosine for topic in range(4)]
    assert min(cosines[:3]) > cosines[3] + 0.2, cosines


def test_siblings_filed_together_are_two_groups():
    grouped = grouping(by_hand())
    parts = grouped.of((0, 1))
    kinds = parts.rows < SIZE
    assert parts.size == 2 * SIZE
    assert len(parts.rows) == 2 * SIZE <= MOST_ROWS
    assert max(np.mean(parts.first == kinds), np.mean(parts.first != kinds)) > 0.95


def test_a_document_with_both_labels_counts_once():
    own = by_hand()
    documents = own.documents.copy()
    documents[SIZE : SIZE + 10] = np.arange(10)
    parts = grouping(own._replace(documents=documents)).of((0, 1))
    assert len(parts.rows) == 2 * SIZE - 10
    assert len(np.unique(documents[parts.rows])) == len(parts.rows)


def test_pairs_are_siblings_without_topics_below_them_and_large_enough():
    tree = TopicTree(["a", "b", "a1", "a2", "a3", "b1"], [None, None, "a", "a", "a", "b"])
    own = by_hand()
    sizes = {"a": 20, "a1": FEWEST - 1, "a2": FEWEST, "a3": 20, "b": 20, "b1": 20}
    starts = np.concatenate([[0], np.cumsum([sizes[name] for name in tree.topics])])
    own = own._replace(
        starts=starts, usage=own.usage[: starts[-1]], documents=own.documents[: starts[-1]]
    )
    pairs = Grouping(own, tree, np.diff(starts), 0).pairs()
    assert [[tree.topics[topic] for topic in pair] for pair in pairs] == [["a2", "a3"]]


def test_siblings_whose_documents_are_the_same_say_nothing_of_two_filed_together():
    own = by_hand()
    documents = own.documents.copy()
    documents[SIZE : SIZE + 31] = np.arange(31)
    grouped = grouping(own._replace(documents=documents))
    assert grouped.same(0, 1)
    assert not grouped.same(0, 2)
    assert not grouping(own).same(0, 1)
    one = own._replace(documents=np.arange(4 * SIZE) % SIZE)  # all documents have all labels
    assert list(topics_of_two(one, flat(4), own.sizes)) == []


def test_many_siblings_are_paired_at_random():
    n = 3000
    usage = csr_array(np.ones((n, 1), np.float32))
    own = OwnWords(usage, np.arange(n), np.arange(n + 1), np.zeros(n, np.int64))
    pairs = Grouping(own, flat(n), np.full(n, FEWEST), 0).pairs()
    assert MOST_PAIRS * 0.9 < len(pairs) <= MOST_PAIRS
    assert len({one for pair in pairs for one in pair}) > 1.8 * len(pairs)


def of_cosines(rng, n_topics, n_two, n_pairs=200):
    """Return topics, some of which are two, and pairs; and which topics are two."""
    two = np.arange(n_topics) < n_two
    rng.shuffle(two)

    def make(is_two):
        value = rng.normal(0.35 if is_two else 0.6, 0.15)
        return Parts((0,), np.arange(4), np.arange(4) < 2, value, int(rng.integers(20, 200)), USUAL)

    return [make(one) for one in two], [make(True) for _ in range(n_pairs)], two


def test_a_judged_topic_says_how_many_groups_differ_less():
    rng = np.random.default_rng(0)
    rows, first = np.arange(4), np.arange(4) < 2
    topics, pairs = (
        [Parts((k,), rows, first, float(c), 20, USUAL) for k, c in enumerate(rng.random(n))]
        for n in (30, 50)
    )
    told = list(judge(topics, pairs))
    for one, parts in zip(told, topics, strict=True):
        assert one.parts is parts
        assert one.topics == np.mean([other.cosine > parts.cosine for other in topics])
        less = np.mean([other.cosine > parts.cosine for other in pairs])
        low, high = one.pairs[1:]
        assert 0 < low < one.pairs[0] < high < 1
        assert abs(one.pairs[0] - less) < 0.02
    assert list(judge(topics, [])) == []
    assert list(judge([], pairs)) == []


def test_topics_of_two_come_first_and_a_finding_shows_both_groups(found):
    """Each of `TWINS` has documents of two topics as well, for they were dealt out anew."""
    told = list(split_topics(found.examples, found.sizes, least=0.0))
    names = found.posterior.tree.topics
    small = {names[topic] for topic in np.flatnonzero(found.sizes < FEWEST)}
    assert not small & {one.topic for one in told}
    told.sort(key=lambda one: -one.probability)
    assert {one.topic for one in told[:3]} == {MERGED[0], *TWINS}
    assert all(one.probability < 0.05 for one in told[3:])
    one = next(one for one in told if one.topic == MERGED[0])
    assert [group.name.split(",")[0] for group in one.groups] == ["group 1", "group 2"]
    assert not set(one.groups[0].words) & set(one.groups[1].words)
    assert 0 < one.low < one.estimate < one.high < 1


def test_a_topic_larger_than_all_pairs_is_not_two_for_that():
    """Sizes count by how many topics are smaller, not by themselves."""
    topics, pairs, _ = of_cosines(np.random.default_rng(0), 100, 5)
    huge = topics[0]._replace(size=10**6, cosine=0.6)
    large = huge._replace(size=10**3)
    told = [next(iter(judge([one, *topics[1:]], pairs))).chance for one in (huge, large)]
    assert told[0] == told[1] < 0.2


def test_groups_that_hold_for_other_documents_tell_topics_of_two():
    """Cosines and sizes being alike, they are all that tells."""
    topics, pairs, two = of_cosines(np.random.default_rng(1), 100, 5)
    rng = np.random.default_rng(2)

    def make(parts, is_two):
        one = float(rng.normal(0.3, 0.03))
        gain = float(rng.normal(0.06 if is_two else 0.01, 0.01))
        return parts._replace(cosine=0.5, size=50, held_out=HeldOut(one, one + gain))

    topics = [make(*each) for each in zip(topics, two, strict=True)]
    told = list(judge(topics, [make(one, is_two=True) for one in pairs]))
    chances = np.array([one.chance for one in told])
    assert chances[two].min() > 0.5
    assert chances[~two].max() < 0.1
