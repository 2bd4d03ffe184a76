"""Engines hold the corpus and pass over it: `cpu` and `cuda` do what `verbs.py` says.

A block does not know on which of them it is, nor whether there are other processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.model.reductions import Reduced
    from frex.sampler.data import KernelData
    from frex.sampler.engines.verbs import Engine
    from frex.sampler.exchange import Exchange
    from frex.sampler.settings import Settings


def engine_for(
    settings: Settings,
    reduced: Reduced,
    *,
    data: KernelData | None = None,
    exchange: Exchange | None = None,
    whole: Callable[[], Reduced] | None = None,
) -> Engine:
    """Return the engine of the settings' device.

    Parameters
    ----------
    settings
        Settings of the fit.
    reduced
        The corpus after the exact reductions.
    data, exchange, whole
        For one process among several: its part of the counts, what crosses between processes, and
        what returns the reduced corpus with all its counts.
    """
    of_one: Any = {"data": data, "exchange": exchange, "whole": whole}
    if settings.device == "cpu":
        from frex.sampler.engines.cpu.engine import CpuEngine  # noqa: PLC0415 - loads Numba

        return CpuEngine(reduced, **of_one)
    from frex.sampler.engines.cuda.engine import CudaEngine  # noqa: PLC0415 - an extra

    many: Any = {"n_chains": settings.chains, "n_sets": len(settings.compare)}
    return CudaEngine(reduced, **of_one, **many)


def check_device(settings: Settings, number: int = 0, where: str = "") -> None:
    """Refuse what a device cannot do, and a GPU that cannot be used, before the work begins.

    The GPU's kernels hold a document's matrix over its labels in a thread, and make no matrix over
    nodes: PCM, where every document has all topics, and the dense curvature would need kernels of
    their own. The mode takes seconds on the CPU.

    Parameters
    ----------
    settings
        Settings of the fit.
    number, where
        Which GPU, and where it is, for `frex.sampler.engines.cuda.device.open_device`.
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
