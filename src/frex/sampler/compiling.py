"""Compile the kernels of a first fit in two processes.

Numba compiles one kernel after the other and caches them for all later runs. The first fit of an
installation waits for this, on one core. This module, run as a program, compiles the kernels that a
scan needs last. The fit finds these in the cache, and compiles the others itself. If both processes
reach the same kernel, one waits for the other.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from frex.model import WeakPriors, branching_tree, simulate
from frex.model.reductions import reduce
from frex.sampler.kernels.interweaving_words import word_density
from frex.sampler.scan import Sampler
from frex.sampler.start import first_state
from frex.sampler.state import Clock

if TYPE_CHECKING:
    from frex.corpus import Corpus
    from frex.sampler.settings import Settings


def cache_folder() -> Path | None:
    """Return the cache folder of compiled kernels; None if no folder is writable."""
    folder = word_density.compiled.stats.cache_path
    return None if folder is None else Path(folder)


def is_compiled() -> bool:
    """Tell whether the kernel that takes longest is in the cache, or there is no cache."""
    folder = cache_folder()
    return folder is None or any(folder.glob("*.word_density-*.nbi"))


def compile_beside(settings: Settings) -> bool:
    """Start the program if this machine has not compiled the kernels; return whether it did so.

    The program ends by itself, or with this process. Only a run that samples with labels on the CPU
    needs the kernels that it compiles.
    """
    kind = settings.method, settings.device, settings.n_topics
    if kind != ("sample", "cpu", None) or is_compiled():
        return False
    if not sys.executable or (os.cpu_count() or 1) == 1:
        return False
    program = subprocess.Popen(  # noqa: S603 - this interpreter, this module
        [sys.executable, "-m", __name__],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    atexit.register(_end, program)
    return True


def toy_corpus() -> Corpus:
    """Return a tiny corpus whose fit needs all kernels."""
    return simulate(branching_tree((2, 2)), 60, 30, rates="zipf", drop_empty=True).corpus


def compile_late() -> None:
    """Compile the kernels that a scan needs last, in reverse order."""
    sampler, clock = Sampler(reduce(toy_corpus()), WeakPriors()), Clock(0, 0, 0)
    context = sampler.context(first_state(sampler))
    for block in reversed(sampler.blocks.values()):
        block.update(context, clock)


def _end(program: subprocess.Popen[bytes]) -> None:
    program.kill()
    program.wait()


if __name__ == "__main__":
    compile_late()
