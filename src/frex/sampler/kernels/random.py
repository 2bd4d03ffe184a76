"""Random numbers that are a function of their address: Philox 4x32 with 10 rounds.

An address is (seed; item, scan, stream, draw), where a stream is a block of a chain. Whoever asks
for an address gets the same bits, on any thread, rank or device, and after a resume: there is no
state to keep. (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, 2011.)
"""

from __future__ import annotations

import math

import numpy as np
from numba import uint32, uint64

from frex.sampler.kernels.elementary import circle, log
from frex.sampler.kernels.options import called, exact, scalar

STREAMS_PER_CHAIN = 64
"""A chain has so many blocks that draw, at most."""

LEAST_STEP, STEP_RANGE = 0.8, 0.4
"""A trajectory's step is the tuned one times a uniform variate from 0.8 to 1.2: with one length for
all, some would come full circle."""

_ROUNDS = 10
_MULTIPLIERS = uint64(0xD2511F53), uint64(0xCD9E8D57)
_WEYL = uint32(0x9E3779B9), uint32(0xBB67AE85)
_LOW = uint64(0xFFFFFFFF)


def stream(chain: int, block: int) -> int:
    """Return the number of a chain's block, the third part of an address."""
    return chain * STREAMS_PER_CHAIN + block


@scalar
def philox(key, c0, c1, c2, c3):
    """Return four random 32-bit words for a counter of four 32-bit words and a 64-bit key."""
    k0, k1 = uint32(key & _LOW), uint32(key >> uint64(32))
    for _ in range(_ROUNDS):
        a = _MULTIPLIERS[0] * uint64(c0)
        b = _MULTIPLIERS[1] * uint64(c2)
        c0, c1, c2, c3 = (
            uint32(uint32(b >> uint64(32)) ^ c1 ^ k0),
            uint32(b & _LOW),
            uint32(uint32(a >> uint64(32)) ^ c3 ^ k1),
            uint32(a & _LOW),
        )
        k0 = uint32(k0 + _WEYL[0])
        k1 = uint32(k1 + _WEYL[1])
    return c0, c1, c2, c3


@scalar
def uniforms(key, item, scan, stream, draw):
    """Return two numbers uniform on the open interval (0, 1), of 53 bits each."""
    a, b, c, d = philox(key, uint32(item), uint32(scan), uint32(stream), uint32(draw))
    first = ((a >> 5) * 67108864.0 + (b >> 6) + 0.5) * 2.0**-53
    second = ((c >> 5) * 67108864.0 + (d >> 6) + 0.5) * 2.0**-53
    return first, second


@scalar
def normals(key, item, scan, stream, draw):
    """Return two standard normals, by the polar form of a pair of uniforms (Box and Muller)."""
    u, v = uniforms(key, item, scan, stream, draw)
    radius = math.sqrt(-2.0 * log(u))
    cosine, sine = circle(v)
    return radius * cosine, radius * sine


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
def gamma(key, item, scan, stream, draw, shape):
    """Return a Gamma(shape, 1) variate and the next draw that is not yet used.

    Marsaglia and Tsang (2000); below 1 a shape is raised by one and the result by a power of a
    uniform.
    """
    boost = 1.0
    if shape < 1.0:
        u, _ = uniforms(key, item, scan, stream, draw)
        draw += 1
        boost = u ** (1.0 / shape)
        shape += 1.0
    while True:
        x, u = attempt(key, item, scan, stream, draw)
        draw += 2
        value = gamma_of(x, u, shape)
        if value > 0.0:
            return boost * value, draw


@scalar
def attempt(key, item, scan, stream, draw):
    """Return a normal and a uniform, from two draws: what a gamma variate is made of."""
    x, _ = normals(key, item, scan, stream, draw)
    u, _ = uniforms(key, item, scan, stream, draw + 1)
    return x, u


@exact
def fill_attempts(key, item, scan, stream, out):
    """Fill an array, n x 2, with the attempts of draws 0, 2, 4, ..."""
    for i in range(len(out)):  # arithmetic alone: several at once
        out[i, 0], out[i, 1] = attempt(key, item, scan, stream, 2 * i)


@scalar
def gamma_of(x, u, shape):
    """Return what an attempt makes a Gamma(shape, 1) variate, of a shape of 1 and more; or 0."""
    d = shape - 1.0 / 3.0
    v = 1.0 + x / math.sqrt(9.0 * d)
    if v <= 0.0:
        return 0.0
    v = v * v * v
    square = x * x
    # the first of the two implies the second, and nearly always holds
    if u < 1.0 - 0.0331 * square * square:
        return d * v
    if math.log(u) < 0.5 * square + d - d * v + d * math.log(v):
        return d * v
    return 0.0


@called
def normal_array(key, item, scan, stream, n):
    """Return n standard normals, for the blocks that are not written in Numba."""
    out = np.empty(n)
    fill_normals(key, item, scan, stream, 0, out)
    return out


@called
def uniform_pair(key, item, scan, stream, draw):
    """Return two uniforms, for the blocks that are not written in Numba."""
    return uniforms(key, item, scan, stream, draw)


@called
def gamma_value(key, item, scan, stream, shape):
    """Return a Gamma(shape, 1) variate, for the blocks that are not written in Numba."""
    return gamma(key, item, scan, stream, np.int64(0), shape)[0]  # compiled once, for no literal
