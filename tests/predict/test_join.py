"""One log odds of what HPC and the linear scorer say."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import expit

from frex.predict.join import learn_join, learnable, regress
from frex.predict.judged import OutOfFold
from frex.predict.judges import FEATURES, OF_LINEAR

TRUE = [1.0, -0.5, 0.4, 0.3, 0.0, 0.8, 0.0, 0.2, 0.1, -0.3]


@pytest.fixture(scope="module")
def judged():
    """Return 500 documents at 8 places each whose labels are drawn from known log odds."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(4000, len(FEATURES))).astype(np.float32)
    odds = features @ TRUE - 1.0
    near = np.ones(4000, bool)
    near[3] = False
    seen = np.full(4000, 5, np.int32)
    seen[4] = 0
    return OutOfFold(
        topics=tuple("abcdefgh"),
        starts=np.arange(0, 4001, 8),
        columns=np.tile(np.arange(8, dtype=np.int32), 500),
        features=features,
        given=rng.random(4000) < expit(odds),
        near=near,
        weights=np.ones(4000, np.float32),
        seen=seen,
        folds=np.zeros(500, np.int32),
        saturation=10.0,
    )


def test_the_coefficients_are_found(judged):
    join = learn_join(judged)
    np.testing.assert_allclose(join.coefficients, TRUE, atol=0.15)
    assert join.intercept == pytest.approx(-1.0, abs=0.15)


def test_planes_give_the_same_log_odds(judged):
    join = learn_join(judged)
    table = judged.features.reshape(500, 8, -1)
    planes = [table[..., f] for f in range(len(FEATURES))]
    found = join.log_odds_of_planes(planes)
    np.testing.assert_allclose(found, join.log_odds(table), rtol=1e-4, atol=1e-5)


def test_features_may_be_left_out(judged):
    join = learn_join(judged, OF_LINEAR)
    assert not join.coefficients[[FEATURES.index("words"), FEATURES.index("branch")]].any()


def test_unseen_topics_teach_nothing(judged):
    assert np.flatnonzero(~learnable(judged)).tolist()[0] == 4


def test_a_place_that_stands_for_several_counts_as_often():
    rng = np.random.default_rng(1)
    features = rng.normal(size=(400, 2)).astype(np.float32)
    target = rng.random(400) < expit(features[:, 0])
    weights = rng.integers(1, 4, 400).astype(np.float32)
    often = np.repeat(np.arange(400), weights.astype(int))
    np.testing.assert_allclose(
        regress(features, target, weights), regress(features[often], target[often]), rtol=0.02
    )


def test_a_feature_that_does_not_vary_has_no_coefficient():
    features = np.ones((50, 2), np.float32)
    features[:, 1] = np.arange(50)
    assert regress(features, np.arange(50) % 3 > 0)[1] == 0


@pytest.mark.parametrize("known", [True, False])
def test_of_one_kind_alone_nothing_tells_the_two_apart(judged, known):
    """So it is of a tree of one topic, and of topics that have a document each."""
    first = np.arange(4000) % 8 == 0
    given, seen = (np.ones(4000, bool), 5) if known else (first, np.where(first, 0, 5))
    join = learn_join(replace(judged, given=given, seen=np.full(4000, seen, np.int32)))
    assert not join.coefficients.any()
    assert np.sign(join.intercept) == (1 if known else -1)
    assert np.isfinite(join.log_odds(judged.features)).all()
