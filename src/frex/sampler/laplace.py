"""Draws from the Gaussian about the mode, for people who want an answer in seconds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from frex.sampler.kernels.documents import memberships_of
from frex.sampler.kernels.random import normal_array
from frex.sampler.start import drawn_log_rates
from frex.sampler.state import Block, Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.sampler.scan import Sampler
    from frex.sampler.settings import Settings
    from frex.sampler.state import State

N_START_SCANS = 1000
"""Scan numbers that the search for the mode may use; the draws have those behind."""


def draw_about_mode(
    sampler: Sampler, mode: State, settings: Settings
) -> Iterator[tuple[State, NDArray[np.float64]]]:
    """Yield states about the mode, and their rates; hyperparameters and dispersions stay."""
    draw_affinities = sampler.affinities.gaussian(mode.affinities, mode.hyper.affinity_variance)
    for number in range(settings.fewest_draws):
        clock = Clock(settings.seed, 0, N_START_SCANS + number)
        address = clock.address(Block.LAPLACE_AFFINITIES)
        noise = normal_array(address.key, 0, address.scan, address.stream, len(mode.affinities))
        state = replace(
            mode,
            log_rates=drawn_log_rates(sampler, mode, clock),
            affinities=draw_affinities(noise),
            memberships=np.empty_like(mode.memberships),
        )
        memberships_of(sampler.data.documents, state.affinities, state.memberships)
        yield state, sampler.exponentiated(state)[0]
