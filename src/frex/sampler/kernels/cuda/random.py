"""The random numbers of `kernels/random.py` on the GPU: uniforms have the same bits.

Words of 32 bits are held in 64, so that nothing wraps around: the simulator's integers complain.
"""

from __future__ import annotations

import math

from numba import uint64

from frex.sampler.kernels.cuda.options import device

_ROUNDS = 10
_M0, _M1 = uint64(0xD2511F53), uint64(0xCD9E8D57)
_W0, _W1 = uint64(0x9E3779B9), uint64(0xBB67AE85)
_LOW, _WORD = uint64(0xFFFFFFFF), uint64(32)
_FIVE, _SIX = uint64(5), uint64(6)


@device
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


@device
def uniforms(address, item, draw):
    """Return two numbers uniform on the open interval (0, 1), of 53 bits each."""
    a, b, c, d = philox(
        address.key, uint64(item), uint64(address.scan), uint64(address.stream), uint64(draw)
    )
    first = ((a >> _FIVE) * 67108864.0 + (b >> _SIX) + 0.5) * 2.0**-53
    second = ((c >> _FIVE) * 67108864.0 + (d >> _SIX) + 0.5) * 2.0**-53
    return first, second


@device
def normals(address, item, draw):
    """Return two standard normals."""
    u, v = uniforms(address, item, draw)
    radius, angle = math.sqrt(-2.0 * math.log(u)), 2.0 * math.pi * v
    return radius * math.cos(angle), radius * math.sin(angle)


@device
def normal(address, item, i):
    """Return the i-th of an item's standard normals."""
    first, second = normals(address, item, i // 2)
    return second if i % 2 else first


@device
def gamma(address, item, draw, shape):
    """Return a Gamma(shape, 1) variate and the next draw that is not yet used."""
    boost = 1.0
    if shape < 1.0:
        u, _ = uniforms(address, item, draw)
        draw += 1
        boost = u ** (1.0 / shape)
        shape += 1.0
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    while True:
        x, _ = normals(address, item, draw)
        u, _ = uniforms(address, item, draw + 1)
        draw += 2
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            if math.log(u) < 0.5 * x * x + d - d * v + d * math.log(v):
                return boost * d * v, draw
