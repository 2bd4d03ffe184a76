"""Elementary functions, which each machine has in a form of its own, and what is made of them.

As they stand here they are the GPU's, and Python's. On the CPU `kernels/elementary.py` and
`kernels/vectors.py` put in their place what takes several numbers at once.
"""

from __future__ import annotations

import math

from frex.sampler.formulas.options import formulas, scalar

LOWEST, HIGHEST = -708.0, 709.0


def exp(x):
    """Return e^x; beyond the range of double precision what it is at its end, and NaN of NaN.

    A rate is so never infinite: 0 times it, the likelihood of a topic without tokens, is 0.
    """
    if x > HIGHEST:
        return math.exp(HIGHEST)
    if x < LOWEST:
        return math.exp(LOWEST)
    return math.exp(x)


def log(x):
    """Return log x of a normal number above 0, and NaN of anything else."""
    return math.log(x) if x > 0.0 else math.nan


def root(x):
    """Return the square root of a number, or of several side by side."""
    return math.sqrt(x)


def circle(turns):
    """Return cosine and sine of 2 pi times a number of turns, from 0 to 1."""
    angle = 2.0 * math.pi * turns
    return math.cos(angle), math.sin(angle)


formulas.extend((exp, log, root, circle))


@scalar
def log_logistic(x):
    """Return log(1 / (1 + exp(-x))) without overflow."""
    return min(x, 0.0) - log(1.0 + exp(-abs(x)))


@scalar
def logistic(x):
    """Return 1 / (1 + exp(-x)) without overflow."""
    small = exp(-abs(x))
    return (1.0 if x > 0.0 else small) / (1.0 + small)
