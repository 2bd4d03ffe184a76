"""The device's memory: arrays on it, and copies to and from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numba import cuda as _cuda

from frex.sampler.engines.cuda.device import DeviceError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.arrays import Floats, Ints

cuda: Any = _cuda


def zeros(shape: int | tuple[int, ...]) -> Any:
    """Return zeros on the device; the driver has no empty arrays, so one element is the least."""
    sizes = shape if isinstance(shape, tuple) else (shape,)
    return cuda.to_device(np.zeros(tuple(max(size, 1) for size in sizes)))


def copied(array: NDArray[Any]) -> Any:
    """Return a copy on the device; a copy of an empty array has one unused element."""
    return cuda.to_device(array if array.size else np.zeros((1,) * array.ndim, array.dtype))


def rows_of(array: Any, rows: slice) -> Any:
    """Return a view of some rows of an array on the device; it has at least one row."""
    return array[rows] if rows.start < rows.stop else array[:1]


class Places(NamedTuple):
    """The positions on the device of entries of host arrays; the device may have only some."""

    n_entries: int  #: of the host's arrays
    host: Ints
    device: Ints

    def push(self, array: Floats, out: Any) -> None:
        """Copy the host's values to their positions on the device; all other positions are 0."""
        laid = np.zeros(out.shape)
        laid[self.device] = array[self.host]
        out.copy_to_device(laid)

    def pull(self, array: Any, out: Floats) -> None:
        """Copy the device's values to their positions on the host; the others stay unchanged."""
        out[self.host] = array.copy_to_host()[self.device]

    def find(self, entries: Ints) -> Ints:
        """Return the positions of host entries on the device, -1 if they are not there."""
        found = np.full(self.n_entries, -1)
        found[self.host] = self.device
        return found[entries]

    def pulled(self, array: Any) -> Floats:
        """Return the device's values on the host, 0 for entries that it does not have."""
        out = np.zeros((self.n_entries, *array.shape[1:]))
        self.pull(array, out)
        return out


def check_memory(needed: int, allowed: float | None = None) -> None:
    """Raise an error if a corpus does not fit into memory, saying what share of it would.

    Parameters
    ----------
    needed
        Bytes that the fit needs on the device.
    allowed
        Bytes that it may use; by default all free bytes.
    """
    free, total = cuda.current_context().get_memory_info()
    free = free if allowed is None else allowed
    if needed > free:
        raise DeviceError(
            f"the fit takes {needed / 2**30:.1f} GiB on the GPU, and {free / 2**30:.1f} of "
            f"{total / 2**30:.1f} GiB are free. About {100 * free / needed:.0f} % of the documents "
            "with several labels would fit; use fewer, or device='cpu'"
        )
