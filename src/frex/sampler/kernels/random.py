"""Arrays of the random numbers of `formulas/random.py`, and single ones for Python."""

from __future__ import annotations

import numpy as np

from frex.sampler.formulas.random import attempt, gamma, normals, uniforms
from frex.sampler.kernels.options import exact, plain

STREAMS_PER_CHAIN = 64
"""A chain has so many blocks that draw, at most."""


def stream(chain: int, block: int) -> int:
    """Return the number of a chain's block, the third part of an address."""
    return chain * STREAMS_PER_CHAIN + block


@exact
def fill_normals(key, item, scan, stream, draw, out):
    """Fill an array with standard normals; return the next draw that is not yet used."""
    n_pairs = len(out) // 2
    for i in range(n_pairs):  # arithmetic alone: several draws at once
        out[2 * i], out[2 * i + 1] = normals(key, item, scan, stream, draw + i)
    draw += n_pairs
    if len(out) % 2:
        out[-1], _ = normals(key, item, scan, stream, draw)
        draw += 1
    return draw


@exact
def fill_attempts(key, item, scan, stream, out):
    """Fill an array, n x 2, with the attempts of draws 0, 2, 4, ..."""
    for i in range(len(out)):  # arithmetic alone: several at once
        out[i, 0], out[i, 1] = attempt(key, item, scan, stream, 2 * i)


@plain
def normal_array(key, item, scan, stream, n):
    """Return n standard normals, for the blocks that are not written in Numba."""
    out = np.empty(n)
    fill_normals(key, item, scan, stream, 0, out)
    return out


@plain
def uniform_pair(key, item, scan, stream, draw):
    """Return two uniforms, for the blocks that are not written in Numba."""
    return uniforms(key, item, scan, stream, draw)


@plain
def gamma_value(key, item, scan, stream, shape):
    """Return a Gamma(shape, 1) variate, for the blocks that are not written in Numba."""
    return gamma(key, item, scan, stream, np.int64(0), shape)[0]  # compiled once, for no literal
