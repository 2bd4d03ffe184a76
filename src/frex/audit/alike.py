"""The probability that two groups are alike, learned from all pairs of a tree.

Distances d of pairs are of two kinds: those of groups that are alike, N(0, 0.15^2), which is 54
documents told apart of 100 where chance has 50; and those of groups that differ, N(m, s^2). How
many are alike, and m and s, are learned from all pairs together, by expectation and maximisation.
Priors stand in for pairs where there are few: one pair in twenty is alike, others lie at 2, with a
spread of 1, as siblings of real taxonomies do. A distance of 0 says only that chance did as well.
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
"""Of groups that differ, where there are few; as much as so many pairs would say."""

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
    """Return mean and spread of the distances of groups that differ, their errors taken out."""
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
    """Return mean and variance of true distances, given where each is likely to be."""
    gain = variance / (variance + noise)
    expected = mean + gain * (distance - mean)
    total = weights.sum() + WEIGHT
    new = float((weights @ expected + WEIGHT * DISTANCE) / total)
    spread = weights @ ((expected - new) ** 2 + (1 - gain) * variance)
    return new, float((spread + WEIGHT * (SPREAD**2 + (DISTANCE - new) ** 2)) / total)


def _likelihood(distance: Array, mean: float, variance: Array) -> Array:
    """Return the density of distances; of those at chance, 0, the probability of 0 or less."""
    spread = np.sqrt(variance)
    deviation = (distance - mean) / spread
    height = np.exp(-0.5 * deviation**2) / (np.sqrt(2 * np.pi) * spread)
    return np.asarray(np.where(distance > 0, height, ndtr(deviation)))
