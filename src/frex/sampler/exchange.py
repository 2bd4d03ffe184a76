"""The communication interface for a single process.

`ranks/among.py` implements it for several processes, each with the words and documents of some
bins. Engines and records receive one or the other, and do not depend on which.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.data import KernelData
    from frex.sampler.ranks.among import RankExchange

RowKind = Literal["words", "documents", "labels", "squares"]
"""The kind of an array's rows: words, documents with several labels, the labels of these documents,
or the entries of their matrices over labels."""

_Value = TypeVar("_Value")


class OneProcess:
    """The exchange of a single process, which has all rows.

    Parameters
    ----------
    sizes
        Number of rows of each kind.
    """

    rank, size, first = 0, 1, True

    def __init__(self, sizes: Mapping[RowKind, int]) -> None:
        self.sizes = sizes

    @classmethod
    def of(cls, data: KernelData) -> OneProcess:
        """Return the exchange of a single process that has the whole corpus."""
        documents = data.documents
        return cls(
            {
                "words": len(data.words.single_counts),
                "documents": len(documents.exposures),
                "labels": int(documents.label_starts[-1]),
                "squares": int(documents.square_starts[-1]),
            }
        )

    # sums

    def sum(self, partial: Floats) -> Floats:
        """Return sums over all items, given the sums of each of this process's bins."""
        total: Floats = self.all_bins(partial).sum(axis=0)
        return total

    def all_bins(self, partial: Floats) -> Floats:
        """Return the sums of all bins, given those of this process's bins."""
        return partial

    def total(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return the sum over processes, of integers."""
        return counts

    def largest(self, values: Floats) -> Floats:
        """Return the elementwise maximum over processes."""
        return values

    # rows

    def own(self, kind: RowKind) -> Any:
        """Return the index of this process's rows in an array of all rows."""
        return slice(None)

    def mine(self, kind: RowKind) -> slice:
        """Return the slice of this process's rows in a table ordered by process."""
        return slice(0, self.sizes[kind])

    def rows(self, kind: RowKind) -> Ints:
        """Return the position of each row in a table ordered by process."""
        return np.arange(self.sizes[kind])

    def share(self, kind: RowKind, *arrays: Floats) -> None:
        """Fill the rows of other processes with their values."""

    def gather(self, kind: RowKind, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array that is complete on the first process; all processes must call this."""
        return array

    def gather_own(self, kind: RowKind, rows: NDArray[Any]) -> NDArray[Any]:
        """Return an array that is complete on the first process, given this process's rows."""
        return rows

    # tables that the processes of a machine share

    def table(
        self, kind: RowKind, shape: tuple[int, ...], memory: Any, *, in_order: bool = False
    ) -> Any:
        """Return a `Table` that all processes fill; a single process uses the given memory."""
        return Table(memory)

    # topics and values

    def stretch(self, n_items: int) -> slice:
        """Return this process's range of items, which are divided among processes."""
        return slice(0, n_items)

    def all_stretches(self, rows: Floats, n_items: int) -> Floats:
        """Return the rows of all items, given those of this process's range."""
        return rows

    def broadcast(self, value: _Value) -> _Value:
        """Return the value of the first process."""
        return value

    def gather_values(self, value: _Value) -> list[_Value] | None:
        """Return the values of all processes on the first, and None on the others."""
        return [value]


class Table:
    """A table that only this process fills."""

    def __init__(self, memory: Floats) -> None:
        self.array = memory

    def fill(self) -> None:
        """Wait until all processes have filled their rows."""


Exchange: TypeAlias = "OneProcess | RankExchange"
"""One process, or one among several."""
