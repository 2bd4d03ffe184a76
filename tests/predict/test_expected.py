"""Thresholds by the F1 that is to be expected."""

import numpy as np
import pytest
from scipy.special import expit

from frex.predict.expected import Places, bands, expected_thresholds

N_DOCUMENTS = 4000
SHARES = np.array([0.3, 0.1, 0.03, 0.02, 0.01])
SPREADS = np.array([6.0, 3.0, 1.5, 1.5, 1.0])
"""Rare topics are hard to tell."""


@pytest.fixture(scope="module")
def world():
    """Return places of documents whose labels are drawn from known log odds, and the labels."""
    rng = np.random.default_rng(0)
    level = np.log(SHARES)
    odds = level + rng.normal(size=(N_DOCUMENTS, len(SHARES))) * SPREADS
    return odds, rng.random(odds.shape) < expit(odds)


def places_of(odds, seen=50):
    rows, columns = np.divmod(np.arange(odds.size), odds.shape[1])
    sizes = np.full(odds.size, seen) if np.isscalar(seen) else np.tile(seen, len(odds))
    return Places(odds.ravel(), rows, columns, sizes, np.ones(odds.size))


def f1s(odds, labels, thresholds):
    """Return expected micro and macro F1 of documents that get their foremost topic in any case."""
    lead, chance = odds - np.log(thresholds / (1 - thresholds)), expit(odds)
    given = (lead >= 0) | (lead == lead.max(axis=1, keepdims=True))
    true, size = (given * chance).sum(0), given.sum(0) + chance.sum(0)
    return 2 * true.sum() / size.sum(), (2 * true / size).mean()


def test_each_criterion_is_best_at_what_it_is_for(world):
    odds, labels = world
    sizes = labels.sum(0)
    found = {
        name: f1s(odds, labels, expected_thresholds(places_of(odds), labels.sum(), sizes, name))
        for name in ("micro", "both", "macro")
    }
    assert found["micro"][0] > found["both"][0] > found["macro"][0]
    assert found["micro"][1] < found["both"][1] < found["macro"][1]
    # no threshold that is the same for all topics has a better mean of both
    alike = [sum(f1s(odds, labels, np.full(5, level))) for level in np.linspace(0.05, 0.8, 40)]
    assert sum(found["both"]) > max(alike)


def test_for_micro_f1_all_thresholds_are_half_of_it(world):
    odds, labels = world
    thresholds = expected_thresholds(places_of(odds), labels.sum(), labels.sum(0), "micro")
    micro, _ = f1s(odds, labels, thresholds)
    np.testing.assert_allclose(thresholds, micro / 2, atol=0.02)


def test_rare_topics_have_low_thresholds(world):
    odds, labels = world
    seen = labels.sum(0)
    thresholds = expected_thresholds(places_of(odds, seen), labels.sum(), seen)
    assert thresholds[4] < thresholds[2] < thresholds[0]


def test_a_topic_that_no_judge_knew_has_the_threshold_of_its_size(world):
    odds, labels = world
    seen = np.array([50, 50, 1, 1, 0])
    odds = odds.copy()
    odds[:, 4] = -30.0
    sizes = np.array([60, 60, 1, 1, 1])
    thresholds = expected_thresholds(places_of(odds, seen), labels.sum(), sizes)
    assert 0.01 < thresholds[4] < 0.5
    assert np.isfinite(thresholds).all()


def test_bands_double():
    assert bands(np.array([0, 1, 2, 3, 4, 7, 8, 100])).tolist() == [0, 0, 1, 1, 2, 2, 3, 6]
