"""Elementary functions of the GPU's kernels, with the range of the CPU's."""

from __future__ import annotations

import math

from frex.sampler.kernels.cuda.options import device
from frex.sampler.kernels.elementary import HIGHEST, LOWEST


@device
def exp(x):
    """Return e^x; beyond the range of double precision what it is at its end, and NaN of NaN.

    A rate is so never infinite: 0 times it, the likelihood of a topic without tokens, is 0.
    """
    if x > HIGHEST:
        return math.exp(HIGHEST)
    if x < LOWEST:
        return math.exp(LOWEST)
    return math.exp(x)
