"""The CPU's form of `formulas/elementary.py`, with which a loop over an array can be vectorised.

The C library's take one number at a time; these are arithmetic alone, so that the compiler takes
four or eight. Within two units of rounding of the true value. The reductions are FDLIBM's; its
rational functions are here polynomials of as many terms as double precision needs.

They are compiled without reassociation: taking ``n log 2`` off in two parts, high and low, is the
point of them.
"""

from __future__ import annotations

import math

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from frex.sampler.formulas import elementary
from frex.sampler.formulas.elementary import HIGHEST, LOWEST
from frex.sampler.formulas.options import for_cpu

_BIAS, _MANTISSA = np.int64(0x3FF0000000000000), np.int64(52)
ROOT_HALF = np.int64(0x3FE6A09E667F3BCD)  # the bits of sqrt(1/2)
LOG2_HIGH, LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
LOG_SERIES = (
    1.479819860511658591e-01,
    1.531383769920937332e-01,
    1.818357216161805012e-01,
    2.222219843214978396e-01,
    2.857142874366239149e-01,
    3.999999999940941908e-01,
    6.666666666666735130e-01,
)
_ROUND = 6755399441055744.0  # 1.5 x 2^52: adding it rounds to a whole number, in the lowest bits


@intrinsic
def _bits(typingctx, x):  # noqa: ARG001 - the signature that Numba asks for
    """Return the bits of a float as an integer."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        return builder.bitcast(arguments[0], ir.IntType(64))

    return types.int64(types.float64), generate


@intrinsic
def _float(typingctx, bits):  # noqa: ARG001
    """Return the float that has these bits."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        return builder.bitcast(arguments[0], ir.DoubleType())

    return types.float64(types.int64), generate


def _exp(x):
    x = min(max(x, LOWEST), HIGHEST)
    shifted = x * 1.4426950408889634 + _ROUND
    n = shifted - _ROUND
    r = (x - n * LOG2_HIGH) - n * LOG2_LOW
    series = 1 / 479001600
    series = series * r + 1 / 39916800
    series = series * r + 1 / 3628800
    series = series * r + 1 / 362880
    series = series * r + 1 / 40320
    series = series * r + 1 / 5040
    series = series * r + 1 / 720
    series = series * r + 1 / 120
    series = series * r + 1 / 24
    series = series * r + 1 / 6
    series = series * r + 0.5
    series = series * r * r + r
    return (1.0 + series) * _float((_bits(shifted) << _MANTISSA) + _BIAS)


def _log(x):
    bits = _bits(x)
    k = (bits - ROOT_HALF) >> _MANTISSA
    f = _float(bits - (k << _MANTISSA)) - 1.0  # in sqrt(1/2) - 1 .. sqrt(2) - 1
    s = f / (2.0 + f)
    z = s * s
    series = LOG_SERIES[0]
    series = series * z + LOG_SERIES[1]
    series = series * z + LOG_SERIES[2]
    series = series * z + LOG_SERIES[3]
    series = series * z + LOG_SERIES[4]
    series = series * z + LOG_SERIES[5]
    series = series * z + LOG_SERIES[6]
    series = series * z
    half = 0.5 * f * f
    whole = float(k)
    value = whole * LOG2_HIGH - ((half - (s * (half + series) + whole * LOG2_LOW)) - f)
    return value if x > 0.0 else math.nan


def _circle(x):
    """Reduce to an eighth of a turn.

    The nearest quarter is taken off, which is exact; the polynomials of the rest, at most an eighth
    of a turn, are FDLIBM's.
    """
    shifted = 4.0 * x + _ROUND
    quarter = _bits(shifted) & np.int64(3)
    x = 2.0 * math.pi * (x - 0.25 * (shifted - _ROUND))
    z = x * x
    sine = 1.58969099521155010221e-10
    sine = sine * z - 2.50507602534068634195e-08
    sine = sine * z + 2.75573137070700676789e-06
    sine = sine * z - 1.98412698298579493134e-04
    sine = sine * z + 8.33333333332248946124e-03
    sine = sine * z - 1.66666666666666324348e-01
    sine = x + x * z * sine
    cosine = -1.13596475577881948265e-11
    cosine = cosine * z + 2.08757232129817482790e-09
    cosine = cosine * z - 2.75573143513906633035e-07
    cosine = cosine * z + 2.48015872894767294178e-05
    cosine = cosine * z - 1.38888888888741095749e-03
    cosine = cosine * z + 4.16666666666666019037e-02
    cosine = 1.0 - (0.5 * z - z * z * cosine)
    odd = quarter & np.int64(1)
    first = sine if odd else cosine
    second = cosine if odd else sine
    first = -first if quarter in (1, 2) else first
    second = -second if quarter >= 2 else second
    return first, second


def _root(x):
    return math.sqrt(x)


def _of_numbers(function):
    return lambda x: function if isinstance(x, types.Number) else None


for_cpu(elementary.exp, _of_numbers(_exp), fastmath={"contract"})
for_cpu(elementary.log, _of_numbers(_log), fastmath={"contract"})
for_cpu(elementary.circle, _of_numbers(_circle), fastmath={"contract"})
for_cpu(elementary.root, _of_numbers(_root), forceinline=True)
