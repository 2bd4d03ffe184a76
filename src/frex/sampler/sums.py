"""Sums over words or documents, which kernels leave bin by bin."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Summing:
    """What adds up over all words, or all documents; ranks add up over those of all ranks."""

    def summed(self, partial: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums over all items from those over the bins of `data`."""
        total: NDArray[np.float64] = partial.sum(axis=0)
        return total
