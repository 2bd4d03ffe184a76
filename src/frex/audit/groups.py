"""Two groups of some documents, and how much two say of a document that one does not.

All that is asked of documents is their products, the cosines of all pairs of them.
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
"""Length of a sum that is none."""


class HeldOut(NamedTuple):
    """Cosines of documents and centroids of others."""

    one: float  #: with the centroid of all
    two: float  #: with the closer one of two groups


def products(usage: csr_array[np.float32]) -> Array:
    """Return the products of all pairs of rows.

    Parameters
    ----------
    usage
        Rows of length 1, or without words.
    """
    return np.asarray((usage @ usage.T).toarray(), np.float64)


def two_groups(alike: Array, rng: np.random.Generator) -> Sides | None:
    """Return which rows are in the first of two groups, by spherical k-means; None of none.

    Parameters
    ----------
    alike
        Products of all pairs of rows.
    rng
        Chooses where the search begins.
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
    """Return the cosine of each row and both centroids, and the centroids' lengths, by start."""
    sums = np.stack([alike @ side, alike @ ~side])
    squares = np.stack([(side * sums[0]).sum(axis=0), (~side * sums[1]).sum(axis=0)])
    lengths = np.sqrt(np.maximum(squares, LEAST**2))
    return sums / lengths[:, None], lengths


def cosine(alike: Array, first: Sides) -> float:
    """Return the cosine of two groups' centroids, their lengths by pairs of different rows.

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
        # of one row alone its own length is all there is
        mean = (float(within.sum()) - own) / (n * (n - 1)) if n > 1 else own
        lengths.append(np.sqrt(max(mean, 1e-6)) * n)
    between = float(alike[np.ix_(first, ~first)].sum())
    return float(np.clip(between / (lengths[0] * lengths[1]), -1, 2))


def held_out(alike: Array, rng: np.random.Generator) -> HeldOut:
    """Return how close documents are to one centroid of others, and to the closer one of two.

    Two groups are always closer to the documents that they were made of; of groups of which there
    are none in truth those of others are hardly closer than their one centroid.

    Parameters
    ----------
    alike
        Products of all pairs of rows.
    rng
        Chooses which are held out, and where the search for groups begins.
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
