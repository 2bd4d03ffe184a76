"""Where a fit runs: on the CPU, or on one GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.errors import InputError

if TYPE_CHECKING:
    from frex.model.reductions import Reduced
    from frex.sampler.settings import Settings


def check_device(settings: Settings, reduced: Reduced) -> None:
    """Refuse what a device cannot do, and a GPU that cannot be used, before the work begins."""
    if settings.device == "cpu":
        return
    refused = {
        "method='map'": settings.method == "map",
        "curvature='dense'": settings.curvature == "dense",
        "a fit without labels": not reduced.labelled,
    }
    for what, asked_for in refused.items():
        if asked_for:
            raise InputError(f"device='cuda' does not do {what}", remedy="Use device='cpu'.")
    from frex.sampler.cuda.device import open_device  # noqa: PLC0415 - an extra

    open_device()


def run_on(device: str) -> Any:
    """Return the class of a run: `sampler/chain.py`'s, or its twin on the GPU."""
    if device == "cuda":
        from frex.sampler.cuda.run import CudaRun  # noqa: PLC0415 - an extra

        return CudaRun
    from frex.sampler.chain import _Run  # noqa: PLC0415 - which imports this module

    return _Run
