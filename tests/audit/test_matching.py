"""Wrong labels matched with missing ones, held against the sum over all ways to do so."""

import itertools

import numpy as np
import pytest

from frex.audit.matching import match, pairs_within


def summed(alone, both, n_given, n_absent):
    """Go through every way: a given label is right, wrong alone, or stands for an absent one."""
    wrong, missing, swapped = np.zeros(n_given), np.zeros(n_absent), np.zeros(both.shape)
    total = 0.0
    choices = range(-2, n_absent)  # -2: right, -1: wrong alone
    for way in itertools.product(choices, repeat=n_given):
        named = [j for j in way if j >= 0]
        if len(set(named)) < len(named):
            continue
        weight = np.prod([1.0 if j == -2 else alone[k] if j == -1 else both[k, j]
                          for k, j in enumerate(way)])  # fmt: skip
        left = [j for j in range(n_absent) if j not in named]
        weight *= np.prod([1 + alone[n_given + j] for j in left])
        total += weight
        wrong += weight * (np.array(way) != -2)
        for k, j in enumerate(way):
            if j >= 0:
                swapped[k, j] += weight
        for j in range(n_absent):
            lost = alone[n_given + j]
            missing[j] += weight * (1.0 if j in named else lost / (1 + lost))
    return wrong / total, missing / total, swapped / total


@pytest.mark.parametrize(
    ("n_given", "within", "mean"), [(1, 1e-9, 0), (2, 0.05, 5e-3), (3, 0.05, 5e-3)]
)
def test_messages_find_the_sum_over_all_ways(n_given, within, mean):
    """Exactly for one label; for several the pairs have circles."""
    rng, errors = np.random.default_rng(n_given), []
    for _ in range(40):
        n_absent = int(rng.integers(1, 5))
        alone = np.exp(rng.normal(-2, 2, n_given + n_absent))
        both = np.exp(rng.normal(-1, 3, (n_given, n_absent)))
        documents = np.zeros(n_given + n_absent, np.int64)
        places = np.arange(n_given + n_absent)
        pairs = pairs_within(documents, places[:n_given], places[n_given:])
        found = match(pairs, alone, both.ravel())
        wrong, missing, swapped = summed(alone, both, n_given, n_absent)
        np.testing.assert_allclose(found.wrong[:n_given], wrong, atol=within)
        np.testing.assert_allclose(found.missing[n_given:], missing, atol=within)
        np.testing.assert_allclose(found.pairs, swapped.ravel(), atol=within)
        errors.append(np.abs(found.wrong[:n_given] - wrong).mean())
    assert np.mean(errors) <= mean + 1e-12


def test_pairs_are_of_the_same_document():
    documents = np.array([0, 0, 0, 2, 2, 3])
    pairs = pairs_within(documents, np.array([0, 3, 5]), np.array([1, 2, 4]))
    assert list(zip(*map(np.ndarray.tolist, pairs), strict=True)) == [(0, 1), (0, 2), (3, 4)]
    assert len(pairs_within(documents, np.array([5]), np.empty(0, np.int64)).given) == 0


def test_messages_of_before_lead_to_the_same():
    rng = np.random.default_rng(0)
    documents = np.repeat(np.arange(30), 6)
    places = np.arange(len(documents))
    pairs = pairs_within(documents, places[places % 6 < 2], places[places % 6 >= 2])
    alone, both = np.exp(rng.normal(-2, 2, len(places))), np.exp(rng.normal(0, 2, len(pairs.given)))
    before = match(pairs, alone * 1.2, both * 0.9)
    some = match(pairs, alone, both, rounds=5, messages=before.messages)
    np.testing.assert_allclose(some.pairs, match(pairs, alone, both).pairs, atol=2e-3)
