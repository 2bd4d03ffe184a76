"""How likely labels are wrong or missing, given odds."""

import numpy as np
from scipy.special import expit

from frex.audit import doubts
from frex.audit.doubts import Places, document_doubts, find_doubts
from frex.model import branching_tree
from frex.tree import TopicTree

TREE = branching_tree((4, 5))
LEAVES = np.array([k for k in range(TREE.n_topics) if not TREE.children(k + 1)])
N = 1500


def draw(seed, *, swapped=0.06, deleted=0.06):
    """Draw odds that are right, labels by them, and errors."""
    rng = np.random.default_rng(seed)
    odds = np.full((N, TREE.n_topics), -9.0)
    odds[:, LEAVES] = rng.normal(-6, 4.5, (N, len(LEAVES)))
    true = rng.random(odds.shape) < expit(odds)
    given, swaps = true.copy(), set()
    for document, topic in np.argwhere(true):
        lot = rng.random()
        if lot < swapped:
            siblings = [s - 1 for s in TREE.siblings(topic + 1)]
            new = rng.choice(siblings if rng.random() < 0.5 else LEAVES)
            given[document, topic], given[document, new] = False, True
            swaps.add((int(document), int(new), int(topic)))
        elif lot < swapped + deleted:
            given[document, topic] = False
    places = Places(*(np.repeat(np.arange(N), TREE.n_topics), np.tile(np.arange(TREE.n_topics), N)),
                    odds.ravel(), given.ravel(), *np.ones((2, given.size), bool), N)  # fmt: skip
    return places, true.ravel(), swaps


def test_probabilities_are_frequencies():
    places, true, _ = draw(0)
    told = find_doubts(places, TREE)
    for chances, truth, of in (
        (told.wrong, ~true, places.given),
        (told.missing, true, ~places.given),
    ):
        for low, high in ((0.02, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 1.0)):
            own = of & (chances > low) & (chances <= high)
            error = 3 * np.sqrt(0.25 / max(own.sum(), 1)) + 0.04
            assert abs(chances[own].mean() - truth[own].mean()) < error, (low, own.sum())
    habits = told.habits
    assert abs(habits.deleted - 0.06) < 0.02
    assert abs(habits.instead - 0.03) < 0.015
    assert abs(habits.sibling - 0.03) < 0.015
    assert habits.anywhere < 0.02


def test_what_belongs_in_the_place_of_a_wrong_label_is_known_as_often_as_is_said():
    places, _, swaps = draw(0)
    told = find_doubts(places, TREE)
    pairs = told.pairs
    so = np.array([
        (document, wrong, lost) in swaps
        for document, wrong, lost in zip(
            places.documents[pairs.given].tolist(), places.topics[pairs.given].tolist(),
            places.topics[pairs.absent].tolist(), strict=True,
        )
    ])  # fmt: skip
    for low, high in ((0.05, 0.3), (0.3, 0.7), (0.7, 1.0)):
        own = (told.swapped > low) & (told.swapped <= high)
        error = 3 * np.sqrt(0.25 / own.sum()) + 0.04
        assert abs(told.swapped[own].mean() - so[own].mean()) < error, (low, own.sum())
    assert (told.swapped > 0.7).sum() > 20


def test_who_makes_no_errors_is_not_doubted():
    places, *_ = draw(1, swapped=0, deleted=0)
    told = find_doubts(places, TREE)
    assert told.wrong[places.given].mean() < 0.02
    assert told.habits.deleted < 0.02


def test_a_missing_sibling_makes_a_label_more_doubtful():
    places, *_ = draw(0)
    habits = find_doubts(places, TREE).habits
    assert habits.sibling > 0.01


def test_what_no_judge_knows_is_not_doubted():
    places, *_ = draw(2)
    known = places.topics != LEAVES[3]
    told = find_doubts(places._replace(known=known), TREE)
    assert not told.wrong[~known].any()
    assert not told.missing[~known].any()


def test_ancestors_of_given_labels_are_not_missing():
    tree = TopicTree(["a", "b", "c"], [None, "a", None])
    documents, topics = np.repeat(np.arange(40), 3), np.tile(np.arange(3), 40)
    given = topics == np.where(documents % 2, 1, 2)
    odds = np.where(given, 4.0, np.where(topics == 0, 4.0, -4.0))
    places = Places(documents, topics, odds, given, *np.ones((2, 120), bool), 40)
    told = find_doubts(places, tree)
    under = (documents % 2 == 1) & (topics == 0)
    assert not told.missing[under].any()
    assert told.missing[(documents % 2 == 0) & (topics == 0)].all()


def test_a_label_that_is_surely_wrong_counts_more_than_several_that_may_be():
    places, *_ = draw(0)
    told = find_doubts(places, TREE)
    wrong, missing = np.zeros((2, N, TREE.n_topics))
    wrong[0, 0] = 0.99  # 0.99 of an error
    wrong[1, :2], missing[1, 2] = 0.6, 0.6  # 1.8
    wrong[2, 0], missing[2, 1] = 0.99, 0.6
    wrong[3, 0] = 1.0
    doubts = document_doubts(places, told._replace(wrong=wrong.ravel(), missing=missing.ravel()))
    assert np.argsort(-doubts)[:4].tolist() == [3, 2, 0, 1]
    np.testing.assert_allclose(doubts[:3], -np.log([0.01, 0.4**3, 0.01 * 0.4]))
    assert np.isfinite(doubts[3])
    assert not doubts[4:].any()


def test_of_many_documents_every_so_many_th_teaches(monkeypatch):
    places, *_ = draw(0)
    whole = find_doubts(places, TREE)
    monkeypatch.setattr(doubts, "MOST_PLACES", places.given.size // 2 + 1)
    some = find_doubts(places, TREE)
    even = places.documents % 2 == 0
    half = Places(*(part[even] for part in places[:-1]), N // 2)
    half = half._replace(documents=half.documents // 2)
    assert some.habits == find_doubts(half, TREE).habits != whole.habits
    assert len(some.wrong) == len(whole.wrong)
    np.testing.assert_allclose(some.wrong, whole.wrong, atol=0.25)
