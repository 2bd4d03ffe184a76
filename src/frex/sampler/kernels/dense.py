"""Small dense linear algebra, in place, for matrices that fit into a thread's cache."""

from __future__ import annotations

import math

from frex.sampler.kernels.options import exact


@exact
def cholesky(m, a):
    """Replace the lower triangle of a positive definite matrix by its Cholesky factor."""
    for i in range(m):
        for j in range(i + 1):
            total = a[i, j]
            for k in range(j):
                total -= a[i, k] * a[j, k]
            a[i, j] = math.sqrt(total) if i == j else total / a[j, j]


@exact
def multiply_lower(m, lower, x):
    """Replace x by L x."""
    for i in range(m - 1, -1, -1):
        total = 0.0
        for j in range(i + 1):
            total += lower[i, j] * x[j]
        x[i] = total


@exact
def solve(m, lower, x):
    """Replace x by the solution of L L' y = x."""
    for i in range(m):
        total = x[i]
        for j in range(i):
            total -= lower[i, j] * x[j]
        x[i] = total / lower[i, i]
    for i in range(m - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, m):
            total -= lower[j, i] * x[j]
        x[i] = total / lower[i, i]
