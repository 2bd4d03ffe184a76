"""Find the GPU, or explain why it cannot be used."""

from __future__ import annotations

from typing import Any

import numpy as np

from frex.errors import FrexError, require


class DeviceError(FrexError):
    """There is no usable GPU, or it has too little memory."""


def open_device(number: int = 0, where: str = "") -> None:
    """Choose a GPU, and check that it runs a kernel.

    Parameters
    ----------
    number
        Number of the GPU, modulo the number of GPUs.
    where
        The machine, for error messages.
    """
    require("numba_cuda", "cuda", "device='cuda'")
    cuda = require("numba.cuda", "cuda", "device='cuda'")
    if not cuda.is_available():
        raise DeviceError(
            f"there is no GPU to use{where}: {_reason(cuda)}. Install NVIDIA's driver, or use "
            "device='cpu'"
        )
    try:
        cuda.select_device(number % len(cuda.gpus))
        _try_out(cuda)
    except Exception as error:  # driver and compiler may be incompatible in many ways
        lines = str(error).strip().splitlines() or ["no more is known"]
        raise DeviceError(
            f"the GPU refuses its first kernel{where}: {type(error).__name__}: {lines[-1]}. If its "
            "driver is older than the compiler, update one or the other: pip install 'frex[cuda]'; "
            "or use device='cpu'"
        ) from error


def _reason(cuda: Any) -> str:
    try:
        count = len(cuda.gpus)
    except Exception as error:  # noqa: BLE001 - the driver's own errors depend on its version
        lines = [line.strip(" :.") for line in str(error).splitlines()]
        causes = [line for line in lines if line and not line.startswith("Error at driver init")]
        return causes[0] if causes else type(error).__name__
    return f"the driver shows {count}, and Numba cannot use it"


def _try_out(cuda: Any) -> None:
    from frex.sampler.kernels.cuda.rates import gather  # noqa: PLC0415 - needs numba.cuda

    copied = cuda.device_array(2)
    gather[1, 2](cuda.to_device(np.array([1, 0], np.int32)), cuda.to_device(np.arange(2.0)), copied)
    assert copied.copy_to_host().tolist() == [1.0, 0.0]
