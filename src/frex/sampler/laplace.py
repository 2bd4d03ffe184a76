"""The Gaussian about the mode, for people who want an answer in seconds.

Hyperparameters and dispersions stay where they are. Log rates have their means and variances in
closed form. Exclusivity, the scores of leading words and memberships have none, and take draws: a
few, for they come in pairs, one as far from the mode as the other on the opposite side, so that
what is linear in the log rates or affinities cancels in a mean.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from frex.posterior import Moment
from frex.sampler.engines.verbs import Learned
from frex.sampler.kernels.random import normal_array
from frex.sampler.state import Clock, Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frex.sampler.engines.cpu.words import CpuWords
    from frex.sampler.scan import Sampler
    from frex.sampler.settings import Settings
    from frex.sampler.state import State

N_START_SCANS = 1000
"""Scan numbers that the search for the mode may use; the draws have those behind."""


def moments_about_mode(sampler: Sampler, mode: State) -> dict[str, Moment]:
    """Return what needs no draws: log rates, log dispersions and hyperparameters.

    Of hyperparameters no spread is known. Among several processes the first has them whole.
    """
    words, engine = _about(sampler, mode), sampler.engine
    variances = words.variances(mode)
    fetched = [
        engine.fetch(Learned(name, array, "words"))
        for name, array in (
            ("log_rates", mode.log_rates),
            ("variances", variances),
            ("dispersions", mode.dispersions),
        )
    ]
    log_rates, variances, dispersions = fetched
    if sampler.known is not None:
        log_rates = log_rates + sampler.known.offsets
    moments = {
        "log_rates": Moment(log_rates, np.sqrt(variances, out=variances)),
        "log_dispersions": Moment(np.log(dispersions), np.zeros_like(dispersions)),
    }
    for name, value in mode.hyper.named().items():
        moments[name] = Moment(np.asarray(value, np.float64), np.full(np.shape(value), np.nan))
    return moments


def draw_about_mode(sampler: Sampler, mode: State, settings: Settings) -> Iterator[State]:
    """Yield states about the mode; each is good until the next."""
    words, documents = _about(sampler, mode), cast("Any", sampler.documents)
    draw_affinities = documents.gaussian(mode.affinities, mode.hyper.affinity_variance)
    state = replace(mode, memberships=np.empty_like(mode.memberships))
    for number in range(settings.fewest_draws):
        if number % 2:
            np.subtract(2 * mode.log_rates, state.log_rates, out=state.log_rates)
            state.affinities = 2 * mode.affinities - state.affinities
        else:
            clock = Clock(settings.seed, 0, N_START_SCANS + number)
            address = clock.address(Stream.START)
            state.log_rates = words.draw_about(mode, mode.log_rates, address)
            address = clock.address(Stream.LAPLACE_AFFINITIES)
            noise = normal_array(address.key, 0, address.scan, address.stream, len(mode.affinities))
            state.affinities = draw_affinities(noise)
        documents.fill_memberships(state)
        yield state


def _about(sampler: Sampler, mode: State) -> CpuWords:
    """Return passes over words that know the Gaussian about the mode."""
    words: Any = sampler.context(mode).words()
    words.find_curvature(mode)
    passes: CpuWords = words
    return passes
