"""Linear algebra on the tree, one pass over the nodes each; `formulas/tree.py` has the formulas.

`precision[i]` is 1 over a node's variance about its parent, the root's about its mean. Arrays over
nodes are of one word, or of eight side by side (`kernels/vectors.py`). On the way up what a parent
has so far is held in a register while its children follow one another: written to memory and read
again for each of them it took three times as long.
"""

from __future__ import annotations

from frex.sampler.formulas.rows import load, store
from frex.sampler.formulas.tree import eliminated, prior_pull, prior_square, scaled_normal, solved
from frex.sampler.kernels.options import exact, inlined


@inlined
def turn_to(parent, p, total, x):
    """Return the parent whose children follow, and what it has so far; store what the last has."""
    if parent != p:
        store(x, p, total)
        return parent, load(x, parent)
    return p, total


@exact
def factor(parents, precision, curvature, inverses, multipliers, carried):
    """Fill inverse pivots 1 / d, and multipliers m, with A = L D L', L[parent of i, i] = -m_i."""
    n = len(parents)
    for i in range(n):
        store(carried, i, load(curvature, i))
    p, total = 0, load(carried, 0)
    for i in range(n - 1, 0, -1):
        p, total = turn_to(parents[i], p, total, carried)
        below = load(carried, i)
        inverse, multiplier = eliminated(below, load(precision, i))
        store(inverses, i, inverse)
        store(multipliers, i, multiplier)
        total = total + multiplier * below
    inverse, _ = eliminated(total, load(precision, 0))
    store(inverses, 0, inverse)


@exact
def solve(parents, inverses, multipliers, x):
    """Replace x by the solution of A y = x."""
    n = len(parents)
    p, total = 0, load(x, 0)
    for i in range(n - 1, 0, -1):
        p, total = turn_to(parents[i], p, total, x)
        total = total + load(multipliers, i) * load(x, i)
    store(x, 0, total * load(inverses, 0))
    for i in range(1, n):
        above = load(x, parents[i])
        store(x, i, solved(load(x, i), load(inverses, i), load(multipliers, i), above))


@exact
def to_momenta(parents, inverses, multipliers, x):
    """Replace standard normals x by a draw from Normal(0, A): a momentum of mass A."""
    for i in range(len(parents)):
        store(x, i, scaled_normal(load(x, i), load(inverses, i)))
    for i in range(1, len(parents)):
        p = parents[i]
        store(x, p, load(x, p) - load(multipliers, i) * load(x, i))


@exact
def add_prior_gradient(parents, precision, root_mean, log_rates, gradient):
    """Add -Lambda (mu - psi) to the gradient."""
    n = len(parents)
    p, total = 0, load(gradient, 0)
    for i in range(n - 1, 0, -1):
        p, total = turn_to(parents[i], p, total, gradient)
        pull = prior_pull(load(precision, i), load(log_rates, i), load(log_rates, p))
        store(gradient, i, load(gradient, i) + pull)
        total = total - pull
    store(gradient, 0, total + prior_pull(load(precision, 0), load(log_rates, 0), root_mean))


@exact
def prior_energy(parents, precision, root_mean, log_rates):
    """Return (mu - psi)' Lambda (mu - psi) / 2."""
    total = prior_square(load(precision, 0), load(log_rates, 0), root_mean)
    for i in range(1, len(parents)):
        above = load(log_rates, parents[i])
        total = total + prior_square(load(precision, i), load(log_rates, i), above)
    return 0.5 * total
