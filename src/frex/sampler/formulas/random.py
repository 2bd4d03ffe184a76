"""Random numbers that are a function of their address: Philox 4x32 with 10 rounds.

An address is (seed; item, scan, stream, draw), where a stream is a block of a chain. Whoever asks
for an address gets the same uniforms, on any thread, rank or device, and after a resume: there is
no state to keep. (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3,
2011.)

Words of 32 bits are held in 64, so that nothing wraps around.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numba import uint64

from frex.sampler.formulas.elementary import circle, log
from frex.sampler.formulas.options import exact, scalar

_ROUNDS = 10
_M0, _M1 = uint64(0xD2511F53), uint64(0xCD9E8D57)
_W0, _W1 = uint64(0x9E3779B9), uint64(0xBB67AE85)
_LOW, _WORD = uint64(0xFFFFFFFF), uint64(32)
_FIVE, _SIX = uint64(5), uint64(6)


class Address(NamedTuple):
    """Where a block's random numbers are; an item's follow from there."""

    key: Any
    scan: int
    stream: int


@scalar
def philox(key, c0, c1, c2, c3):
    """Return four random 32-bit words for a counter of four 32-bit words and a 64-bit key."""
    k0, k1 = key & _LOW, key >> _WORD
    for _ in range(_ROUNDS):
        a = _M0 * c0
        b = _M1 * c2
        c0, c1, c2, c3 = (b >> _WORD) ^ c1 ^ k0, b & _LOW, (a >> _WORD) ^ c3 ^ k1, a & _LOW
        k0 = (k0 + _W0) & _LOW
        k1 = (k1 + _W1) & _LOW
    return c0, c1, c2, c3


@scalar
def uniforms(key: Any, item: Any, scan: Any, stream: Any, draw: Any) -> tuple[Any, Any]:
    """Return two numbers uniform on the open interval (0, 1), of 53 bits each."""
    a, b, c, d = philox(uint64(key), uint64(item), uint64(scan), uint64(stream), uint64(draw))
    first = ((a >> _FIVE) * 67108864.0 + (b >> _SIX) + 0.5) * 2.0**-53
    second = ((c >> _FIVE) * 67108864.0 + (d >> _SIX) + 0.5) * 2.0**-53
    return first, second


@scalar
def normals(key: Any, item: Any, scan: Any, stream: Any, draw: Any) -> tuple[Any, Any]:
    """Return two standard normals, by the polar form of a pair of uniforms (Box and Muller)."""
    u, v = uniforms(key, item, scan, stream, draw)
    radius = math.sqrt(-2.0 * log(u))
    cosine, sine = circle(v)
    return radius * cosine, radius * sine


@scalar
def attempt(key, item, scan, stream, draw):
    """Return a normal and a uniform, from two draws: what a gamma variate is made of."""
    x, _ = normals(key, item, scan, stream, draw)
    u, _ = uniforms(key, item, scan, stream, draw + 1)
    return x, u


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
