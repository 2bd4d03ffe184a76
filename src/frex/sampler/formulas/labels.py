"""Label probabilities with the affinity integrated out; `model/labels.py` explains them."""

from __future__ import annotations

import math

from frex.sampler.formulas.elementary import log_logistic
from frex.sampler.formulas.options import scalar


@scalar
def highest_mode(mean, sd):
    """Bound z at the mode of logistic(mean + sd z) Normal(z; 0, 1)."""
    return min(sd, (max(-mean, 0.0) + math.log1p(sd * sd)) / sd)


@scalar
def log_integrands(mean, sd, z):
    """Return the logs of logistic(x), 1 - logistic(x) and their product, times the normal's."""
    x = mean + sd * z
    high = log_logistic(x)
    present = high - 0.5 * z * z
    absent = present - x
    return present, absent, absent + high
