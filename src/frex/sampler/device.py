"""Where a fit runs: on the CPU, or on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.errors import InputError
from frex.sampler.run import Run

if TYPE_CHECKING:
    from frex.sampler.settings import Settings


def check_device(settings: Settings, number: int = 0, where: str = "") -> None:
    """Refuse what a device cannot do, and a GPU that cannot be used, before the work begins.

    Parameters
    ----------
    settings
        Of the fit.
    number, where
        Which GPU, and where it is, for `frex.sampler.cuda.device.open_device`.
    """
    if settings.device == "cpu":
        return
    refused = {
        "method='map'": settings.method == "map",
        "curvature='dense'": settings.curvature == "dense",
        "a fit without labels": settings.n_topics is not None,
    }
    for what, asked_for in refused.items():
        if asked_for:
            raise InputError(f"device='cuda' does not do {what}", remedy="Use device='cpu'.")
    from frex.sampler.cuda.device import open_device  # noqa: PLC0415 - an extra

    open_device(number, where)


def run_on(device: str) -> Any:
    """Return the class of a run: `sampler/run.py`'s, or its twin on the GPU."""
    if device == "cuda":
        from frex.sampler.cuda.run import CudaRun  # noqa: PLC0415 - an extra

        return CudaRun
    return Run
