"""Where a chain starts: modes of the blocks in turn, with empirical-Bayes hyperparameters.

The joint mode of rates and dispersions is degenerate: deviations and dispersions shrink together.
So the dispersions are fitted to the *expected* squares of the deviations, those at the modes plus
their variance in the Gaussian about them, and the same goes for affinities and lambda. (nu, sigma2)
are fitted to the squares of one draw from that Gaussian, and all rounds but the last go on from
drawn dispersions: expected squares have lost the tails, and would take nu to infinity.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from frex.model.contrasts import centred
from frex.model.priors import Hyperparameters
from frex.sampler.kernels.documents import memberships_of
from frex.sampler.kernels.groups import draw_dispersions, exponentiate
from frex.sampler.kernels.laplace import deviation_variances, draw_log_rates
from frex.sampler.kernels.random import normal_array
from frex.sampler.state import Block, Clock, State
from frex.sampler.topics import N_BATCHES, find_topics

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from frex.model.reductions import Reduced
    from frex.sampler.kernels.words import RateState
    from frex.sampler.scan import Sampler

N_ROUNDS = 12
UNLABELLED_ROUNDS = 2
"""Where rates and memberships are both unknown, modes blur the topics, and blurred topics ask for
smaller dispersions: round by round sigma2 falls to 1.1 on AP, and the posterior has it at 4 or
more. A chain comes up from there by hundreds of scans; so it leaves early."""

FIRST_DF, FIRST_SCALE, FIRST_SD = 5.0, 0.5, 2.0


def n_steps(reduced: Reduced) -> int:
    """Return how often `find_map` tells its progress."""
    return N_ROUNDS if reduced.labelled else UNLABELLED_ROUNDS + N_BATCHES


def find_map(
    sampler: Sampler, *, seed: int = 0, progress: Callable[[int], None] | None = None
) -> State:
    """Return a point in the middle of the posterior, and leave the blocks' curvatures there.

    Without labels there are many such points, and the seed says which is found.
    """
    state = first_state(sampler)
    if not sampler.reduced.labelled:
        find_topics(sampler, state, seed, progress)
    n_rounds = N_ROUNDS if sampler.reduced.labelled else UNLABELLED_ROUNDS
    for number in range(n_rounds):
        _fit_words(sampler, state, Clock(0, 0, number), last=number == n_rounds - 1)
        _fit_documents(sampler, state)
        if progress is not None:
            progress(1)
    return state


def first_state(sampler: Sampler) -> State:
    """Return a rough state: every topic has the corpus' rates, a document's labels equal shares."""
    reduced, data = sampler.reduced, sampler.data.documents
    exposure = reduced.single_exposures.sum() + reduced.exposures.sum()
    root = np.log((sampler.word_totals() + 0.5) / max(float(exposure), 1.0))
    n_labels = np.diff(data.label_starts)
    hyper = Hyperparameters(
        root_mean=float(root.mean()),
        root_variance=float(root.var()) + 0.1,
        affinity_mean=np.log(reduced.label_counts + 0.5) - np.log(reduced.n_documents + 1.0),
        affinity_variance=FIRST_SD**2,
        dispersion_df=FIRST_DF,
        dispersion_scale=FIRST_SCALE,
    )
    log_rates = np.repeat(root[:, None], reduced.tree.n_nodes, axis=1)
    affinities = hyper.affinity_mean[reduced.labels.indices].copy()
    return State(
        log_rates=log_rates,
        dispersions=np.full((len(root), len(sampler.n_children)), FIRST_SCALE),
        affinities=affinities,
        memberships=np.repeat(1 / np.maximum(n_labels, 1), n_labels),
        hyper=hyper,
    )


def _fit_words(sampler: Sampler, state: State, clock: Clock, *, last: bool) -> None:
    """Modes of the log rates, then the dispersions and what governs them."""
    total = sampler.exposure(state)
    state.log_rates[:] = sampler.rates.refresh(state, total)
    drawn = replace(state, log_rates=drawn_log_rates(sampler, state, clock))
    squares = sampler.every_square(drawn)
    state.hyper = sampler.dispersion_hyper.refresh(state.hyper, squares)
    df, scale = state.hyper.dispersion_df, state.hyper.dispersion_scale
    if last:
        squares = sampler.every_square(state)
        deviation_variances(sampler.data.words, gaussian_about(sampler, state), squares)
        state.dispersions[:] = (df * scale + squares) / (df + sampler.n_children)
    else:
        address = clock.address(Block.DISPERSIONS)
        n_children = sampler.n_children.astype(np.float64)
        words = np.arange(len(squares))
        draw_dispersions(squares, n_children, df, scale, address, words, state.dispersions)
    root = drawn.log_rates[:, 0]
    state.hyper = state.hyper._replace(
        root_mean=float(root.mean()), root_variance=float(root.var()) + 1e-3
    )


def gaussian_about(sampler: Sampler, state: State) -> RateState:
    """Return what describes the Gaussian of log rates about modes: the tree's curvature there."""
    total = sampler.exposure(state)
    curvature, every_word = np.empty_like(state.log_rates), np.arange(len(state.log_rates))
    exponentiate(every_word, state.log_rates, every_word, curvature)
    curvature *= total
    return sampler.rates.conditional(state, total)._replace(curvature=curvature)


def drawn_log_rates(sampler: Sampler, modes: State, clock: Clock) -> NDArray[np.float64]:
    """Return a draw from the Gaussian about modes."""
    drawn = np.empty_like(modes.log_rates)
    address = clock.address(Block.START)
    gaussian = gaussian_about(sampler, modes)
    draw_log_rates(sampler.data.words, gaussian, modes.log_rates, address, drawn)
    return drawn


def _fit_documents(sampler: Sampler, state: State) -> None:
    """Modes of the affinities, then the hyperparameters that govern them."""
    rates, sums = sampler.exponentiated(state)
    state.affinities[:] = sampler.affinities.refresh(state, rates, sums)
    memberships_of(sampler.data.documents, state.affinities, state.memberships)
    variances = sampler.affinities.variances(state.hyper.affinity_variance)
    statistics = sampler.affinity_hyper.expected_statistics(
        sampler.reduced, state.affinities, variances
    )
    state.hyper = sampler.affinity_hyper.refresh(state.hyper, statistics)


def dispersed(sampler: Sampler, middle: State, clock: Clock) -> State:
    """Return a start for one chain: a draw from the Gaussian about the middle, and further out.

    R-hat tells chains that have not met only if they set out from different places.
    """
    address = clock.address(Block.START)
    log_rates = drawn_log_rates(sampler, middle, clock)
    n_words, n_topics = len(log_rates), len(middle.hyper.affinity_mean)
    noise = normal_array(address.key, n_words, address.scan, address.stream, n_topics + 3)
    away = noise[3:] if sampler.reduced.labelled else centred(noise[3:])
    hyper = middle.hyper._replace(
        affinity_mean=middle.hyper.affinity_mean + 0.2 * away,
        affinity_variance=float(middle.hyper.affinity_variance * np.exp(0.3 * noise[0])),
        dispersion_df=float(middle.hyper.dispersion_df * np.exp(0.3 * noise[1])),
        dispersion_scale=float(middle.hyper.dispersion_scale * np.exp(0.3 * noise[2])),
    )
    return State(
        log_rates=log_rates,
        dispersions=middle.dispersions.copy(),
        affinities=middle.affinities.copy(),
        memberships=middle.memberships.copy(),
        hyper=hyper,
    )
