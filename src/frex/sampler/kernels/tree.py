"""Linear algebra on the tree, one pass over the nodes each; `model/rates.py` explains it.

The matrix is A = Lambda + diag(h): `precision[i]` is 1 over a node's variance about its parent,
the root's about its mean, and h >= 0 the likelihood's curvature. The reference subtracts to get the
pivots; here they are sums of positive terms, because eliminating a child with precision t and
accumulated curvature w leaves its parent t w / (t + w): no digits are lost when h is tiny.

Arrays over nodes are of one word, or of eight side by side (`kernels/vectors.py`). On the way up
what a parent has so far is held in a register while its children follow one another: written to
memory and read again for each of them it took three times as long.
"""

from __future__ import annotations

from frex.sampler.kernels.options import exact
from frex.sampler.kernels.vectors import load, root, store


@exact
def factor(parents, precision, curvature, inverses, multipliers, carried):
    """Fill inverse pivots 1 / d, and multipliers m, with A = L D L', L[parent of i, i] = -m_i."""
    n = len(parents)
    for i in range(n):
        store(carried, i, load(curvature, i))
    p = 0
    total = load(carried, 0)
    for i in range(n - 1, 0, -1):
        if parents[i] != p:
            store(carried, p, total)
            p = parents[i]
            total = load(carried, p)
        own, t = load(carried, i), load(precision, i)
        inverse = 1.0 / (t + own)
        share = t * inverse
        store(inverses, i, inverse)
        store(multipliers, i, share)
        total = total + share * own
    store(inverses, 0, 1.0 / (load(precision, 0) + total))


@exact
def solve(parents, inverses, multipliers, x):
    """Replace x by the solution of A y = x."""
    n = len(parents)
    p = 0
    total = load(x, 0)
    for i in range(n - 1, 0, -1):
        if parents[i] != p:
            store(x, p, total)
            p = parents[i]
            total = load(x, p)
        total = total + load(multipliers, i) * load(x, i)
    store(x, 0, total * load(inverses, 0))
    for i in range(1, n):
        store(x, i, load(x, i) * load(inverses, i) + load(multipliers, i) * load(x, parents[i]))


@exact
def colour(parents, inverses, multipliers, x):
    """Replace standard normals x by a draw from Normal(0, A): a momentum of mass A."""
    for i in range(len(parents)):
        store(x, i, load(x, i) / root(load(inverses, i)))
    for i in range(1, len(parents)):
        p = parents[i]
        store(x, p, load(x, p) - load(multipliers, i) * load(x, i))


@exact
def add_prior_gradient(parents, precision, root_mean, log_rates, gradient):
    """Add -Lambda (mu - psi) to the gradient."""
    n = len(parents)
    p = 0
    total = load(gradient, 0)
    for i in range(n - 1, 0, -1):
        if parents[i] != p:
            store(gradient, p, total)
            p = parents[i]
            total = load(gradient, p)
        pull = load(precision, i) * (load(log_rates, i) - load(log_rates, p))
        store(gradient, i, load(gradient, i) - pull)
        total = total + pull
    store(gradient, 0, total - load(precision, 0) * (load(log_rates, 0) - root_mean))


@exact
def prior_energy(parents, precision, root_mean, log_rates):
    """Return (mu - psi)' Lambda (mu - psi) / 2."""
    away = load(log_rates, 0) - root_mean
    total = load(precision, 0) * away * away
    for i in range(1, len(parents)):
        away = load(log_rates, i) - load(log_rates, parents[i])
        total = total + load(precision, i) * away * away
    return 0.5 * total
