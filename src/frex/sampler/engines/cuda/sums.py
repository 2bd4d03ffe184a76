"""Sums over all words, documents or labels: chunks on the device, then bins, then all of them.

A bin's sum does not depend on which other bins a GPU has, and all hosts add the same bins in the
same order: so GPUs of many ranks come to the bits of one.
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
    """The places of items, cell by cell; a bin has a cell, or one for each node."""

    places: Any  #: on the device
    chunk_starts: Any  #: on the device, where a chunk's places start; a chunk is of one cell
    cell_chunks: Ints  #: where a cell's chunks start, and at last where they end
    n_columns: int  #: cells of a bin

    @classmethod
    def cut(cls, places: Ints, cell_starts: Ints, longest: int, n_columns: int = 1) -> Cells:
        """Cut the places of every cell into chunks, each no longer than that."""
        chunks = [np.arange(first, last, longest) for first, last in pairwise(cell_starts)]
        chunk_starts = np.concatenate([*chunks, cell_starts[-1:]]).astype(np.int64)
        cell_chunks = np.cumsum([0, *map(len, chunks)])
        return cls(copied(places), copied(chunk_starts), cell_chunks, n_columns)

    @property
    def n_chunks(self) -> int:
        """How many there are of all cells."""
        return int(self.cell_chunks[-1])


class BinSums:
    """Sums of rows of values over cells.

    Parameters
    ----------
    cells
        What is summed over.
    exchange
        With the other GPUs.
    n_rows
        How many sums are taken at a time.

    Attributes
    ----------
    chunks
        On the device, chunks x rows; what fills it itself calls `finish`.
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
        """Return the sums over chunks that are filled."""
        cells = self._cells
        sums = np.zeros((len(cells.cell_chunks) - 1, self._n_rows))
        if len(self._filled):
            chunks = self.chunks.copy_to_host()
            sums[self._filled] = np.add.reduceat(chunks, cells.cell_chunks[self._filled])
        bins = self._exchange.all_bins(sums.reshape(-1, cells.n_columns * self._n_rows))
        total: Floats = bins.sum(axis=0)
        return total.reshape(cells.n_columns, self._n_rows)
