"""The probability that two groups are alike, learned from all pairs of a tree.

The distances d of pairs come from a mixture of two components. Groups that are alike have N(0,
0.15^2), which corresponds to 54 of 100 pairs of documents in the right order (50 is chance). Groups
that differ have N(m, s^2). The mixing proportion, m and s are estimated from all pairs by
expectation-maximisation. Priors regularise the estimates if there are few pairs: one pair in twenty
is alike, and the others have mean 2 and standard deviation 1, as siblings of real taxonomies do. A
distance of 0 is censored: it means that the order was no better than chance.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtr

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.audit.separation import Separation

    Array: TypeAlias = NDArray[np.float64]

SPREAD_ALIKE = 0.15
FEW_ALIKE = (1.0, 19.0)
DISTANCE, SPREAD, WEIGHT = 2.0, 1.0, 5.0
"""Prior of the distances of groups that differ, and its weight in pairs."""

STEPS = 100


def chances_alike(pairs: Sequence[Separation]) -> Array:
    """Return for each pair the probability that its groups are alike."""
    if not pairs:
        return np.empty(0)
    distance = np.array([pair.distance for pair in pairs])
    noise = np.array([pair.error for pair in pairs]) ** 2
    share, mean, variance = FEW_ALIKE[0] / sum(FEW_ALIKE), DISTANCE, SPREAD**2
    chances = np.zeros(len(pairs))
    for _ in range(STEPS):
        like = _likelihood(distance, 0.0, SPREAD_ALIKE**2 + noise) * share
        unlike = _likelihood(distance, mean, variance + noise) * (1 - share)
        chances = like / np.maximum(like + unlike, np.finfo(np.float64).tiny)
        share = (FEW_ALIKE[0] + chances.sum()) / (sum(FEW_ALIKE) + len(pairs))
        mean, variance = _moments(distance, noise, 1 - chances, mean, variance)
    return np.asarray(chances)


def typical_distances(pairs: Sequence[Separation]) -> tuple[float, float]:
    """Return mean and standard deviation of true distances of groups that differ."""
    if not pairs:
        return DISTANCE, SPREAD
    distance = np.array([pair.distance for pair in pairs])
    noise = np.array([pair.error for pair in pairs]) ** 2
    mean, variance = DISTANCE, SPREAD**2
    for _ in range(STEPS):
        mean, variance = _moments(distance, noise, np.ones(len(pairs)), mean, variance)
    return mean, float(np.sqrt(variance))


def _moments(
    distance: Array, noise: Array, weights: Array, mean: float, variance: float
) -> tuple[float, float]:
    """Return mean and variance of true distances, given the conditional moments of each."""
    gain = variance / (variance + noise)
    expected = mean + gain * (distance - mean)
    total = weights.sum() + WEIGHT
    new = float((weights @ expected + WEIGHT * DISTANCE) / total)
    spread = weights @ ((expected - new) ** 2 + (1 - gain) * variance)
    return new, float((spread + WEIGHT * (SPREAD**2 + (DISTANCE - new) ** 2)) / total)


def _likelihood(distance: Array, mean: float, variance: Array) -> Array:
    """Return the density of distances; for a distance of 0, the probability of 0 or less."""
    spread = np.sqrt(variance)
    deviation = (distance - mean) / spread
    height = np.exp(-0.5 * deviation**2) / (np.sqrt(2 * np.pi) * spread)
    return np.asarray(np.where(distance > 0, height, ndtr(deviation)))
