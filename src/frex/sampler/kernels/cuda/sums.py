"""Sums over stretches of items."""

from __future__ import annotations

from numba import cuda, float64

from frex.sampler.kernels.cuda.blocks import block_sum
from frex.sampler.kernels.cuda.options import SUM_THREADS, kernel


@kernel
def sum_chunks(values, places, chunk_starts, out):
    """Sum each row of values over chunks of their places; `out` is chunks x rows."""
    buffer = cuda.shared.array(SUM_THREADS, float64)
    chunk = cuda.blockIdx.x
    first = chunk_starts[chunk] + cuda.threadIdx.x
    for row in range(values.shape[0]):
        total = 0.0
        for spot in range(first, chunk_starts[chunk + 1], cuda.blockDim.x):
            total += values[row, places[spot]]
        total = block_sum(total, buffer)
        if cuda.threadIdx.x == 0:
            out[chunk, row] = total
