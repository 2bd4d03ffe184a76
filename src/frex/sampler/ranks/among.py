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
    """The exchange of a rank, which has the words and documents of its bins.

    Parameters
    ----------
    ranks
        All ranks.
    partitions
        The division of the rows of each kind among ranks.
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
        """Return sums over all items, given the sums of each of this rank's bins.

        All ranks add the same numbers in the same order, so the bits are those of one process.
        """
        total: Floats = self.all_bins(partial).sum(axis=0)
        return total

    def own(self, kind: RowKind) -> Ints:
        """Return the index of this rank's rows in an array of all rows."""
        return self._partitions[kind].own

    def mine(self, kind: RowKind) -> slice:
        """Return the slice of this rank's rows in a table ordered by rank."""
        return self._partitions[kind].mine

    def share(self, kind: RowKind, *arrays: Floats) -> None:
        """Fill the rows of other ranks with their values."""
        self.ranks.share(self._partitions[kind], *arrays)

    def gather(self, kind: RowKind, array: NDArray[Any]) -> NDArray[Any]:
        """Return the array, completed on the first rank."""
        partition = self._partitions[kind]
        self.ranks.gather_rows(partition, array[partition.own], array)
        return array

    def gather_own(self, kind: RowKind, rows: NDArray[Any]) -> NDArray[Any]:
        """Return an array that is complete on the first rank, given this rank's rows."""
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
        """Return a table that all ranks fill; the ranks of a machine share one copy."""
        return self.ranks.table(self._partitions[kind], shape, in_order=in_order)

    def fill_rows(self, kind: RowKind, table: Floats) -> None:
        """Fill the rows of other ranks in an array ordered by rank."""
        self.ranks.fill_table(self._partitions[kind], table)
