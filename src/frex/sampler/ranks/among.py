"""What crosses between the ranks of a run: `sampler/exchange.py` for many processes."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from frex.sampler.exchange import Of
    from frex.sampler.ranks.exchange import Dealt, Ranks
    from frex.sampler.ranks.tables import Table


class AmongRanks:
    """A rank among others; each has the words and documents of its bins.

    Parameters
    ----------
    ranks
        All of them.
    dealt
        Which rank has which rows, of each kind.
    """

    def __init__(self, ranks: Ranks, dealt: Mapping[Of, Dealt]) -> None:
        self.ranks, self._dealt = ranks, dealt
        self.rank, self.size, self.first = ranks.rank, ranks.size, ranks.first
        self.sizes = {of: len(own.order) for of, own in dealt.items()}
        self.total, self.largest, self.tell = ranks.total, ranks.largest, ranks.tell
        self.every_bin, self.stretch = ranks.all_bins, ranks.stretch
        self.every_stretch, self.listen = ranks.all_stretches, ranks.gather
        self.rows = cache(lambda of: dealt[of].rows)

    def sum(self, partial: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return sums over all items, from those over the items of each of this rank's bins.

        All ranks add the same numbers in the same order, so the bits are those of one process.
        """
        total: NDArray[np.float64] = self.every_bin(partial).sum(axis=0)
        return total

    def own(self, of: Of) -> NDArray[np.int64]:
        """Return what indexes this rank's rows in an array over all."""
        return self._dealt[of].own

    def mine(self, of: Of) -> slice:
        """Return where this rank's rows are in a table in the order of the ranks."""
        return self._dealt[of].mine

    def share(self, of: Of, *arrays: NDArray[np.float64]) -> None:
        """Fill the rows of other ranks with what they have there."""
        self.ranks.share(self._dealt[of], *arrays)

    def gather(self, of: Of, array: NDArray[Any]) -> NDArray[Any]:
        """Return the array, made whole on the first rank."""
        dealt = self._dealt[of]
        self.ranks.gather_rows(dealt, array[dealt.own], array)
        return array

    def gather_own(self, of: Of, rows: NDArray[Any]) -> NDArray[Any]:
        """Return an array that is whole on the first rank, from this one's rows of it."""
        whole = np.empty((self.sizes[of] if self.first else 0, *rows.shape[1:]), rows.dtype)
        self.ranks.gather_rows(self._dealt[of], rows, whole)
        return whole

    def table(
        self,
        of: Of,
        shape: tuple[int, ...],
        memory: Any,  # noqa: ARG002 - that of a process alone
        *,
        in_order: bool = False,
    ) -> Table:
        """Return a table that all ranks fill; those of a machine have one copy of it."""
        return self.ranks.table(self._dealt[of], shape, in_order=in_order)

    def fill_rows(self, of: Of, table: NDArray[np.float64]) -> None:
        """Fill the rows of other ranks in an array in the order of the ranks."""
        self.ranks.fill_table(self._dealt[of], table)
