"""Tables of which the ranks of a machine have one copy; each fills the places that are its own.

A copy for every rank would cross the machine's memory as often as there are ranks, and push what
they work on out of the cache that they share. Between machines one rank of each exchanges, for all
of its machine. Where ranks of a machine cannot share memory each is a machine of its own.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.storage.locks import LockedError, lock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.ranks.exchange import Partition

MEMORY = "/dev/shm"  # noqa: S108 - memory that has a name, until all ranks have found it
"""Where Linux keeps files in memory."""

PREFIX = "frex-"
"""What their names begin with."""


def by_machine(communicator: Any) -> Any:
    """Return a communicator of the same ranks, in which those of a machine follow one another."""
    here = _of_a_machine(communicator)
    leader = here.bcast(communicator.Get_rank(), root=0)
    here.Free()
    leaders = communicator.allgather(leader)
    return communicator if leaders == sorted(leaders) else communicator.Split(0, leader)


def _of_a_machine(communicator: Any) -> Any:
    from mpi4py import MPI  # noqa: PLC0415 - an extra

    return communicator.Split_type(MPI.COMM_TYPE_SHARED)


@dataclass(frozen=True)
class Machines:
    """Which ranks share memory.

    Attributes
    ----------
    here
        The ranks of this machine.
    leaders
        The first rank of each machine, on these ranks.
    starts
        The first ranks' numbers, and at last the number of ranks.
    """

    here: Any
    leaders: Any
    starts: Ints

    @classmethod
    def of(cls, communicator: Any, here: Any = None) -> Machines:
        """Find the ranks' machines; `here` are those of this one, where they are known."""
        from mpi4py import MPI  # noqa: PLC0415 - an extra

        here = _of_a_machine(communicator) if here is None else here
        leads = here.Get_rank() == 0
        rank = communicator.Get_rank()
        leaders = communicator.Split(0 if leads else MPI.UNDEFINED, rank)
        every = communicator.allgather(leads)
        return cls(here, leaders, np.append(np.flatnonzero(every), len(every)))

    @classmethod
    def of_one_rank_each(cls, communicator: Any) -> Machines:
        """Return machines of one rank each."""
        from mpi4py import MPI  # noqa: PLC0415 - an extra

        return cls(MPI.COMM_SELF, communicator, np.arange(communicator.Get_size() + 1))


class Table:
    """An array over places that are divided among ranks.

    Whoever writes into it has to know that no rank still reads what was there: all ranks have
    passed a barrier since, in `fill` of this or of another table.

    Parameters
    ----------
    communicator
        MPI communicator of all ranks.
    machines
        Those of the ranks.
    partition
        Which rank has which rows.
    shape
        Shape of a row.
    in_order
        The rows are in the order of the ranks, and not where `partition` says.

    Attributes
    ----------
    array
        The table. After `fill` it is whole.
    """

    def __init__(
        self,
        communicator: Any,
        machines: Machines,
        partition: Partition,
        shape: tuple[int, ...] = (),
        *,
        in_order: bool = False,
    ) -> None:
        whole = len(partition.order), *shape
        size = int(np.prod(whole))
        memory = _shared(communicator, machines.here, 8 * max(size, 1))
        self._machines = Machines.of_one_rank_each(communicator) if memory is None else machines
        self.array: Floats = (
            np.zeros(whole) if memory is None else np.frombuffer(memory, count=size).reshape(whole)
        )
        self._order = None if in_order else partition.order
        width = int(np.prod(shape))
        starts = width * partition.starts[self._machines.starts]
        self._layout = np.diff(starts), starts[:-1]
        self._mine = slice(
            *partition.starts[self._machines.starts][self._machine : self._machine + 2]
        )

    def fill(self) -> None:
        """Wait until all ranks have filled their places."""
        machines = self._machines
        machines.here.Barrier()
        if len(machines.starts) > 2:
            if machines.here.Get_rank() == 0:
                self._exchange()
            machines.here.Barrier()

    @property
    def _machine(self) -> int:
        """Return the number of this rank's machine; only a leader needs it."""
        machines = self._machines
        return int(machines.leaders.Get_rank()) if machines.here.Get_rank() == 0 else 0

    def _exchange(self) -> None:
        from mpi4py import MPI  # noqa: PLC0415 - an extra

        leaders = self._machines.leaders
        if self._order is None:
            leaders.Allgatherv(MPI.IN_PLACE, [self.array, self._layout])
            return
        every = np.empty_like(self.array)
        leaders.Allgatherv(self.array[self._order[self._mine]], [every, self._layout])
        self.array[self._order] = every


def _shared(communicator: Any, here: Any, n_bytes: int) -> mmap.mmap | None:
    """Return memory that the ranks of a machine share; none where some rank cannot have it.

    The file has lost its name before the work begins: when the last rank ends, and be it killed,
    the memory is free.
    """
    if here.Get_size() == 1:
        found: mmap.mmap | None = mmap.mmap(-1, n_bytes)
        return found if all(communicator.allgather(True)) else None
    with _new_file(n_bytes) if here.Get_rank() == 0 else nullcontext() as path:
        found = _mapped(here.bcast(path, root=0), n_bytes)
        everywhere = all(communicator.allgather(found is not None))
    return found if everywhere else None


@contextmanager
def _new_file(n_bytes: int) -> Iterator[Path | None]:
    """Make a file in memory, all of it at once: a page that is missing later would end the run.

    It is locked until it has lost its name. Those that are not are of runs that were killed before.
    """
    _remove_abandoned()
    with ExitStack() as stack:
        path: Path | None = None
        try:
            descriptor, name = tempfile.mkstemp(prefix=PREFIX, dir=MEMORY)
            path = Path(name)
            stack.callback(path.unlink, missing_ok=True)
            with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
                stack.enter_context(lock(path))
                os.posix_fallocate(file.fileno(), 0, n_bytes)
        except (OSError, AttributeError, LockedError):
            path = None  # no memory, no such place, a system that has neither; or it was removed
        yield path


def _remove_abandoned() -> None:
    for path in Path(MEMORY).glob(f"{PREFIX}????????"):
        try:
            with lock(path) as locked:
                if locked:
                    path.unlink()
        except (LockedError, OSError):
            continue  # another process works with it, or another user's did


def _mapped(path: Path | None, n_bytes: int) -> mmap.mmap | None:
    if path is None:
        return None
    try:
        with path.open("r+b") as file:
            return mmap.mmap(file.fileno(), n_bytes)
    except OSError:
        return None
