"""Chains that a benchmark runs itself, because `frex.sampler.fit.fit` hides the state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from arviz_stats.base.array import array_stats

from frex.sampler.run import REFRESH_AT, SETTLE_FROM
from frex.sampler.start import first_state
from frex.sampler.state import Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from frex.sampler.scan import Sampler
    from frex.sampler.state import State


def ready_to_scan(sampler: Sampler) -> State:
    """Return a rough state whose next scans take the time that all scans take.

    A scan is as long wherever the chain is: its trajectories have a fixed number of stages.
    """
    state = first_state(sampler)
    for scan in range(2):
        sampler.scan(state, Clock(0, 0, scan), refresh=scan == 0)
    return state


def warm_up(sampler: Sampler, state: State, n_scans: int, *, seed: int = 0) -> None:
    """Warm a chain up as a fit does: curvatures at scheduled scans, then step sizes."""
    refresh = {int(share * n_scans) for share in REFRESH_AT}
    for scan in range(n_scans):
        report = sampler.scan(state, Clock(seed, 0, scan), refresh=scan in refresh)
        for block, acceptance in report.items.items():
            sampler.steps[block].learn(acceptance, late=scan >= SETTLE_FROM * n_scans)
    for step in sampler.steps.values():
        step.freeze()


def draws(
    sampler: Sampler, state: State, first: int, n_scans: int, *, seed: int = 0
) -> Iterator[State]:
    """Yield the state after each of some scans; they are numbered on from the warm-up's."""
    for scan in range(first, first + n_scans):
        sampler.scan(state, Clock(seed, 0, scan))
        yield state


def effective(chains: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the effective draws of every quantity, from chains x draws x quantities."""
    stats: Any = array_stats
    found: NDArray[np.float64] = stats.ess(chains, method="bulk", chain_axis=0, draw_axis=1)
    return found
