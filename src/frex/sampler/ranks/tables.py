"""Tables of which the ranks of a machine share one copy; each rank fills its own rows.

A copy for every rank would multiply the memory traffic, and evict the ranks' data from the shared
cache. Between machines, one rank of each machine exchanges data for all of its ranks. If the ranks
of a machine cannot share memory, each is treated as a machine of its own.
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

MEMORY = "/dev/shm"  # noqa: S108 - a file in memory, named only until all ranks have opened it
"""Folder of files in memory on Linux."""

PREFIX = "frex-"
"""Prefix of their names."""


def by_machine(communicator: Any) -> Any:
    """Return a communicator of the same ranks, ordered by machine."""
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
    """The ranks that share memory.

    Attributes
    ----------
    here
        Communicator of the ranks of this machine.
    leaders
        Communicator of the first ranks of all machines; only these ranks have it.
    starts
        Number of the first rank of each machine, and the number of ranks.
    """

    here: Any
    leaders: Any
    starts: Ints

    @classmethod
    def of(cls, communicator: Any, here: Any = None) -> Machines:
        """Find the ranks' machines; `here` is the communicator of this one, if it is known."""
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
    """An array whose rows are divided among ranks.

    A rank may write into it only when no rank still reads the previous values, that is, after all
    ranks have passed a barrier, in `fill` of this or of another table.

    Parameters
    ----------
    communicator
        MPI communicator of all ranks.
    machines
        The machines of the ranks.
    partition
        The division of rows among ranks.
    shape
        Shape of a row.
    in_order
        Whether the rows are ordered by rank, instead of at the positions of `partition`.

    Attributes
    ----------
    array
        The table. It is complete after `fill`.
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
        """Wait until all ranks have filled their rows."""
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
    """Return memory that the ranks of a machine share; None if some rank cannot map it.

    The file is unlinked before it is used, so that the memory is freed when the last rank ends,
    even if it is killed.
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
    """Make a file in memory, fully allocated: a page that is missing later would end the run.

    It is locked until it is unlinked. Unlocked files are left over from killed runs.
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
            path = None  # no memory, no such folder, an unsupported system; or it was removed
        yield path


def _remove_abandoned() -> None:
    for path in Path(MEMORY).glob(f"{PREFIX}????????"):
        try:
            with lock(path) as locked:
                if locked:
                    path.unlink()
        except (LockedError, OSError):
            continue  # another process uses it, or it belongs to another user


def _mapped(path: Path | None, n_bytes: int) -> mmap.mmap | None:
    if path is None:
        return None
    try:
        with path.open("r+b") as file:
            return mmap.mmap(file.fileno(), n_bytes)
    except OSError:
        return None
