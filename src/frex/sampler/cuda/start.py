"""Where a chain on the device starts: `sampler/start.py` says how, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.cuda.state import DeviceState
from frex.sampler.kernels.random import normal_array
from frex.sampler.start import N_ROUNDS, first_state
from frex.sampler.state import Block, Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.sampler.cuda.sampler import CudaSampler


def find_map(sampler: CudaSampler, *, progress: Callable[[int], None] | None = None) -> DeviceState:
    """Return a point in the middle of the posterior, and leave the blocks' curvatures there."""
    state = DeviceState.of(first_state(sampler), sampler.corpus)
    for number in range(N_ROUNDS):
        _fit_words(sampler, state, Clock(0, 0, number), last=number == N_ROUNDS - 1)
        _fit_documents(sampler, state)
        if progress is not None:
            progress(1)
    return state


def _fit_words(sampler: CudaSampler, state: DeviceState, clock: Clock, *, last: bool) -> None:
    """Modes of the log rates, then the dispersions and what governs them."""
    words, given = sampler.words, sampler.given(state)
    words.refresh(state, given)
    state.log_rates.copy_to_device(words.modes)
    drawn = words.modes  # the search is over, and its place is free
    words.draw_log_rates(given, state.log_rates, clock.address(Block.START), drawn)
    words.exponentiate(drawn)
    root = words.root_log_rates()
    squares = words.find_squares(drawn)
    state.hyper = sampler.dispersion_hyper.refresh(state.hyper, squares)
    df, scale = state.hyper.dispersion_df, state.hyper.dispersion_scale
    if last:
        words.find_squares(state.log_rates)
        words.add_deviation_variances(given)
        words.expect_dispersions(df, scale, state.dispersions)
    else:
        words.draw_dispersions(df, scale, clock.address(Block.DISPERSIONS), state.dispersions)
    state.hyper = state.hyper._replace(
        root_mean=float(root.mean()), root_variance=float(root.var()) + 1e-3
    )


def _fit_documents(sampler: CudaSampler, state: DeviceState) -> None:
    """Modes of the affinities, then the hyperparameters that govern them."""
    documents, around = sampler.documents, sampler.around(state)
    documents.refresh(state, around)
    state.affinities.copy_to_device(documents.modes)
    documents.fill_memberships(state)
    statistics = sampler.affinity_hyper.statistics_of(
        state.affinities, state.hyper, around.affinity_mean
    )
    added = documents.variance_sums(state.hyper.affinity_variance)
    statistics = statistics._replace(active_squares=statistics.active_squares + added)
    state.hyper = sampler.affinity_hyper.refresh(state.hyper, statistics)


def dispersed(sampler: CudaSampler, middle: DeviceState, clock: Clock) -> Any:
    """Return a start for one chain: a draw from the Gaussian about the middle, and further out."""
    state, words = middle.copy(), sampler.words
    given = sampler.given(state)
    words.exponentiate(state.log_rates)
    words.curve_at(given)
    address = clock.address(Block.START)
    words.draw_log_rates(given, middle.log_rates, address, state.log_rates)
    n_words, n_topics = sampler.corpus.exchange.n_words, len(middle.hyper.affinity_mean)
    noise = normal_array(address.key, n_words, address.scan, address.stream, n_topics + 3)
    state.hyper = middle.hyper._replace(
        affinity_mean=middle.hyper.affinity_mean + 0.2 * noise[3:],
        affinity_variance=float(middle.hyper.affinity_variance * np.exp(0.3 * noise[0])),
        dispersion_df=float(middle.hyper.dispersion_df * np.exp(0.3 * noise[1])),
        dispersion_scale=float(middle.hyper.dispersion_scale * np.exp(0.3 * noise[2])),
    )
    return state
