"""Quantiles of a distribution, estimated from draws.

The k-th smallest of n draws has, on average, a share k / (n + 1) of the distribution below it, so
the quantile p is at position p (n + 1). NumPy's default, position p (n - 1) + 1, gives quantiles of
the sample: its interval of 0.9 from 128 draws contains another draw with probability 0.886, from 40
draws with 0.856.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def quantiles(draws: NDArray[Any], at: Sequence[float] | NDArray[np.float64]) -> NDArray[Any]:
    """Return quantiles of the distribution of draws.

    Parameters
    ----------
    draws
        Draws x anything.
    at
        Shares between 0 and 1.

    Returns
    -------
    numpy.ndarray
        Shares x anything. A quantile beyond the outermost draws is the outermost draw.

    Examples
    --------
    >>> quantiles(np.array([1.0, 2.0, 3.0]), [0.25, 0.5, 0.75])
    array([1., 2., 3.])
    """
    return np.asarray(np.quantile(draws, at, axis=0, method="weibull"))
