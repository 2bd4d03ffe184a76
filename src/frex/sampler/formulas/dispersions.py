"""A group's dispersion tau2 and its hyperparameters; `model/dispersions.py` explains them.

A group is a (word, parent) pair with the parent's J children. Its S = sum (mu_child - mu_parent)^2
is all that the dispersion and its hyperparameters see.
"""

from __future__ import annotations

from frex.sampler.formulas.elementary import log
from frex.sampler.formulas.options import scalar


@scalar
def shape_of(n_children, df):
    """Return the shape of the gamma variate that a dispersion is drawn by."""
    return 0.5 * (n_children + df)


@scalar
def dispersion(square, df, scale, gamma):
    """Return tau2 ~ Inv-chi2(J + nu, (nu sigma2 + S) / (J + nu)), given the gamma variate."""
    return 0.5 * (df * scale + square) / gamma


@scalar
def excess(square, scale):
    """Return log(1 + S/q) and r = S/(q + S), q being nu sigma2.

    What (nu, sigma2) sees of a group with tau2 integrated out.
    """
    ratio = square / scale
    return log(1.0 + ratio), ratio / (1.0 + ratio)
