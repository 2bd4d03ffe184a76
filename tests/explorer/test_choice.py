import numpy as np
import pytest

from frex.explorer.choice import (
    LIST,
    STEPS,
    choose_words,
    first_in_lists,
    leaders,
    make_plan,
)
from frex.scores import ecdf, frex_from


def scores(seed, n_words=500):
    rng = np.random.default_rng(seed)
    return np.round(rng.random((2, n_words)), 2)  # rounded: many words tie


def test_leaders_are_those_of_frex_from_ties_and_all():
    exclusivity, frequency = scores(0)
    best = leaders(ecdf(exclusivity), ecdf(frequency))
    for step in range(STEPS + 1):
        expected = frex_from(exclusivity, frequency, weight=step / STEPS)
        assert best[step].tolist() == np.argsort(-expected, kind="stable")[:LIST].tolist()


def test_a_small_vocabulary_is_listed_whole():
    exclusivity, frequency = (ecdf(values) for values in scores(1, n_words=7))
    best = leaders(exclusivity, frequency)
    assert best.shape == (STEPS + 1, 7)
    words, length = choose_words([best], frequency, records=120)
    assert (sorted(words), length) == (list(range(7)), 7)


def test_chosen_words_fill_every_list_and_the_rest_is_spread():
    exclusivity, frequency = (ecdf(values) for values in scores(2))
    best = leaders(exclusivity, frequency)
    words, length = choose_words([best], frequency, records=300)
    assert length == LIST
    assert set(best.ravel()) <= set(words)
    assert len(set(words)) == len(words) == 300
    assert frequency[words].min() < 0.05


def test_lists_give_way_where_there_is_little_room():
    several = [leaders(*(ecdf(values) for values in scores(seed))) for seed in range(6)]
    frequency = ecdf(scores(0)[1])
    words, length = choose_words(several, frequency, records=200)
    assert 10 <= length < LIST
    for best in several:
        assert set(best[:, :length].ravel()) <= set(words)


def test_candidates_high_in_any_list_come_first():
    best = np.array([[4, 2, 7], [9, 4, 2]])
    candidates = np.array([7, 1, 2, 9], np.int32)
    assert candidates[first_in_lists(best, candidates, 3)].tolist() == [9, 2, 7]


@pytest.mark.parametrize(("n_sets", "n_scored"), [(2, 1), (2, 2), (4, 3)])
def test_the_plan_keeps_a_large_fit_below_15_mb(n_sets, n_scored):
    plan = make_plan(
        500, 20_000, n_lists=560, n_sets=n_sets, n_scored=n_scored, candidates=100, draws=200
    )
    record = 6 + 4 * n_sets
    bytes_ = 560 * plan.records * record + 20_000 * plan.topics * record
    bytes_ += 500 * n_scored * plan.scored * plan.draws * 2
    assert bytes_ * 4 / 3 < 14.5e6
    assert plan.records >= 120
    assert plan.topics >= 10


def test_the_plan_asks_for_no_more_than_there_is():
    plan = make_plan(3, 50, n_lists=4, n_sets=2, n_scored=0, candidates=0, draws=0)
    assert plan == (50, 3, 0, 0)
