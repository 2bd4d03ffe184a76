"""What all moves have in common: the length of a step, and what is accepted."""

from __future__ import annotations

import math

from frex.sampler.formulas.elementary import log
from frex.sampler.formulas.options import scalar

LEAST_STEP, STEP_RANGE = 0.8, 0.4
"""A trajectory's step is the tuned one times a uniform variate from 0.8 to 1.2: with one length for
all, some would come full circle."""

FURTHEST = 1e3
"""A change of energy counts for no more: where a trajectory diverged it has no end."""

SUFFICIENT = 1e-4
"""Of what a slope promises, what a step of a search must gain."""


@scalar
def jittered(step: float, u: float) -> float:
    """Return the length of a trajectory's steps."""
    return step * (LEAST_STEP + STEP_RANGE * u)


@scalar
def acceptance(change):
    """Return how probably a trajectory is accepted whose end is so much more probable; 0 of NaN."""
    return math.exp(min(0.0, change)) if math.isfinite(change) else 0.0


@scalar
def is_accepted(change, u):
    """Tell whether a uniform variate lets it be."""
    return math.isfinite(change) and log(u) < change


@scalar
def bounded_size(change: float) -> float:
    """Return the size of a change of energy: one that diverged, to NaN too, hides no other."""
    size = abs(change)
    return size if size < FURTHEST else FURTHEST  # noqa: FURB136 - `min` may keep a NaN


@scalar
def gains_enough(reached, value, size, slope):
    """Tell whether a search's step of some size climbed (Armijo, 1966)."""
    return reached >= value + SUFFICIENT * size * slope
