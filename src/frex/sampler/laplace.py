"""The Gaussian about the mode, for people who want an answer in seconds.

Hyperparameters and dispersions stay where they are. Log rates have their means and variances in
closed form. Exclusivity, the scores of leading words and memberships have none, and take draws: a
few, for they come in pairs, one as far from the mode as the other on the opposite side, so that
what is linear in the log rates or affinities cancels in a mean.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from frex.posterior import Moment
from frex.sampler.kernels.documents import memberships_of
from frex.sampler.kernels.laplace import draw_log_rates, log_rate_variances
from frex.sampler.kernels.random import normal_array
from frex.sampler.start import gaussian_about
from frex.sampler.state import Block, Clock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.sampler.scan import Sampler
    from frex.sampler.settings import Settings
    from frex.sampler.state import State

N_START_SCANS = 1000
"""Scan numbers that the search for the mode may use; the draws have those behind."""


def moments_about_mode(sampler: Sampler, mode: State) -> dict[str, Moment]:
    """Return what needs no draws: log rates, log dispersions and hyperparameters.

    Of hyperparameters no spread is known.
    """
    variances = np.empty_like(mode.log_rates)
    log_rate_variances(sampler.data.words, gaussian_about(sampler, mode), variances)
    moments = {
        "log_rates": Moment(mode.log_rates, np.sqrt(variances, out=variances)),
        "log_dispersions": Moment(np.log(mode.dispersions), np.zeros_like(mode.dispersions)),
    }
    for name, value in mode.hyper._asdict().items():
        moments[name] = Moment(np.asarray(value, np.float64), np.full(np.shape(value), np.nan))
    return moments


def draw_about_mode(
    sampler: Sampler, mode: State, settings: Settings
) -> Iterator[tuple[State, NDArray[np.float64]]]:
    """Yield states about the mode, and their rates; they are good until the next."""
    gaussian = gaussian_about(sampler, mode)
    draw_affinities = sampler.affinities.gaussian(mode.affinities, mode.hyper.affinity_variance)
    state = replace(
        mode,
        log_rates=np.empty_like(mode.log_rates),
        memberships=np.empty_like(mode.memberships),
    )
    for number in range(settings.fewest_draws):
        if number % 2:
            np.subtract(2 * mode.log_rates, state.log_rates, out=state.log_rates)
            state.affinities = 2 * mode.affinities - state.affinities
        else:
            clock = Clock(settings.seed, 0, N_START_SCANS + number)
            address = clock.address(Block.START)
            draw_log_rates(sampler.data.words, gaussian, mode.log_rates, address, state.log_rates)
            address = clock.address(Block.LAPLACE_AFFINITIES)
            noise = normal_array(address.key, 0, address.scan, address.stream, len(mode.affinities))
            state.affinities = draw_affinities(noise)
        memberships_of(sampler.data.documents, state.affinities, state.memberships)
        yield state, sampler.exponentiated(state)[0]
