"""Calibration of log odds by an increasing, piecewise linear function.

A logistic regression has the right mean, but its curve is symmetric, and frequencies are not. So
its log odds are transformed by a non-decreasing, piecewise linear function, with knots where labels
are uncertain. Its few parameters maximise the likelihood.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]

MOST_KNOTS = 7
LABELS_A_KNOT = 50
"""Least number of uncertain labels per knot."""

LEAST_SLOPE, HIGHEST_SLOPE = 0.05, 20.0
FAR = 40.0
"""Log odds at which the curve ends, beyond all that occur."""


class Curve(NamedTuple):
    """The learned function: log odds `values` at `knots`, linear between them."""

    knots: Array
    values: Array

    def bend(self, odds: NDArray[np.floating]) -> Array:
        """Return the transformed log odds."""
        bent: Array = np.interp(odds, self.knots, self.values)
        return bent


STRAIGHT = Curve(np.array([-FAR, FAR]), np.array([-FAR, FAR]))


def learn_curve(
    odds: NDArray[np.floating],
    target: NDArray[np.bool_],
    weights: NDArray[np.floating] | None = None,
) -> Curve:
    """Return the increasing function that maximises the likelihood of labels.

    Parameters
    ----------
    odds
        Log odds of labels.
    target
        Whether they are labels.
    weights
        Weight of each label.
    """
    odds = np.clip(odds.astype(np.float64), -FAR, FAR)
    weight = np.ones(len(odds)) if weights is None else weights.astype(np.float64)
    doubt = weight * expit(odds) * expit(-odds)
    n_knots = int(min(MOST_KNOTS, doubt.sum() // LABELS_A_KNOT))
    if n_knots < 2:
        return STRAIGHT
    order = np.argsort(odds, kind="stable")
    mass = np.cumsum(doubt[order])
    at = np.searchsorted(mass, mass[-1] * np.linspace(0.02, 0.98, n_knots))
    inner = np.unique(odds[order[np.minimum(at, len(order) - 1)]])
    knots = np.concatenate([[-FAR], inner, [FAR]])
    # columns: 1, and how much of each piece lies between the first inner knot and the log odds
    pieces = np.clip(odds[:, None], knots[:-1], knots[1:]) - knots[:-1]
    pieces[:, 0] -= inner[0] + FAR

    def loss(values: Array) -> tuple[float, Array]:
        bent = values[0] + pieces @ values[1:]
        error = weight * (expit(bent) - target)
        slope: Array = np.concatenate([[error.sum()], error @ pieces])
        return float(weight @ (np.logaddexp(0.0, bent) - target * bent)), slope

    begin = np.concatenate([[inner[0]], np.ones(len(knots) - 1)])
    bounds = [(-FAR, FAR), *[(LEAST_SLOPE, HIGHEST_SLOPE)] * (len(knots) - 1)]
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=bounds).x
    steps = found[1:] * np.diff(knots)
    values = found[0] + np.concatenate([[-steps[0], 0.0], np.cumsum(steps[1:])])
    return Curve(knots, values)
