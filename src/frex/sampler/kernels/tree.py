"""Linear algebra on the tree, one pass over the nodes each; `model/rates.py` explains it.

The matrix is A = Lambda + diag(h): `precision[i]` is 1 over a node's variance about its parent,
the root's about its mean, and h >= 0 the likelihood's curvature. The reference subtracts to get the
pivots; here they are sums of positive terms, because eliminating a child with precision t and
accumulated curvature w leaves its parent t w / (t + w): no digits are lost when h is tiny.
"""

from __future__ import annotations

import math

from frex.sampler.kernels.options import exact


@exact
def factor(parents, precision, curvature, pivots, multipliers, carried):
    """Fill pivots d and multipliers m with A = L D L', where L[parent of i, i] = -m_i."""
    n = len(parents)
    for i in range(n):
        carried[i] = curvature[i]
    for i in range(n - 1, 0, -1):
        pivots[i] = precision[i] + carried[i]
        multipliers[i] = precision[i] / pivots[i]
        carried[parents[i]] += multipliers[i] * carried[i]
    pivots[0] = precision[0] + carried[0]
    multipliers[0] = 0.0


@exact
def solve(parents, pivots, multipliers, x):
    """Replace x by the solution of A y = x."""
    n = len(parents)
    for i in range(n - 1, 0, -1):
        x[parents[i]] += multipliers[i] * x[i]
    x[0] /= pivots[0]
    for i in range(1, n):
        x[i] = x[i] / pivots[i] + multipliers[i] * x[parents[i]]


@exact
def colour(parents, pivots, multipliers, x):
    """Replace standard normals x by a draw from Normal(0, A): a momentum of mass A."""
    n = len(parents)
    x[0] *= math.sqrt(pivots[0])
    for i in range(1, n):
        x[i] *= math.sqrt(pivots[i])
        x[parents[i]] -= multipliers[i] * x[i]


@exact
def add_prior_gradient(parents, precision, root_mean, log_rates, gradient):
    """Add -Lambda (mu - psi) to the gradient."""
    for i in range(1, len(parents)):
        pull = precision[i] * (log_rates[i] - log_rates[parents[i]])
        gradient[i] -= pull
        gradient[parents[i]] += pull
    gradient[0] -= precision[0] * (log_rates[0] - root_mean)


@exact
def prior_energy(parents, precision, root_mean, log_rates):
    """Return (mu - psi)' Lambda (mu - psi) / 2."""
    total = precision[0] * (log_rates[0] - root_mean) ** 2
    for i in range(1, len(parents)):
        total += precision[i] * (log_rates[i] - log_rates[parents[i]]) ** 2
    return 0.5 * total
