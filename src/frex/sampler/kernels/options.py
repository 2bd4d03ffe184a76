"""How the kernels are compiled."""

from numba import njit

FASTMATH = {"reassoc", "contract"}

inner = njit(fastmath=FASTMATH)
"""For what a kernel calls."""

parallel = njit(parallel=True, cache=True, fastmath=FASTMATH, nogil=True)
"""For a kernel: compiled once, then read from the cache."""
