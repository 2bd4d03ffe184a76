"""A parallel map over batches by several processes, with results in the order of the input.

A worker is a new Python process that communicates through its standard input and output. Unlike a
forked process it is safe with threads. Unlike a process of `multiprocessing` it does not import
the main program, so a script needs no ``if __name__ == "__main__"``. It ends when its
input ends, even if the main program was killed.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import traceback
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from frex.errors import FrexError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator
    from concurrent.futures import Future
    from typing import Self

Item = TypeVar("Item")
Result = TypeVar("Result")

WORTHWHILE = 4
"""Fewer items than this are finished before a worker has started."""

AHEAD = 3
"""Items in progress per worker; more would only use memory."""


def ordered_map(
    task: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Generator[tuple[int, Item, Result]]:
    """Apply a task to items, by several processes.

    Yields, in the order of the items, the number of the worker, the item and the result. Each
    worker processes its items in order. An error in an item, or in producing it, is raised after
    the results of earlier items. Close the iterator to end the workers.

    Parameters
    ----------
    task
        A picklable function; every worker has a copy, which may have a state.
    items
        Items, consumed only a few ahead of the results.
    jobs
        Number of processes; with 1 the work is done in this process.
    """
    stream = iter(items)
    first = list(islice(stream, WORTHWHILE)) if jobs > 1 else []
    if len(first) < WORTHWHILE:
        for item in chain(first, stream):
            yield 0, item, task(item)
        return
    with _Crew(task, jobs) as crew:
        pending: deque[tuple[Item, Future[tuple[int, Result]]]] = deque()
        supply = _Supply(chain(first, stream))
        for item in supply:
            pending.append((item, crew.submit(item)))
            if len(pending) == AHEAD * jobs:
                yield _arrived(*pending.popleft())
        while pending:
            yield _arrived(*pending.popleft())
        if supply.error is not None:
            raise supply.error


def _arrived(item: Item, future: Future[tuple[int, Result]]) -> tuple[int, Item, Result]:
    worker, result = future.result()
    return worker, item, result


def available_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Supply:
    """Items up to the first error in producing one, which is stored for later."""

    def __init__(self, items: Iterable[Any]) -> None:
        self._items = items
        self.error: Exception | None = None

    def __iter__(self) -> Iterator[Any]:
        try:
            yield from self._items
        except Exception as error:  # noqa: BLE001 - raised again by the caller
            self.error = error


class _Crew:
    """Threads that each control one worker, so that a worker's items stay in order."""

    def __init__(self, task: Callable[[Any], Any], jobs: int) -> None:
        self._task = task
        self._workers = [_Worker() for _ in range(jobs)]
        self._idle = iter(self._workers)
        self._own = threading.local()
        self._threads = ThreadPoolExecutor(jobs, "frex-worker", initializer=self._start)

    def __enter__(self) -> Self:
        try:
            for worker in self._workers:
                worker.send(self._task)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.process.kill()  # all of its results have arrived
        self._threads.shutdown()
        for worker in self._workers:
            worker.close()

    def submit(self, item: Any) -> Future[tuple[int, Any]]:
        return self._threads.submit(self._ask, item)

    def _start(self) -> None:
        self._own.worker = next(self._idle)

    def _ask(self, item: Any) -> tuple[int, Any]:
        worker: _Worker = self._own.worker
        worker.send(item)
        return worker.process.pid, worker.receive()


class _Answer(NamedTuple):
    result: Any
    error: Exception | None


class _Worker:
    """Another Python process, which runs `serve`."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
            # -P: the worker must not import modules from the current folder
            [sys.executable, "-P", "-c", f"from {__name__} import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._input, self._output = self.process.stdin, self.process.stdout

    def send(self, value: Any) -> None:
        """Send a value: first the task, then items."""
        with suppress(BrokenPipeError):  # `receive` reports the worker's exit
            pickle.dump(value, self._input, pickle.HIGHEST_PROTOCOL)
            self._input.flush()

    def receive(self) -> Any:
        """Wait for the result of an item."""
        try:
            answer: _Answer = pickle.load(self._output)  # noqa: S301 - from our own process
        except (EOFError, OSError, pickle.UnpicklingError):
            raise FrexError(
                f"a worker process died with exit code {self.process.wait()}, perhaps for want of "
                "memory. Use fewer processes."
            ) from None
        if answer.error is not None:
            raise answer.error
        return answer.result

    def close(self) -> None:
        """Release the pipes and the process's entry in the system's table."""
        self.process.wait()
        for pipe in (self._input, self._output):
            with suppress(OSError):  # unwritten data has no reader any more
                pipe.close()


def serve() -> None:
    """Run as a worker: read a task, then items, and answer each."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main program handles Ctrl-C
    source, target = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # a library that prints must not corrupt the answers
    with suppress(EOFError, BrokenPipeError):  # the main program has finished or died
        task = pickle.load(source)  # noqa: S301 - from the process that started this one
        while True:
            answer = _answer(task, pickle.load(source))  # noqa: S301 - the same
            pickle.dump(answer, target, pickle.HIGHEST_PROTOCOL)
            target.flush()


def _answer(task: Callable[[Any], Any], item: Any) -> _Answer:
    try:
        return _Answer(task(item), None)
    except FrexError as error:
        return _Answer(None, error)
    except Exception:  # noqa: BLE001 - reported to the main program
        return _Answer(None, RuntimeError(f"in a worker process:\n{traceback.format_exc()}"))
