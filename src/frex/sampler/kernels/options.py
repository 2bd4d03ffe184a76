"""How the kernels are compiled."""

from numba import njit

FASTMATH = {"reassoc", "contract"}

# A diverged trajectory may divide by a rate that is 0. In NumPy's error model that is inf or NaN,
# which the energy shows and the kernel rejects; in Python's it would raise.

inner = njit(fastmath=FASTMATH, error_model="numpy", forceinline=True)
"""For what a kernel calls."""

exact = njit(error_model="numpy", forceinline=True)
"""For linear algebra: every operation in the order in which it is written."""

parallel = njit(parallel=True, cache=True, fastmath=FASTMATH, nogil=True, error_model="numpy")
"""For a kernel: compiled once, then read from the cache."""
