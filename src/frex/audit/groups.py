"""Clustering of documents into two groups, and held-out evidence for two groups over one.

All computations use only the cosines of all pairs of documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    Array: TypeAlias = NDArray[np.float64]
    Sides: TypeAlias = NDArray[np.bool_]

STARTS, STEPS = 6, 25
FOLDS = 5
LEAST = 1e-9
"""Length of a sum that counts as zero."""


class HeldOut(NamedTuple):
    """Mean cosines of held-out documents and centroids of others."""

    one: float  #: with the centroid of all
    two: float  #: with the closer centroid of two groups


def products(usage: csr_array[np.float32]) -> Array:
    """Return the products of all pairs of rows.

    Parameters
    ----------
    usage
        Rows of length 1, or without words.
    """
    return np.asarray((usage @ usage.T).toarray(), np.float64)


def two_groups(alike: Array, rng: np.random.Generator) -> Sides | None:
    """Return which rows are in the first of two groups, by spherical k-means, or None.

    Parameters
    ----------
    alike
        Products of all pairs of rows.
    rng
        Random numbers of the starting points.
    """
    n = len(alike)
    if n < 2:
        return None
    one, other = np.array([rng.choice(n, 2, replace=False) for _ in range(STARTS)]).T
    side: Sides = np.asarray(alike[:, one] > alike[:, other])
    for _ in range(STEPS):
        towards, _ = _centroids(alike, side)
        closer = np.asarray(towards[0] > towards[1])
        if (closer == side).all():
            break
        side = closer
    whole: Sides = np.asarray(side.any(axis=0) & ~side.all(axis=0))
    total = np.where(whole, np.sum(_centroids(alike, side)[1], axis=0), -np.inf)
    best = int(np.argmax(total))
    return side[:, best] if whole[best] else None


def _centroids(alike: Array, side: Sides) -> tuple[Array, Array]:
    """Return the cosines of each row with both centroids, and the centroids' lengths, by start."""
    sums = np.stack([alike @ side, alike @ ~side])
    squares = np.stack([(side * sums[0]).sum(axis=0), (~side * sums[1]).sum(axis=0)])
    lengths = np.sqrt(np.maximum(squares, LEAST**2))
    return sums / lengths[:, None], lengths


def cosine(alike: Array, first: Sides) -> float:
    """Return the cosine of two groups' centroids, with lengths from pairs of different rows.

    Parameters
    ----------
    alike
        Products of all pairs of rows.
    first
        Which of the rows are in the first group.
    """
    lengths = []
    for part in (first, ~first):
        within, n = alike[np.ix_(part, part)], int(part.sum())
        own = float(np.trace(within))
        # a single row has no pair, so its own length is used
        mean = (float(within.sum()) - own) / (n * (n - 1)) if n > 1 else own
        lengths.append(np.sqrt(max(mean, 1e-6)) * n)
    between = float(alike[np.ix_(first, ~first)].sum())
    return float(np.clip(between / (lengths[0] * lengths[1]), -1, 2))


def held_out(alike: Array, rng: np.random.Generator) -> HeldOut:
    """Return the mean cosine of held-out documents with one centroid, and with the closer of two.

    Documents are always closer to groups that were fitted to them. If there are no true groups,
    held-out documents are hardly closer to two centroids than to one.

    Parameters
    ----------
    alike
        Products of all pairs of rows.
    rng
        Random numbers of the held-out documents and of the starting points.
    """
    folds = rng.permutation(np.arange(len(alike)) % FOLDS)
    one, two = np.zeros(len(alike)), np.zeros(len(alike))
    for fold in range(FOLDS):
        held, others = np.flatnonzero(folds == fold), np.flatnonzero(folds != fold)
        within, towards = alike[np.ix_(others, others)], alike[np.ix_(held, others)]
        one[held] = towards.sum(axis=1) / max(float(np.sqrt(within.sum())), LEAST)
        side = two_groups(within, rng)
        if side is None:
            two[held] = one[held]
            continue
        lengths = (np.sqrt(max(float(within[np.ix_(s, s)].sum()), LEAST)) for s in (side, ~side))
        sums = (towards[:, part].sum(axis=1) for part in (side, ~side))
        two[held] = np.max([s / length for s, length in zip(sums, lengths, strict=True)], axis=0)
    return HeldOut(float(one.mean()), float(two.mean()))
