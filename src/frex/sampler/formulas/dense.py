"""Small dense linear algebra, in place, of matrices that lie row by row in flat arrays."""

from __future__ import annotations

import math

from frex.sampler.formulas.options import exact

_MOST_SWEEPS = 30


@exact
def cholesky(m, a):
    """Replace a symmetric matrix, of which the lower half is read, by its Cholesky factor.

    Returns False, with the factor half done and a NaN in it, where the matrix is not positive
    definite.
    """
    for i in range(m):
        for j in range(i + 1):
            total = a[i * m + j]
            for k in range(j):
                total -= a[i * m + k] * a[j * m + k]
            if i > j:
                a[i * m + j] = total / a[j * m + j]
            elif total > 0.0:
                a[i * m + i] = math.sqrt(total)
            else:
                a[i * m + i] = math.nan
                return False
    return True


@exact
def multiply_lower(m, lower, x):
    """Replace x by L x."""
    for i in range(m - 1, -1, -1):
        total = 0.0
        for j in range(i + 1):
            total += lower[i * m + j] * x[j]
        x[i] = total


@exact
def solve(m, lower, x):
    """Replace x by the solution of L L' y = x."""
    for i in range(m):
        total = x[i]
        for j in range(i):
            total -= lower[i * m + j] * x[j]
        x[i] = total / lower[i * m + i]
    for i in range(m - 1, -1, -1):
        total = x[i]
        for j in range(i + 1, m):
            total -= lower[j * m + i] * x[j]
        x[i] = total / lower[i * m + i]


@exact
def product(m, a, b):
    """Return the sum of a times b."""
    total = 0.0
    for k in range(m):
        total += a[k] * b[k]
    return total


@exact
def rotate(m, p, q, matrix, basis):
    """Turn the p-th and q-th coordinates so that the matrix is 0 between them (Jacobi, 1846)."""
    gap = matrix[q * m + q] - matrix[p * m + p]
    half = 0.5 * gap / matrix[p * m + q]
    t = (1.0 if half >= 0.0 else -1.0) / (abs(half) + math.sqrt(half * half + 1.0))
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    for k in range(m):
        turn_pair(k * m + p, k * m + q, c, s, matrix)
    for k in range(m):
        turn_pair(p * m + k, q * m + k, c, s, matrix)
        turn_pair(k * m + p, k * m + q, c, s, basis)


@exact
def turn_pair(one, other, c, s, matrix):
    """Turn two entries of a matrix by an angle whose cosine and sine are given."""
    a, b = matrix[one], matrix[other]
    matrix[one] = c * a - s * b
    matrix[other] = s * a + c * b


@exact
def diagonalise(m, matrix, basis):
    """Make a symmetric matrix diagonal, and fill its eigenvectors."""
    for k in range(m):
        for j in range(m):
            basis[k * m + j] = 1.0 if k == j else 0.0
    for _ in range(_MOST_SWEEPS):
        turned = False
        for p in range(m):
            for q in range(p + 1, m):
                scale = abs(matrix[p * m + p]) + abs(matrix[q * m + q])
                if abs(matrix[p * m + q]) > 1e-16 * scale:
                    rotate(m, p, q, matrix, basis)
                    turned = True
        if not turned:
            break
