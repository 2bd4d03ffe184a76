"""Probabilities that are learned by doing damage on trial."""

import numpy as np
import pytest

from frex.audit.trials import FEWEST, WRONG, chances


def drawn(rng, n, n_wrong, n_trials=200):
    """Return features of topics, some of which are wrong, of trials, and which are wrong."""
    wrong = np.arange(n) < n_wrong
    rng.shuffle(wrong)

    def features(which):
        noise = rng.normal(size=(len(which), 2))
        return noise + np.outer(which, [1.5, 0.5])

    return features(wrong), features(np.ones(n_trials)), wrong


def test_probabilities_are_frequencies_where_one_topic_in_twenty_is_wrong():
    told, truth = [], []
    for seed in range(30):
        topics, trials, wrong = drawn(np.random.default_rng(seed), 200, round(200 * WRONG))
        told.append(chances(topics, trials))
        truth.append(wrong)
    told, truth = np.concatenate(told), np.concatenate(truth)
    for low, high in ((0, 0.02), (0.02, 0.1), (0.1, 0.3), (0.3, 1)):
        own = (told >= low) & (told < high)
        assert own.sum() > 50
        error = np.sqrt(told[own].mean() * (1 - told[own].mean()) / own.sum())
        assert abs(told[own].mean() - truth[own].mean()) < max(0.01, 3 * error)


def test_no_topic_is_judged_by_itself():
    """Whatever one topic looks like, what is said of those of its fold does not change."""
    topics, trials, _ = drawn(np.random.default_rng(0), 50, 2)
    changed = topics.copy()
    changed[0] = changed[0][::-1]
    before, after = chances(topics, trials), chances(changed, trials)
    assert before[0] != after[0]
    assert np.allclose(before[5::5], after[5::5], atol=0.02)


@pytest.mark.parametrize("few", [0, 1])
def test_of_few_nothing_is_learned(few):
    topics, trials, _ = drawn(np.random.default_rng(0), 30, 2, n_trials=30)
    for some in ((topics[: FEWEST - few - 1], trials), (topics, trials[: FEWEST - few - 1])):
        assert (chances(*some) == WRONG).all()


def test_features_that_are_all_alike_say_nothing():
    told = chances(np.zeros((20, 2)), np.zeros((20, 2)))
    assert np.allclose(told, WRONG, atol=1e-3)
