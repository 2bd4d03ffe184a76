"""How the GPU's kernels are compiled, and how many threads they have."""

from numba import config, cuda

from frex.sampler.formulas.options import formulas

SIMULATED = bool(config.ENABLE_CUDASIM)  # type: ignore[attr-defined]

# sums over topics are small, and a warning of that is no help
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # type: ignore[attr-defined]

# The simulator makes every thread one of the system's, and few are enough to show a race.
WORD_THREADS = 4 if SIMULATED else 128
"""Of the block that has a word's nodes."""

STRETCH_THREADS = 4 if SIMULATED else 256
"""Of the block that has a stretch of a word's tokens."""

DOCUMENT_THREADS = 4 if SIMULATED else 128
"""Of a block in which every thread has a document."""

SUM_THREADS = 4 if SIMULATED else 256
"""Of a block that sums."""

PLAIN_THREADS = 4 if SIMULATED else 256
"""Of a block in which every thread has an element."""

MOST_BLOCKS = 1 if SIMULATED else 1024
"""Of such, where a thread has as many elements as it takes."""

LANES = 2 if SIMULATED else 32
"""Documents that lie side by side in memory: a warp's."""

SEGMENT_LANES = 2 if SIMULATED else 8
"""Threads that sum the pairs of one node in a stretch."""

STRETCH_PAIRS = 16 if SIMULATED else 2048
"""Label-token pairs of a stretch, at most; their products are held in shared memory."""


def striding(n_elements: int) -> tuple[int, int]:
    """Return blocks and threads for a kernel whose threads go through elements, all in step."""
    return min(MOST_BLOCKS, -(-n_elements // PLAIN_THREADS)), PLAIN_THREADS


device = cuda.jit(device=True)
"""For what a kernel calls."""

if not SIMULATED:  # where they are the plain functions that they look like
    from numba.cuda.extending import overload  # type: ignore[attr-defined] # of numba-cuda

    for _formula in formulas:
        overload(_formula, strict=False)(lambda *_, formula=_formula: formula)


class Kernel:
    """A kernel, launched as `kernel[blocks, threads](...)`; compiled once, then read from a cache.

    Each has one signature, so the types of its arguments are found at the first launch alone. To
    find those of a few tuples of arrays takes 0.3 ms, longer than most kernels. A launch of no
    blocks does nothing, where the driver would refuse it.
    """

    def __init__(self, function):
        self._dispatcher = cuda.jit(function) if SIMULATED else cuda.jit(cache=True)(function)

    def __getitem__(self, configuration):
        blocks, dispatcher = configuration[0], self._dispatcher
        if blocks == 0 or (isinstance(blocks, tuple) and 0 in blocks):
            return _do_nothing
        if not (SIMULATED or dispatcher.specialized) and len(dispatcher.overloads) == 1:
            dispatcher._specialized = True  # noqa: SLF001 - `specialize` would bypass the cache
        return dispatcher[configuration]


def _do_nothing(*_):
    pass


kernel = Kernel
