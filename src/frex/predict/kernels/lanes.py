"""Functions of one number in a form that runs on all lanes of the processor at once.

Those of the C library are called number by number, and are an obstacle to it.
"""

from __future__ import annotations

import numpy as np

from frex.sampler.kernels.options import inner

WIDTH = 8
"""Numbers of single precision in a lane; loops over so many at a time leave no rest."""

LEAST_EXPONENT = np.float32(-87.0)
PER_LOG_2 = np.float32(1.4426950408889634)
LOG_2_LARGE, LOG_2_SMALL = np.float32(0.693359375), np.float32(-2.12194440e-4)
HALF, ONE, BIAS, MANTISSA = np.float32(0.5), np.float32(1.0), np.int32(127), np.int32(23)
P2, P3, P4 = np.float32(1 / 2), np.float32(1 / 6), np.float32(1 / 24)
P5, P6, P7 = np.float32(1 / 120), np.float32(1 / 720), np.float32(1 / 5040)


@inner
def exp(x):
    """Return exp(x) for x <= 0 in single precision, to seven digits, and no less than exp(-87).

    x = n log 2 + r with |r| < 0.35: a polynomial in r, and n put where a number has its exponent.
    """
    x = max(x, LEAST_EXPONENT)
    whole = np.int32(x * PER_LOG_2 - HALF)
    n = np.float32(whole)
    r = (x - n * LOG_2_LARGE) - n * LOG_2_SMALL
    p = P2 + r * (P3 + r * (P4 + r * (P5 + r * (P6 + r * P7))))
    return (ONE + r * (ONE + r * p)) * np.int32((whole + BIAS) << MANTISSA).view(np.float32)


@inner
def log(x):
    """Return log(x) for x > 0 in double precision, to ten digits.

    x = 2^n m with m about 1, and log m = 2 artanh((m - 1) / (m + 1)): a short series.
    """
    bits = np.float64(x).view(np.int64)
    m = np.int64((bits & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000).view(np.float64)
    large = m > 1.4142135623730951
    m = 0.5 * m if large else m
    n = np.float64((bits >> 52) - 1023) + (1.0 if large else 0.0)
    r = (m - 1.0) / (m + 1.0)
    q = r * r
    p = 1 / 7 + q * (1 / 9 + q * (1 / 11 + q / 13))
    p = 1.0 + q * (1 / 3 + q * (1 / 5 + q * p))
    return n * 0.6931471805599453 + 2.0 * r * p
