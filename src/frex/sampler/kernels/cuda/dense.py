"""Small dense linear algebra of a document, by its thread; entries are `LANES` apart."""

from __future__ import annotations

import math

from frex.sampler.kernels.cuda.options import LANES, device


@device
def cholesky(square, m, lower):
    """Replace a symmetric matrix, of which the lower half is read, by its Cholesky factor.

    Returns False, with the factor half done, where the matrix is not positive definite.
    """
    for i in range(m):
        for j in range(i + 1):
            total = lower[square + (i * m + j) * LANES]
            for k in range(j):
                total -= lower[square + (i * m + k) * LANES] * lower[square + (j * m + k) * LANES]
            if i > j:
                lower[square + (i * m + j) * LANES] = total / lower[square + (j * m + j) * LANES]
            elif total > 0.0:
                lower[square + (i * m + i) * LANES] = math.sqrt(total)
            else:
                return False
    return True


@device
def mass_factor(square, m, curvature, variance, lower):
    """Fill the Cholesky factor of curvature + 1 / lambda2."""
    for i in range(m):
        for j in range(i + 1):
            lower[square + (i * m + j) * LANES] = curvature[square + (i * m + j) * LANES]
        lower[square + (i * m + i) * LANES] += 1.0 / variance
    cholesky(square, m, lower)


@device
def multiply_lower(first, square, m, lower, x):
    """Replace x by L x."""
    for i in range(m - 1, -1, -1):
        total = 0.0
        for j in range(i + 1):
            total += lower[square + (i * m + j) * LANES] * x[first + j * LANES]
        x[first + i * LANES] = total


@device
def solve(first, square, m, lower, x):
    """Replace x by the solution of L L' y = x."""
    for i in range(m):
        total = x[first + i * LANES]
        for j in range(i):
            total -= lower[square + (i * m + j) * LANES] * x[first + j * LANES]
        x[first + i * LANES] = total / lower[square + (i * m + i) * LANES]
    for i in range(m - 1, -1, -1):
        total = x[first + i * LANES]
        for j in range(i + 1, m):
            total -= lower[square + (j * m + i) * LANES] * x[first + j * LANES]
        x[first + i * LANES] = total / lower[square + (i * m + i) * LANES]
