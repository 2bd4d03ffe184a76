"""Sums over all words, documents or labels: over chunks on the device, then by bin, then in total.

A bin's sum does not depend on the other bins of a GPU, and all hosts add the same bins in the same
order. So the result has the same bits for any number of GPUs.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex.sampler.engines.cuda.memory import copied, zeros
from frex.sampler.kernels.cuda.options import SUM_THREADS
from frex.sampler.kernels.cuda.sums import sum_chunks

if TYPE_CHECKING:
    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.exchange import Exchange


class Cells(NamedTuple):
    """The positions of items by cell; a bin has one cell, or one for each node."""

    places: Any  #: on the device
    chunk_starts: Any  #: on the device, start of each chunk's positions; a chunk lies in one cell
    cell_chunks: Ints  #: start of each cell's chunks, and the end of the last
    n_columns: int  #: cells of a bin

    @classmethod
    def cut(cls, places: Ints, cell_starts: Ints, longest: int, n_columns: int = 1) -> Cells:
        """Divide the positions of every cell into chunks with at most `longest` positions."""
        chunks = [np.arange(first, last, longest) for first, last in pairwise(cell_starts)]
        chunk_starts = np.concatenate([*chunks, cell_starts[-1:]]).astype(np.int64)
        cell_chunks = np.cumsum([0, *map(len, chunks)])
        return cls(copied(places), copied(chunk_starts), cell_chunks, n_columns)

    @property
    def n_chunks(self) -> int:
        """Number of chunks of all cells."""
        return int(self.cell_chunks[-1])


class BinSums:
    """Sums of rows of values over cells.

    Parameters
    ----------
    cells
        The items to sum over.
    exchange
        Communication with the other GPUs.
    n_rows
        Number of sums that are taken at a time.

    Attributes
    ----------
    chunks
        Sums of chunks on the device, chunks x rows; a kernel that fills it calls `finish`.
    """

    def __init__(self, cells: Cells, exchange: Exchange, n_rows: int) -> None:
        self._cells, self._exchange, self._n_rows = cells, exchange, n_rows
        self.chunks = zeros((cells.n_chunks, n_rows))
        self._filled = np.flatnonzero(np.diff(cells.cell_chunks))

    def take(self, values: Any) -> Floats:
        """Return the sum of each row of values, columns x rows."""
        cells = self._cells
        sum_chunks[cells.n_chunks, SUM_THREADS](
            values, cells.places, cells.chunk_starts, self.chunks
        )
        return self.finish()

    def finish(self) -> Floats:
        """Return the sums over the filled chunks."""
        cells = self._cells
        sums = np.zeros((len(cells.cell_chunks) - 1, self._n_rows))
        if len(self._filled):
            chunks = self.chunks.copy_to_host()
            sums[self._filled] = np.add.reduceat(chunks, cells.cell_chunks[self._filled])
        bins = self._exchange.all_bins(sums.reshape(-1, cells.n_columns * self._n_rows))
        total: Floats = bins.sum(axis=0)
        return total.reshape(cells.n_columns, self._n_rows)
