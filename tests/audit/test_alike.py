"""The probability that groups are alike, learned from all pairs."""

import numpy as np

from frex.audit.alike import chances_alike, typical_distances
from frex.audit.separation import Separation


def draw(n, share, seed):
    rng = np.random.default_rng(seed)
    alike = rng.random(n) < share
    true = np.where(alike, 0, rng.normal(2.2, 0.7, n))
    error = rng.uniform(0.2, 0.9, n)
    told = np.maximum(true + error * rng.normal(size=n), 0)
    return [Separation(d, e, (9, 9)) for d, e in zip(told, error, strict=True)], alike


def test_probabilities_are_frequencies():
    chances, alike = [], []
    for seed in range(20):
        pairs, truth = draw(200, 0.08, seed)
        chances.append(chances_alike(pairs))
        alike.append(truth)
    chances, alike = np.concatenate(chances), np.concatenate(alike)
    for low, high in ((0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 1)):
        own = (chances >= low) & (chances <= high)
        slack = 3 * np.sqrt(0.25 / own.sum()) + 0.03
        assert abs(chances[own].mean() - alike[own].mean()) < slack, (low, own.sum())


def test_a_few_pairs_lean_on_the_prior():
    unsure = chances_alike([Separation(0.0, 2.0, (2, 2))])[0]
    sure = chances_alike([Separation(0.0, 0.1, (200, 200))])[0]
    far = chances_alike([Separation(2.0, 0.1, (200, 200))])[0]
    assert far < 1e-3 < unsure < 0.3 < sure
    assert chances_alike([]).size == 0


def test_typical_distances_leave_errors_out():
    pairs, _ = draw(2000, 0.0, 0)
    mean, spread = typical_distances(pairs)
    assert abs(mean - 2.2) < 0.1
    assert abs(spread - 0.7) < 0.15
    assert typical_distances([]) == (2.0, 1.0)
