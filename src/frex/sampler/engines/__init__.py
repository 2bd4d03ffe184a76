"""Engines hold the corpus and make passes over it: `cpu` and `cuda` implement `verbs.py`.

A block depends neither on the engine nor on the number of processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.errors import InputError

if TYPE_CHECKING:
    from frex.model.reductions import Reduced
    from frex.sampler.data import Share
    from frex.sampler.engines.verbs import Engine
    from frex.sampler.settings import Settings


def engine_for(settings: Settings, reduced: Reduced, share: Share | None = None) -> Engine:
    """Return the engine of the settings' device.

    Parameters
    ----------
    settings
        Settings of the fit.
    reduced
        The corpus after the exact reductions.
    share
        For one process among several: its part of the corpus.
    """
    if settings.device == "cpu":
        from frex.sampler.engines.cpu.engine import CpuEngine  # noqa: PLC0415 - loads Numba

        return CpuEngine(reduced, share)
    from frex.sampler.engines.cuda.engine import CudaEngine  # noqa: PLC0415 - an extra

    n_chains, n_sets = settings.chains, len(settings.compare)
    return CudaEngine(reduced, share, n_chains=n_chains, n_sets=n_sets)


def check_device(settings: Settings, number: int = 0, where: str = "") -> None:
    """Raise an error for settings that a device does not support, or a GPU that cannot be used.

    The GPU's kernels keep a document's matrix over its labels in a thread, and have no matrix over
    nodes. PCM, in which every document has all topics, and the dense curvature would need other
    kernels. The mode takes only seconds on the CPU.

    Parameters
    ----------
    settings
        Settings of the fit.
    number, where
        The number of the GPU and its machine, for `frex.sampler.engines.cuda.device.open_device`.
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
    from frex.sampler.engines.cuda.device import open_device  # noqa: PLC0415 - an extra

    open_device(number, where)
