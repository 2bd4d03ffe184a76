"""The Gaussian approximation about the mode (Laplace), which takes seconds.

Hyperparameters and dispersions are fixed. Log rates have means and variances in closed form.
Exclusivity, the scores of leading words and memberships have no closed form, and are averaged over
draws. A few draws are enough, because they are antithetic: they come in pairs on opposite sides of
the mode, so that terms linear in the log rates or affinities cancel in a mean.
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
"""Scan numbers reserved for the search for the mode; the draws use the numbers after these."""


def moments_about_mode(sampler: Sampler, mode: State) -> dict[str, Moment]:
    """Return the moments that need no draws: log rates, log dispersions and hyperparameters.

    The standard deviations of hyperparameters are unknown. Only the first process has complete
    arrays.
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
    """Yield draws about the mode; the next draw overwrites the state."""
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
    """Return passes over words with the Gaussian about the mode."""
    words: Any = sampler.context(mode).words()
    words.find_curvature(mode)
    passes: CpuWords = words
    return passes
