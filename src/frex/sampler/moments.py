"""Running mean and variance of an array, so that memory does not grow with the draws.

One draw costs one pass over the array (Welford, 1962); two chains are pooled exactly (Chan, Golub
and LeVeque, 1979). Every element is treated alone, so the number of threads changes no bit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numba import njit, prange

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from numpy.typing import ArrayLike, NDArray


class RunningMoments:
    """Mean and variance of the draws of an array seen so far.

    Parameters
    ----------
    shape
        Shape of the array.
    """

    def __init__(self, shape: int | tuple[int, ...]) -> None:
        self.count = 0
        self._mean = np.zeros(shape)
        self._squares = np.zeros(shape)  # sum of squared deviations from the mean

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self._mean.shape

    def update(self, values: ArrayLike) -> None:
        """Take in one draw of the whole array."""
        draw = np.asarray(values, dtype=np.float64, order="C")
        if draw.shape != self.shape:
            raise ValueError(f"a draw of shape {draw.shape} for moments of shape {self.shape}")
        self.count += 1
        _update(self._mean.reshape(-1), self._squares.reshape(-1), draw.reshape(-1), self.count)

    def merge(self, other: RunningMoments) -> None:
        """Pool with the draws of another chain, as if all had been seen here."""
        if other.shape != self.shape:
            raise ValueError(f"moments of shape {other.shape} merged into shape {self.shape}")
        if other.count:
            _merge(
                self._mean.reshape(-1),
                self._squares.reshape(-1),
                other._mean.reshape(-1),
                other._squares.reshape(-1),
                (self.count, other.count),
            )
        self.count += other.count

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean of the draws, NaN before the first; not a copy: it moves on with the next draw."""
        return self._mean if self.count else np.full(self.shape, np.nan)

    @property
    def variance(self) -> NDArray[np.float64]:
        """Unbiased variance of the draws; NaN before the second."""
        if self.count < 2:
            return np.full(self.shape, np.nan)
        return np.divide(self._squares, self.count - 1, out=np.empty(self.shape))

    @property
    def sd(self) -> NDArray[np.float64]:
        """Square root of the variance."""
        variance = self.variance
        return np.sqrt(variance, out=variance)

    def to_arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the state as plain arrays, not copied: write them before the next draw."""
        return {"count": np.array(self.count), "mean": self._mean, "squares": self._squares}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]]) -> Self:
        """Rebuild from a copy of `to_arrays`; what follows has the same bits as without it."""
        moments = cls(arrays["mean"].shape)
        moments.count = int(arrays["count"].item())
        moments._mean[...] = arrays["mean"]
        moments._squares[...] = arrays["squares"]
        return moments


@njit(parallel=True, cache=True)
def _update(
    mean: NDArray[np.float64], squares: NDArray[np.float64], draw: NDArray[np.float64], count: int
) -> None:
    for i in prange(mean.size):
        deviation = draw[i] - mean[i]
        mean[i] += deviation / count
        squares[i] += deviation * (draw[i] - mean[i])


@njit(parallel=True, cache=True)
def _merge(
    mean: NDArray[np.float64],
    squares: NDArray[np.float64],
    other_mean: NDArray[np.float64],
    other_squares: NDArray[np.float64],
    counts: tuple[int, int],
) -> None:
    share = counts[1] / (counts[0] + counts[1])
    for i in prange(mean.size):
        gap = other_mean[i] - mean[i]
        mean[i] += gap * share
        squares[i] += other_squares[i] + gap * gap * (counts[0] * share)
