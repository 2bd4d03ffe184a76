"""Quantiles of what draws are of.

Of n draws, the k-th smallest has a share k / (n + 1) of their distribution below it, on average: so
the quantile p is at place p (n + 1). NumPy's default, place p (n - 1) + 1, is that of the draws
themselves: its interval of 0.9 from 128 draws holds another draw with probability 0.886, from 40
with 0.856.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def quantiles(draws: NDArray[Any], at: Sequence[float] | NDArray[np.float64]) -> NDArray[Any]:
    """Return quantiles of the distribution that draws are from.

    Parameters
    ----------
    draws
        Draws x anything.
    at
        Shares between 0 and 1.

    Returns
    -------
    numpy.ndarray
        Shares x anything. Beyond the outermost draws nothing is known: a quantile that would be
        there is the outermost draw.

    Examples
    --------
    >>> quantiles(np.array([1.0, 2.0, 3.0]), [0.25, 0.5, 0.75])
    array([1., 2., 3.])
    """
    return np.asarray(np.quantile(draws, at, axis=0, method="weibull"))
