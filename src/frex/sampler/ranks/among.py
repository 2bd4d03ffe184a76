"""Communication between the ranks of a run: `sampler/exchange.py` for several processes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.exchange import RowKind
    from frex.sampler.ranks.exchange import Partition, Ranks
    from frex.sampler.ranks.tables import Table


class RankExchange:
    """A rank among others; each has the words and documents of its bins.

    Parameters
    ----------
    ranks
        All of them.
    partitions
        Which rank has which rows, of each kind.
    """

    def __init__(self, ranks: Ranks, partitions: Mapping[RowKind, Partition]) -> None:
        self.ranks, self._partitions = ranks, partitions
        self.rank, self.size, self.first = ranks.rank, ranks.size, ranks.first
        self.sizes = {kind: len(own.order) for kind, own in partitions.items()}
        self.total, self.largest, self.broadcast = ranks.total, ranks.largest, ranks.broadcast
        self.all_bins, self.stretch = ranks.all_bins, ranks.stretch
        self.all_stretches, self.gather_values = ranks.all_stretches, ranks.gather
        self.rows = cache(lambda kind: partitions[kind].rows)

    def sum(self, partial: Floats) -> Floats:
        """Return sums over all items, from those over the items of each of this rank's bins.

        All ranks add the same numbers in the same order, so the bits are those of one process.
        """
        total: Floats = self.all_bins(partial).sum(axis=0)
        return total

    def own(self, kind: RowKind) -> Ints:
        """Return what indexes this rank's rows in an array over all."""
        return self._partitions[kind].own

    def mine(self, kind: RowKind) -> slice:
        """Return where this rank's rows are in a table in the order of the ranks."""
        return self._partitions[kind].mine

    def share(self, kind: RowKind, *arrays: Floats) -> None:
        """Fill the rows of other ranks with what they have there."""
        self.ranks.share(self._partitions[kind], *arrays)

    def gather(self, kind: RowKind, array: NDArray[Any]) -> NDArray[Any]:
        """Return the array, made whole on the first rank."""
        partition = self._partitions[kind]
        self.ranks.gather_rows(partition, array[partition.own], array)
        return array

    def gather_own(self, kind: RowKind, rows: NDArray[Any]) -> NDArray[Any]:
        """Return an array that is whole on the first rank, from this one's rows of it."""
        whole = np.empty((self.sizes[kind] if self.first else 0, *rows.shape[1:]), rows.dtype)
        self.ranks.gather_rows(self._partitions[kind], rows, whole)
        return whole

    def table(
        self,
        kind: RowKind,
        shape: tuple[int, ...],
        memory: Any,  # noqa: ARG002 - that of a process alone
        *,
        in_order: bool = False,
    ) -> Table:
        """Return a table that all ranks fill; those of a machine have one copy of it."""
        return self.ranks.table(self._partitions[kind], shape, in_order=in_order)

    def fill_rows(self, kind: RowKind, table: Floats) -> None:
        """Fill the rows of other ranks in an array in the order of the ranks."""
        self.ranks.fill_table(self._partitions[kind], table)
