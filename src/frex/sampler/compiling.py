"""Compile in two processes what a first fit needs.

Numba compiles one kernel after the other, and keeps them for all later runs. The first fit of an
installation waits for that, on one core. This module, run as a program, compiles those that a scan
comes to last; the fit finds them in the cache when it gets there, and compiles itself what is
missing. Where both come to one kernel, one waits for the other.
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
    """Return where compiled kernels are kept; None where nothing can be."""
    folder = word_density.compiled.stats.cache_path
    return None if folder is None else Path(folder)


def is_compiled() -> bool:
    """Tell whether the kernel that takes longest is in the cache, or none is ever kept."""
    folder = cache_folder()
    return folder is None or any(folder.glob("*.word_density-*.nbi"))


def compile_beside(settings: Settings) -> bool:
    """Start the program, if this machine has never compiled the kernels; return whether it did.

    It ends by itself, or with this process. Only a run that draws with labels on the CPU needs what
    it compiles.
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
    """Return a corpus that is fitted in no time, for which all kernels are needed."""
    return simulate(branching_tree((2, 2)), 60, 30, rates="zipf", drop_empty=True).corpus


def compile_late() -> None:
    """Have the kernels compiled that a scan comes to last, the very last ones first."""
    sampler, clock = Sampler(reduce(toy_corpus()), WeakPriors()), Clock(0, 0, 0)
    context = sampler.context(first_state(sampler))
    for block in reversed(sampler.blocks.values()):
        block.update(context, clock)


def _end(program: subprocess.Popen[bytes]) -> None:
    program.kill()
    program.wait()


if __name__ == "__main__":
    compile_late()
