"""Threads that share the loop of a kernel.

A kernel is compiled for a range of its items, and releases the GIL. Every thread processes one
range. Items are independent, so the bits do not depend on the number of threads.
"""

from __future__ import annotations

import math
import os
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numba
import scipy.linalg  # noqa: F401 - its BLAS must be loaded before the thread pools are found
from threadpoolctl import ThreadpoolController

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

WORTH_SHARING = 1e-4
"""Seconds of work that are worth waking a thread; waking takes a third of this."""

_number: ContextVar[int] = ContextVar("threads", default=0)


def most_threads() -> int:
    """Return the largest number of threads: this process's cores, or NUMBA_NUM_THREADS."""
    most: int = numba.config.NUMBA_NUM_THREADS  # type: ignore[attr-defined]
    return most


def number_of_threads() -> int:
    """Return the number of threads that share a kernel's loop."""
    return _number.get() or most_threads()


@contextmanager
def use_threads(threads: int) -> Iterator[None]:
    """Set the number of threads of the kernels inside the block; 0 is one per core.

    Linear algebra uses one thread: its rounding depends on the number, and its matrices are small.
    """
    most = most_threads()
    if not 0 <= threads <= most:
        raise InputError(
            f"{threads} threads were asked for", remedy=f"Give 1 to {most}, or 0 for all."
        )
    before = _number.set(threads)
    try:
        with _linear_algebra().limit(limits=1, user_api="blas"):
            yield
    finally:
        _number.reset(before)


@cache
def _linear_algebra() -> ThreadpoolController:
    """Return the loaded BLAS libraries; searching for them takes as long as a document."""
    return ThreadpoolController()


class Shared:
    """A loop over items that threads share, if there is enough work to wake them.

    Parameters
    ----------
    loop
        Called with the first item of a range, the item after its last, and the other arguments.
    """

    def __init__(self, loop: Callable[..., None]) -> None:
        self.loop = loop
        self.pace = math.inf
        """Seconds per item when the loop last ran, where several threads could have shared it."""

    def __call__(self, n_items: int, arguments: tuple[Any, ...]) -> None:
        """Run the loop over a range of the items in each thread."""
        most = min(number_of_threads(), n_items)
        if most < 2:  # nothing to share, and taking the time takes as long as a tiny loop
            self.loop((0, n_items), *arguments)
            return
        work = n_items * self.pace
        if work <= 2 * WORTH_SHARING:
            self._run((0, n_items), arguments)
            return
        n_stretches = 1 + sum(work > n * WORTH_SHARING for n in range(2, most + 1))
        own, *others = pairwise(n_items * i // n_stretches for i in range(n_stretches + 1))
        promised = [_pool().submit(self.loop, other, *arguments) for other in others]
        try:
            self._run(own, arguments)
        finally:  # no thread writes to these arrays after this function returns
            wait(promised)
        for promise in promised:
            promise.result()

    def _run(self, own: tuple[int, int], arguments: tuple[Any, ...]) -> None:
        """Run the loop over the first range, and measure the time per item."""
        start = time.perf_counter()
        self.loop(own, *arguments)
        self.pace = (time.perf_counter() - start) / max(1, own[1])


@cache
def _pool() -> ThreadPoolExecutor:
    """Return the pool of threads besides the calling one."""
    return ThreadPoolExecutor(most_threads(), thread_name_prefix="frex")


os.register_at_fork(after_in_child=_pool.cache_clear)  # a fork does not inherit the pool's threads
