import numpy as np
import pytest

from frex.corpus import Corpus
from frex.errors import InputError
from frex.evaluate import Design, Fits, intrusion
from frex.evaluate.intrusion import detection, interval
from frex.evaluate.vectors import Vectors

EAST, NORTH = np.array([1.0, 0.0]), np.array([0.0, 1.0])


def test_intruders_are_found_where_themes_differ():
    best = np.arange(40).reshape(2, 20)
    apart = np.array([EAST] * 20 + [NORTH] * 20)
    assert detection(best, apart).tolist() == [1, 1]
    assert detection(best, np.array([EAST] * 40)).tolist() == [0, 0]  # none is clearer
    # half of the second topic's words point to where the first topic is
    mixed = np.array([EAST] * 20 + [NORTH] * 10 + [EAST] * 10)
    assert detection(best, mixed).tolist() == [0.5, 1]


def test_by_comparing_all_words_one_by_one():
    rng = np.random.default_rng(2)
    vectors = rng.normal(size=(60, 4))
    directions = Vectors.of(vectors, "").directions
    best = np.stack([rng.permutation(60)[:20] for _ in range(3)])
    for topic, share in enumerate(detection(best, directions)):
        of_others = []
        for other in set(range(3)) - {topic}:
            right = []
            for word in set(best[other]) - set(best[topic]):
                shown = [*best[topic, :5], word]
                fit = [sum(directions[a] @ directions[b] for b in shown if b != a) for a in shown]
                right.append(np.argmin(fit) == 5)
            of_others.append(np.mean(right))
        assert share == pytest.approx(np.mean(of_others))


def test_a_topic_of_which_nothing_can_be_asked_has_no_share():
    best = np.tile(np.arange(5), (2, 4))
    assert np.isnan(detection(best, np.eye(5))).all()


def test_the_interval_holds_the_mean():
    shares = np.array([0.2, 0.9, 0.7, 0.6, 1.0, 0.4])
    low, high = interval(shares)
    assert 0.2 < low < shares.mean() < high < 1
    error = shares.std() / np.sqrt(len(shares))
    assert high - low == pytest.approx(2 * 1.96 * error, rel=0.15)
    assert interval(np.ones(10)) == (1, 1)


def test_themes_are_told_apart_by_the_company_of_their_words():
    rng = np.random.default_rng(4)
    rates = np.full((3, 75), 0.01)
    for theme in range(3):
        rates[theme, 25 * theme : 25 * theme + 25] = 0.6
    corpus = Corpus.from_matrices(np.concatenate([rng.poisson(row, (40, 75)) for row in rates]))
    fits = Fits(corpus, Design(("lda",), (3,)))
    rows = intrusion(fits)
    assert (rows["accuracy"] > 0.95).all()
    assert ((rows["low"] <= rows["accuracy"]) & (rows["accuracy"] <= rows["high"])).all()
    random = Vectors.of(rng.normal(size=(75, 5)), "random")
    assert (intrusion(fits, vectors=random)["accuracy"] < 0.5).all()
    few = Vectors.of(np.eye(75)[:, :19], "few")
    with pytest.raises(InputError, match="19 words of the corpus have vectors"):
        intrusion(fits, vectors=few)
