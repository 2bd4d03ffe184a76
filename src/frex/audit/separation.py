"""Held-out separation of two groups of documents by their words.

Documents are ordered by how much closer they are to one group's centroid than to the other's, with
centroids from the other folds. The share of pairs of held-out documents, one from each group, in
the right order is the area under the ROC curve, A: 0.5 for no separation, 1 for perfect separation.
It is expressed as the distance of two Gaussians,

    d = sqrt(2) ndtri(A),

with the standard error of A by Hanley and McNeil (1982). That formula assumes one fixed order of
all documents, but here each fold has its own order, learned from few documents. In simulations with
3 to 200 documents in each group, the variance was twice as large for groups that hardly differ, and
as given for distant groups. So it is multiplied by 1 + exp(-(d / 1.5)^4).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]
    Rows: TypeAlias = NDArray[np.int64]

ENDS = float(ndtri(0.95))
"""Half the width of a central interval of 90 %, in standard deviations."""


class Separation(NamedTuple):
    """The separation of two groups of documents."""

    distance: float  #: d
    error: float  #: its standard deviation
    sizes: tuple[int, int]  #: documents of each group

    @property
    def right(self) -> tuple[float, float, float]:
        """Return the share of pairs in the right order, and the ends of its interval of 90 %."""
        low, high = self.distance - ENDS * self.error, self.distance + ENDS * self.error
        found = ndtr(np.array([self.distance, low, high]) / np.sqrt(2))
        return float(found[0]), float(found[1]), float(found[2])


def tell_apart(
    usage: csr_array[np.float32], folds: NDArray[np.int64], first: Rows, second: Rows
) -> Separation | None:
    """Return the separation of two groups of rows, or None if no document can be held out.

    Parameters
    ----------
    usage, folds
        Rows x words, and the fold of each row.
    first, second
        The groups.
    """
    if min(len(first), len(second)) == 0:
        return None
    n_folds = int(folds.max()) + 1
    groups = [(usage[rows], folds[rows]) for rows in (first, second)]
    others = [_of_others(words, own, n_folds) for words, own in groups]
    known = np.all([np.isfinite(means[:, 0]) for means in others], axis=0)
    towards = np.subtract(*(np.where(known[:, None], means, 0.0) for means in others)).T
    scores = [(words @ towards)[np.arange(len(own)), own] for words, own in groups]
    right = pairs = 0.0
    for fold in np.flatnonzero(known):
        held = [score[own == fold] for score, (_, own) in zip(scores, groups, strict=True)]
        right += _in_order(*held)
        pairs += len(held[0]) * len(held[1])
    if not pairs:
        return None
    return _separation((right + 0.5) / (pairs + 1), len(first), len(second))


def _of_others(words: csr_array[np.float32], folds: NDArray[np.int64], n_folds: int) -> Array:
    """Return for each fold the mean of the rows of all others, folds x words; NaN without rows."""
    rows = np.arange(len(folds))
    of = csr_array((np.ones(len(folds), np.float32), (folds, rows)), shape=(n_folds, len(folds)))
    sums = (of @ words).toarray()
    left = len(folds) - np.bincount(folds, minlength=n_folds)
    left = np.where(left > 0, left, np.nan)
    return np.asarray((sums.sum(axis=0) - sums) / left[:, None])


def _in_order(first: Array, second: Array) -> float:
    """Return the number of pairs with the greater value in the first group; ties count half."""
    n = len(first)
    return float(rankdata(np.concatenate([first, second]))[:n].sum() - n * (n + 1) / 2)


def _separation(area: float, n: int, m: int) -> Separation:
    at = max(area, 0.5)  # a smaller area is chance
    alike, unlike = at / (2 - at), 2 * at * at / (1 + at)
    variance = at * (1 - at) + (n - 1) * (alike - at * at) + (m - 1) * (unlike - at * at)
    height = np.exp(-0.5 * ndtri(at) ** 2) / np.sqrt(2 * np.pi)
    distance = float(np.sqrt(2) * ndtri(at))
    learned = 1 + np.exp(-((distance / 1.5) ** 4))
    error = np.sqrt(2 * learned * max(variance, 0.0) / (n * m)) / height
    return Separation(distance, float(error), (n, m))
