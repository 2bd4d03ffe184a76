"""Reports about compilation, which takes about half a minute once on each machine."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numba.core import event

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOTICEABLE = 1.0
"""Least seconds of compilation that are reported."""


@dataclass
class Compiled:
    """What a block compiled."""

    kernels: dict[str, float] = field(default_factory=dict)  #: seconds by kernel
    folder: Path | None = None  #: folder of the cache

    @property
    def seconds(self) -> float:
        """Total seconds."""
        return sum(self.kernels.values())

    def __str__(self) -> str:
        kernels = "1 kernel" if len(self.kernels) == 1 else f"{len(self.kernels)} kernels"
        did = f"Compiling {kernels} took {self.seconds:.0f} s"
        if self.folder is not None:
            return f"{did}, once on this machine: kept in {self.folder}."
        return (
            f"{did}, as in every run, for no folder to keep them in can be written: "
            "set NUMBA_CACHE_DIR to one that can."
        )


@contextmanager
def watch_compiling(begins: Callable[[str], object] | None = None) -> Iterator[Compiled]:
    """Record the kernels that are compiled inside the block.

    Parameters
    ----------
    begins
        Called with the name of each kernel, before it is compiled.
    """
    watch = _Watch(begins)
    with event.install_listener("numba:compile", watch):
        yield watch.compiled


@contextmanager
def saying_what_compiled(say: Callable[[str], object]) -> Iterator[None]:
    """Report after the block what was compiled, the time it took, and the cache folder."""
    with watch_compiling() as compiled:
        yield
    if compiled.seconds >= NOTICEABLE:
        say(str(compiled))


class _Watch(event.Listener):
    """Records kernels; functions that a kernel calls are compiled within it, under Numba's lock."""

    def __init__(self, begins: Callable[[str], object] | None) -> None:
        self.begins = begins
        self.compiled = Compiled()
        self.depth = 0
        self.started = 0.0

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.started = time.perf_counter()
            if self.begins is not None:
                self.begins(_name(event))
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            kernels, seconds = self.compiled.kernels, time.perf_counter() - self.started
            kernels[_name(event)] = kernels.get(_name(event), 0.0) + seconds
            kept_in = event.data["dispatcher"].stats.cache_path
            if kept_in is not None:
                self.compiled.folder = Path(kept_in)


def _name(event: Any) -> str:
    function = event.data["dispatcher"].py_func
    return f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
