"""The device's memory: room on it, and copies to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda as _cuda

from frex.sampler.cuda.device import DeviceError

if TYPE_CHECKING:
    from numpy.typing import NDArray

cuda: Any = _cuda


def room(shape: int | tuple[int, ...]) -> Any:
    """Return zeros on the device; no array is empty, for the driver has none such."""
    sizes = shape if isinstance(shape, tuple) else (shape,)
    return cuda.to_device(np.zeros(tuple(max(size, 1) for size in sizes)))


def copied(array: NDArray[Any]) -> Any:
    """Return a copy on the device; one of nothing has an element that nobody reads."""
    return cuda.to_device(array if array.size else np.zeros((1,) * array.ndim, array.dtype))


def spread(flat: NDArray[np.float64], places: NDArray[np.int64], out: Any) -> None:
    """Put flat values of the host in their places on the device; what is between is 0."""
    laid = np.zeros(out.shape)
    laid[places] = flat
    out.copy_to_device(laid)


def check_memory(needed: int) -> None:
    """Refuse a corpus that does not fit, saying what would.

    Parameters
    ----------
    needed
        Bytes that the fit takes on the device.
    """
    free, total = cuda.current_context().get_memory_info()
    if needed > free:
        raise DeviceError(
            f"the fit takes {needed / 2**30:.1f} GiB on the GPU, and {free / 2**30:.1f} of "
            f"{total / 2**30:.1f} GiB are free. About {100 * free / needed:.0f} % of the documents "
            "with several labels would fit; use fewer, or device='cpu'"
        )
