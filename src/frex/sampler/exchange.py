"""Communication between processes, where there is only one.

`ranks/among.py` does the same for several, each with the words and documents of some bins. Engines
and records are given one or the other, and do not know which.
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
"""What the rows of an array are: words, documents with several labels, these documents' labels, or
the entries of their matrices over labels."""

_Value = TypeVar("_Value")


class OneProcess:
    """The exchange of a single process, which has all rows.

    Parameters
    ----------
    sizes
        How many rows there are of each kind.
    """

    rank, size, first = 0, 1, True

    def __init__(self, sizes: Mapping[RowKind, int]) -> None:
        self.sizes = sizes

    @classmethod
    def of(cls, data: KernelData) -> OneProcess:
        """Return the one process that has a whole corpus."""
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
        """Return sums over all items, from those over the items of each of this process' bins."""
        total: Floats = self.all_bins(partial).sum(axis=0)
        return total

    def all_bins(self, partial: Floats) -> Floats:
        """Return the sums of all bins, from those of this process'."""
        return partial

    def total(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return the sum over processes, of whole numbers."""
        return counts

    def largest(self, values: Floats) -> Floats:
        """Return the largest value that any process has at each place."""
        return values

    # rows

    def own(self, kind: RowKind) -> Any:
        """Return what indexes this process' rows in an array over all."""
        return slice(None)

    def mine(self, kind: RowKind) -> slice:
        """Return where this process' rows are in a table in the order of the processes."""
        return slice(0, self.sizes[kind])

    def rows(self, kind: RowKind) -> Ints:
        """Return where each row is in a table in the order of the processes."""
        return np.arange(self.sizes[kind])

    def share(self, kind: RowKind, *arrays: Floats) -> None:
        """Fill the rows of other processes with what they have there."""

    def gather(self, kind: RowKind, array: NDArray[Any]) -> NDArray[Any]:
        """Return an array that is whole on the first process; all of them ask for it."""
        return array

    def gather_own(self, kind: RowKind, rows: NDArray[Any]) -> NDArray[Any]:
        """Return an array that is whole on the first process, from this one's rows of it."""
        return rows

    # tables of which the processes of a machine have one copy

    def table(
        self, kind: RowKind, shape: tuple[int, ...], memory: Any, *, in_order: bool = False
    ) -> Any:
        """Return a `Table` of rows that all fill; alone, it is the memory that is given."""
        return Table(memory)

    # topics and values

    def stretch(self, n_items: int) -> slice:
        """Return this process' stretch of items, of which each has one."""
        return slice(0, n_items)

    def all_stretches(self, rows: Floats, n_items: int) -> Floats:
        """Return the rows of all items, from those of this process' stretch."""
        return rows

    def broadcast(self, value: _Value) -> _Value:
        """Return what the first process has."""
        return value

    def gather_values(self, value: _Value) -> list[_Value] | None:
        """Return what all processes have, on the first; nothing on the others."""
        return [value]


class Table:
    """A table that nobody else fills."""

    def __init__(self, memory: Floats) -> None:
        self.array = memory

    def fill(self) -> None:
        """Wait until all processes have filled their places."""


Exchange: TypeAlias = "OneProcess | RankExchange"
"""One process, or one among several."""
