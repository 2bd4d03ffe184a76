"""Sums over words, documents and labels, in two stages and in a fixed order."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from numba import cuda, float64

from frex.sampler.kernels.cuda.blocks import block_sum
from frex.sampler.kernels.cuda.options import SUM_THREADS, kernel


class ByNode(NamedTuple):
    """The places of labels in the order of their nodes, in chunks of one node each."""

    places: Any
    chunk_starts: Any  #: where a chunk's places start
    node_chunks: Any  #: N + 1, where a node's chunks start


@kernel
def sum_chunks(values, by_node, partial):
    """Sum each row of label values over the chunks; `partial` is rows x chunks."""
    buffer = cuda.shared.array(SUM_THREADS, float64)
    chunk = cuda.blockIdx.x
    first = by_node.chunk_starts[chunk] + cuda.threadIdx.x
    for row in range(values.shape[0]):
        total = 0.0
        for spot in range(first, by_node.chunk_starts[chunk + 1], cuda.blockDim.x):
            total += values[row, by_node.places[spot]]
        total = block_sum(total, buffer)
        if cuda.threadIdx.x == 0:
            partial[row, chunk] = total


@kernel
def sum_nodes(partial, by_node, start, out):
    """Add the chunks of every node to what is there, `out` being rows x N."""
    i = cuda.grid(1)
    if i < out.shape[1]:
        for row in range(out.shape[0]):
            total = start[i]
            for chunk in range(by_node.node_chunks[i], by_node.node_chunks[i + 1]):
                total += partial[row, chunk]
            out[row, i] = total


@kernel
def sum_stretches(values, partial):
    """Sum each row over stretches of equal length; `partial` is rows x stretches."""
    buffer = cuda.shared.array(SUM_THREADS, float64)
    n, stretch, n_stretches = values.shape[1], cuda.blockIdx.x, cuda.gridDim.x
    first, last = stretch * n // n_stretches, (stretch + 1) * n // n_stretches
    for row in range(values.shape[0]):
        total = 0.0
        for spot in range(first + cuda.threadIdx.x, last, cuda.blockDim.x):
            total += values[row, spot]
        total = block_sum(total, buffer)
        if cuda.threadIdx.x == 0:
            partial[row, stretch] = total


@kernel
def sum_moves(done, partial):
    """Sum acceptances and sizes of changes of energy over stretches; `partial` is 2 x stretches."""
    buffer = cuda.shared.array(SUM_THREADS, float64)
    n, stretch, n_stretches = done.shape[1], cuda.blockIdx.x, cuda.gridDim.x
    first, last = stretch * n // n_stretches, (stretch + 1) * n // n_stretches
    acceptance = 0.0
    energy = 0.0
    for spot in range(first + cuda.threadIdx.x, last, cuda.blockDim.x):
        acceptance += done[0, spot]
        size = abs(done[1, spot])
        energy += size if math.isnan(size) else min(size, 1e3)
    acceptance, energy = block_sum(acceptance, buffer), block_sum(energy, buffer)
    if cuda.threadIdx.x == 0:
        partial[0, stretch] = acceptance
        partial[1, stretch] = energy
