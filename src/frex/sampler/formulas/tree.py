"""A node of a word's tree: what passes between it and its parent; `model/rates.py` explains it.

The matrix is A = Lambda + diag(h), with t = 1 over a node's variance about its parent (the root's
about its mean) and h >= 0 the likelihood's curvature; A = L D L', L[parent of i, i] = -m_i. The
reference subtracts to get the pivots d; here they are sums of positive terms, because eliminating a
child with precision t and accumulated curvature w leaves its parent t w / (t + w): no digits are
lost when h is tiny. Moments is 1 / d.

Numbers are of one word, or of eight side by side (`rows.py`).
"""

from __future__ import annotations

from frex.sampler.formulas.elementary import root
from frex.sampler.formulas.options import scalar


@scalar
def eliminated(below, t):
    """Return a node's inverse pivot and its multiplier, of which it hands on m w to its parent."""
    inverse = 1.0 / (t + below)
    return inverse, t * inverse


@scalar
def scaled_normal(normal, inverse):
    """Return what a standard normal is in a draw from Normal(0, D); children hand on -m of it."""
    return normal / root(inverse)


@scalar
def solved(x, inverse, multiplier, above):
    """Return a node's part of the solution of A y = x; x has what its children hand on, m x."""
    return x * inverse + multiplier * above


@scalar
def prior_pull(t, x, above):
    """Return how strongly a node is pulled towards its parent, and it towards the node."""
    return t * (above - x)


@scalar
def prior_square(t, x, above):
    """Return a node's part of (mu - psi)' Lambda (mu - psi)."""
    deviation = x - above
    return t * deviation * deviation


# The Gaussian about the mode: given its parent a node is Normal(m x_parent, 1 / d)


@scalar
def variance_below(inverse, multiplier, above):
    """Return a node's variance, given its parent's."""
    return multiplier * multiplier * above + inverse


@scalar
def deviation_variance(inverse, multiplier, above):
    """Return the variance of a node's deviation from its parent, given the parent's variance."""
    return (1.0 - multiplier) ** 2 * above + inverse


@scalar
def drawn_below(normal, inverse, multiplier, above):
    """Return a draw of how far a node is from its mode, given its parent's."""
    return normal * root(inverse) + multiplier * above
