"""What a document's other labels say of a label."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from frex.audit.companions import (
    RIDGE,
    companion_scores,
    companion_weights,
    with_companions,
)
from frex.predict import OutOfFold
from frex.predict.judges import FEATURES

TOPICS = ("door", "lock", "sea", "ship")
N = 400


def documents(seed=0):
    """Return labels of which the first two come together, and the last two; a tenth have one."""
    rng = np.random.default_rng(seed)
    both = np.repeat(rng.random((N, 2)) < 0.4, 2, axis=1)
    both[~both.any(axis=1), 0] = True
    return both & (rng.random((N, 4)) < 0.9)


def judged(given, folds=None):
    """Return all places of the labels; words say nothing of any."""
    n, k = given.shape
    places = n * k
    return OutOfFold(
        topics=TOPICS[:k],
        starts=np.arange(0, places + 1, k),
        columns=np.tile(np.arange(k, dtype=np.int32), n),
        features=np.zeros((places, len(FEATURES)), np.float32),
        given=given.ravel(),
        near=np.ones(places, bool),
        weights=np.ones(places, np.float32),
        seen=np.ones(places, np.int32),
        folds=np.arange(n) % 5 if folds is None else folds,
        saturation=1.0,
    )


def test_labels_that_come_together_speak_for_each_other():
    given = documents()
    said = companion_scores(judged(given)).reshape(given.shape)
    assert said[given[:, 1], 0].mean() > 0.6
    assert abs(said[~given[:, 1] & given[:, 3], 0].mean()) < 0.2


def test_it_is_the_regression_on_the_other_labels_of_other_folds():
    given = documents()
    folds = np.arange(N) % 5
    said = companion_scores(judged(given)).reshape(given.shape)
    for topic in range(4):
        rest = np.delete(np.arange(4), topic)
        x, y = given[folds != 2][:, rest].astype(float), given[folds != 2, topic].astype(float)
        weights = np.linalg.solve(x.T @ x + RIDGE * np.eye(3), x.T @ y)
        assert np.allclose(said[folds == 2, topic], given[folds == 2][:, rest] @ weights)


def test_no_label_speaks_for_itself():
    given = documents()
    changed = given.copy()
    changed[0, 0] = ~changed[0, 0]
    before, after = (companion_scores(judged(one)).reshape(given.shape) for one in (given, changed))
    assert before[0, 0] == after[0, 0]
    assert before[0, 1] != after[0, 1]


def test_log_odds_follow_and_are_kept_where_documents_have_one_label():
    given = documents()
    odds = with_companions(judged(given), np.zeros(given.size)).reshape(given.shape)
    assert odds[given[:, 1], 0].mean() > odds[~given[:, 1], 0].mean() + 1
    single = np.eye(4, dtype=bool)[np.arange(N) % 4]
    words = np.random.default_rng(0).normal(size=single.size) + 3 * single.ravel()
    order = np.argsort(words)
    assert (np.diff(with_companions(judged(single), words)[order]) >= 0).all()


@pytest.mark.parametrize("value", [True, False])
def test_nothing_is_learned_where_all_labels_are_alike(value):
    given, odds = np.full((10, 2), value), np.arange(20.0)
    assert np.array_equal(with_companions(judged(given), odds), odds)


def test_weights_are_high_between_labels_that_come_together():
    weights = companion_weights(csr_array(documents().astype(float)))
    assert weights[0, 1] > 0.3
    assert weights[2, 3] > 0.3
    assert abs(weights[0, 3]) < 0.2
    assert (np.diag(weights) == 0).all()
