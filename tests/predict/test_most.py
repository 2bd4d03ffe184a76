"""The most labels of a new document."""

import numpy as np
import pytest
from scipy.special import expit

from frex.predict.judged import OutOfFold
from frex.predict.judges import FEATURES
from frex.predict.most import learn_most

N_DOCUMENTS, N_TOPICS, MOST = 200, 8, 4


def judged(given, seen=5):
    shape = N_DOCUMENTS * N_TOPICS
    return OutOfFold(
        topics=tuple("abcdefgh"),
        starts=np.arange(0, shape + 1, N_TOPICS),
        columns=np.tile(np.arange(N_TOPICS, dtype=np.int32), N_DOCUMENTS),
        features=np.zeros((shape, len(FEATURES)), np.float32),
        given=given.ravel(),
        near=np.ones(shape, bool),
        weights=np.ones(shape, np.float32),
        seen=np.full(shape, seen, np.int32),
        folds=np.zeros(N_DOCUMENTS, np.int32),
        saturation=10.0,
    )


@pytest.fixture(scope="module")
def half():
    """Return labels of which every document has half."""
    lots = np.random.default_rng(0).random((N_DOCUMENTS, N_TOPICS))
    return np.argsort(lots, axis=1) < MOST


THRESHOLDS = np.full(N_TOPICS, 0.3)


@pytest.mark.parametrize("criterion", ["micro", "macro", "both"])
def test_all_labels_are_best_if_words_say_nothing_and_every_document_has_half(half, criterion):
    odds = np.zeros(half.size)
    assert learn_most(judged(half), odds, THRESHOLDS, MOST, criterion) == N_TOPICS


def test_the_limit_holds_if_what_is_above_it_is_wrong(half):
    odds = np.where(half, 5.0, 0.0).ravel()
    assert learn_most(judged(half), odds, THRESHOLDS, MOST) == MOST


def test_labels_that_exclude_one_another_stay_single():
    """Although the F1 of all topics would be higher."""
    one = np.arange(N_TOPICS) == np.arange(N_DOCUMENTS)[:, None] % N_TOPICS
    assert learn_most(judged(one), np.zeros(one.size), THRESHOLDS, 1) == 1


def test_a_limit_that_no_document_reaches_is_kept(half):
    odds = np.where(half, 5.0, -5.0).ravel()
    assert learn_most(judged(half), odds, THRESHOLDS, MOST + 2) == MOST + 2


def test_topics_that_are_never_labels_do_not_count(half):
    odds = np.zeros(half.size)
    assert learn_most(judged(half, seen=0), odds, THRESHOLDS, MOST) == MOST
    never = np.ones(N_TOPICS)
    assert learn_most(judged(half), odds, never, MOST) == MOST


def test_a_sampled_topic_counts_for_those_that_it_stands_for(half):
    """Every document is known by its labels and by one other topic, for four."""
    said = judged(half)
    kept = half.copy()
    kept[np.arange(N_DOCUMENTS), np.argmin(half, axis=1)] = True
    place = kept.ravel()
    fewer = OutOfFold(
        said.topics, np.arange(N_DOCUMENTS + 1) * (MOST + 1), said.columns[place],
        said.features[place], said.given[place], said.near[place],
        np.where(half, 1.0, 4.0).ravel()[place].astype(np.float32), said.seen[place],
        said.folds, said.saturation,
    )  # fmt: skip
    assert expit(0.0) > THRESHOLDS[0]
    assert learn_most(fewer, np.zeros(place.sum()), THRESHOLDS, MOST) == N_TOPICS
