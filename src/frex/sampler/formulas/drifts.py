"""A known topic's drift: what a word says of its variance; `model/known.py` explains it."""

from __future__ import annotations

from frex.sampler.formulas.elementary import log
from frex.sampler.formulas.options import scalar


@scalar
def drift_terms(square, spread, drift):
    """Return a word's part of the log density of log sqrt(delta), its slope and its bend.

    `square` is that of its deviation, `spread` what the fit did not know of it.
    """
    v = spread + drift
    r, ratio = drift / v, square / v
    value = -0.5 * (log(v) + ratio)
    return value, r * (ratio - 1.0), 2.0 * r * ((1.0 - 2.0 * r) * ratio + r - 1.0)
