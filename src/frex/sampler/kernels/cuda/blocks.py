"""What the threads of a block do together: sums, and a word's algebra on the tree.

Every function here is called by all threads of a block, and has barriers inside. The tree is gone
through a level at a time, and a node takes from its children what the CPU's loops give to a parent:
the same sums in the same order.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from numba import cuda

from frex.sampler.formulas.tree import eliminated, prior_pull, prior_square, scaled_normal, solved
from frex.sampler.kernels.cuda.options import device


class Tree(NamedTuple):
    """The topics, on the device."""

    parents: Any  #: N
    groups: Any  #: N, the column of the dispersions of a node's parent; the root's is not used
    child_starts: Any  #: N + 1, where a node's children start
    children: Any  #: latest first, the order of the CPU's loops
    level_starts: Any  #: where a level's nodes start
    level_nodes: Any  #: N


@device
def block_sum(value, buffer):
    """Return the sum over all threads, to all of them; their number is a power of 2."""
    thread = cuda.threadIdx.x
    buffer[thread] = value
    cuda.syncthreads()
    half = cuda.blockDim.x // 2
    while half > 0:
        if thread < half:
            buffer[thread] += buffer[thread + half]
        cuda.syncthreads()
        half //= 2
    total = buffer[0]
    cuda.syncthreads()
    return total


@device
def precision(f, i, tree, dispersions, root_variance):
    """Return a node's precision about its parent, the root's about its mean."""
    return 1.0 / root_variance if i == 0 else 1.0 / dispersions[f, tree.groups[i]]


@device
def handed_on(f, i, tree, multipliers, x):
    """Return what a node's children hand on to it, the sum of m x."""
    total = 0.0
    for child in range(tree.child_starts[i], tree.child_starts[i + 1]):
        c = tree.children[child]
        total += multipliers[f, c] * x[f, c]
    return total


@device
def factor(f, tree, dispersions, root_variance, curvature, inverses, multipliers, carried):
    """Fill a word's inverse pivots 1 / d and multipliers m, where L[parent of i, i] = -m_i."""
    for level in range(len(tree.level_starts) - 2, -1, -1):
        first = tree.level_starts[level] + cuda.threadIdx.x
        for spot in range(first, tree.level_starts[level + 1], cuda.blockDim.x):
            i = tree.level_nodes[spot]
            total = curvature[f, i] + handed_on(f, i, tree, multipliers, carried)
            carried[f, i] = total
            inverses[f, i], multipliers[f, i] = eliminated(
                total, precision(f, i, tree, dispersions, root_variance)
            )
        cuda.syncthreads()


@device
def solve(f, tree, inverses, multipliers, x):
    """Replace a word's x by the solution of A y = x."""
    n_levels = len(tree.level_starts) - 1
    for level in range(n_levels - 2, -1, -1):
        first = tree.level_starts[level] + cuda.threadIdx.x
        for spot in range(first, tree.level_starts[level + 1], cuda.blockDim.x):
            i = tree.level_nodes[spot]
            x[f, i] += handed_on(f, i, tree, multipliers, x)
        cuda.syncthreads()
    for level in range(n_levels):
        first = tree.level_starts[level] + cuda.threadIdx.x
        for spot in range(first, tree.level_starts[level + 1], cuda.blockDim.x):
            i = tree.level_nodes[spot]
            above = 0.0 if i == 0 else x[f, tree.parents[i]]
            x[f, i] = solved(x[f, i], inverses[f, i], multipliers[f, i], above)
        cuda.syncthreads()


@device
def to_momenta(f, tree, inverses, multipliers, x, out):
    """Fill a draw from Normal(0, A), a momentum of mass A, from standard normals x."""
    for i in range(cuda.threadIdx.x, len(tree.parents), cuda.blockDim.x):
        total = scaled_normal(x[f, i], inverses[f, i])
        for child in range(tree.child_starts[i], tree.child_starts[i + 1]):
            c = tree.children[child]
            total -= multipliers[f, c] * scaled_normal(x[f, c], inverses[f, c])
        out[f, i] = total
    cuda.syncthreads()


@device
def prior_slope(f, i, tree, dispersions, root_mean, root_variance, x):
    """Return a node's entry of -Lambda (mu - psi)."""
    above = root_mean if i == 0 else x[f, tree.parents[i]]
    slope = prior_pull(precision(f, i, tree, dispersions, root_variance), x[f, i], above)
    for child in range(tree.child_starts[i], tree.child_starts[i + 1]):
        c = tree.children[child]
        slope -= prior_pull(1.0 / dispersions[f, tree.groups[c]], x[f, c], x[f, i])
    return slope


@device
def prior_energy(f, i, tree, dispersions, root_mean, root_variance, x):
    """Return a node's part of (mu - psi)' Lambda (mu - psi) / 2."""
    above = root_mean if i == 0 else x[f, tree.parents[i]]
    return 0.5 * prior_square(precision(f, i, tree, dispersions, root_variance), x[f, i], above)
