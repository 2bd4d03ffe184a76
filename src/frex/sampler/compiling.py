"""Compile the kernels of a first fit in two processes.

Numba compiles one kernel after the other, and keeps them for all later runs. The first fit of an
installation waits for that: some hundred seconds, on one core. This module, run as a program,
compiles those that a scan comes to last; the fit finds them in the cache when it gets there, and
compiles itself what is missing. Two processes that compile the same do no harm. `frex demo` takes
90 seconds the first time, where it took 142, and 17 from then on.
"""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.model import WeakPriors, branching_tree, simulate
from frex.model.reductions import reduce
from frex.sampler.kernels.interweaving_words import word_density
from frex.sampler.scan import Sampler
from frex.sampler.start import first_state
from frex.sampler.state import Clock

if TYPE_CHECKING:
    from frex.corpus import Corpus


def compile_beside() -> bool:
    """Start the program, if this machine has never compiled the kernels; return whether it did.

    It ends by itself, or with this process.
    """
    if (os.cpu_count() or 1) == 1 or is_compiled():
        return False
    program = subprocess.Popen(  # noqa: S603 - this interpreter, this module
        [sys.executable, "-m", __name__],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    atexit.register(_end, program)
    return True


def is_compiled() -> bool:
    """Tell whether the kernel that takes longest is in the cache, or none is ever kept."""
    folder = word_density.stats.cache_path
    return folder is None or any(Path(folder).glob("*.word_density-*.nbi"))


def toy_corpus() -> Corpus:
    """Return a corpus that is fitted in no time, for which all kernels are needed."""
    return simulate(branching_tree((2, 2)), 60, 30, rates="zipf", drop_empty=True).corpus


def compile_late() -> None:
    """Have the kernels compiled that a scan comes to last, the very last ones last."""
    sampler, clock = Sampler(reduce(toy_corpus()), WeakPriors()), Clock(0, 0, 0)
    state = first_state(sampler)
    total = sampler.exposure(state)
    conditional = sampler.rates.conditional(state, total)
    words = sampler.dispersion_interweaving
    words.refresh(state, state.log_rates.copy(), conditional)
    words.update(state, conditional, clock, sampler.rates.likelihood)

    rates, sums = sampler.exponentiated(state)
    sampler.affinities.update(state, rates, sums, clock)
    statistics = sampler.statistics(state)
    documents: Any = sampler.affinity_interweaving
    around = sampler.affinities.conditional_again(state, sums)
    documents.refresh(state, state.affinities.copy(), around, statistics)
    documents.update(state, around, statistics, clock, sampler.affinities.likelihood)


def _end(program: subprocess.Popen[bytes]) -> None:
    program.kill()
    program.wait()


if __name__ == "__main__":
    compile_late()
