"""Starting points of chains: modes of the blocks in turn, with empirical-Bayes hyperparameters.

The joint mode of rates and dispersions is degenerate: deviations and dispersions shrink together.
So the dispersions are fitted to the *expected* squares of the deviations: the squares at the modes
plus the variances in the Gaussian about them. Affinities and lambda are treated in the same way.
(nu, sigma2) are fitted to the squares of one draw from that Gaussian, and all rounds except the
last continue from drawn dispersions, because expected squares have no heavy tails and would take nu
to infinity.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from frex.model.priors import Hyperparameters
from frex.model.process import parent_nodes
from frex.sampler.kernels.random import normal_array
from frex.sampler.state import Clock, State, Stream

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.posterior import Posterior
    from frex.sampler.blocks.affinity_hyper import AffinityHyper
    from frex.sampler.blocks.dispersion_hyper import DispersionHyper
    from frex.sampler.blocks.drifts import Drifts
    from frex.sampler.blocks.root_drift import RootDrift
    from frex.sampler.context import Context
    from frex.sampler.models import Model
    from frex.sampler.scan import Sampler

FIRST_DF, FIRST_SCALE, FIRST_SD, FIRST_DRIFT = 5.0, 0.5, 2.0, 0.1

NEAR_ROUNDS = 2
"""Rounds when starting from a fit of mostly the same documents, with its nu and sigma2 fixed."""


def n_steps(model: Model) -> int:
    """Return the number of progress reports of `find_map`."""
    return model.n_rounds + model.n_topic_steps


def find_map(
    sampler: Sampler,
    *,
    seed: int = 0,
    near: Posterior | None = None,
    progress: Callable[[int], None] | None = None,
) -> State:
    """Return an approximate mode of the posterior, and set the blocks' curvatures there.

    Without labels there are many modes, and the seed determines which is found. `near` is a fit of
    mostly the same documents over the same words, and the same topics or more. The search then
    starts at its rates, keeps its nu and sigma2, and ends after `NEAR_ROUNDS`.
    """
    model, state = sampler.model, first_state(sampler)
    if model.find_topics is not None:
        model.find_topics(sampler, state, seed, progress)
    n_rounds = model.n_rounds
    if near is not None:
        state, n_rounds = _state_near(sampler, state, near), min(NEAR_ROUNDS, n_rounds)
    state = sampler.engine.adopt(state)
    if near is not None:
        _fit_documents(sampler, sampler.context(state))
    for number in range(n_rounds):
        context = sampler.context(state)
        clock = Clock(0, 0, 1 + number)  # chains start at 0
        if near is None:
            _fit_words(sampler, context, clock, last=number == n_rounds - 1)
        else:
            _find_words(context)
            _expect_dispersions(context)
        _fit_documents(sampler, context)
        if progress is not None:
            progress(1)
    return state


def first_state(sampler: Sampler) -> State:
    """Return a rough state on the host: topics have the corpus's rates, labels equal shares."""
    engine = sampler.engine
    reduced = engine.reduced
    exposure = reduced.single_exposures.sum() + reduced.exposures.sum()
    root = np.log((engine.word_totals + 0.5) / max(float(exposure), 1.0))
    n_labels = np.diff(engine.labels.label_starts)
    hyper = Hyperparameters(
        root_mean=float(root.mean()),
        root_variance=float(root.var()) + 0.1,
        affinity_mean=np.log(reduced.label_counts + 0.5) - np.log(reduced.n_documents + 1.0),
        affinity_variance=FIRST_SD**2,
        dispersion_df=FIRST_DF,
        dispersion_scale=FIRST_SCALE,
    )
    if sampler.known is not None:  # words of the other fit have its rates
        root = np.where(sampler.known.spreads[:, 0] > 0, root - sampler.known.offsets[:, 0], 0.0)
        drifts = np.full(sampler.known.n_known, FIRST_DRIFT)
        hyper = hyper._replace(root_mean=0.0, root_variance=FIRST_DRIFT, drift_variance=drifts)
    return State(
        log_rates=np.repeat(root[:, None], reduced.tree.n_nodes, axis=1),
        dispersions=np.full((len(root), len(sampler.n_children)), FIRST_SCALE),
        affinities=hyper.affinity_mean[reduced.labels.indices].copy(),
        memberships=np.repeat(1 / np.maximum(n_labels, 1), n_labels),
        hyper=hyper,
    )


def _state_near(sampler: Sampler, first: State, known: Posterior) -> State:
    """Return a state with the rates, dispersions and hyperparameters of a fit, on the host."""
    tree, hyper = sampler.engine.reduced.tree, known.hyperparameters
    nodes = np.concatenate([[0], tree.label_columns(known.tree) + 1])
    group = {int(node): place for place, node in enumerate(parent_nodes(known.tree))}
    groups = [group[int(nodes[node])] for node in parent_nodes(tree)]
    mean = np.asarray(hyper.affinity_mean, np.float64)[nodes[1:] - 1]
    return replace(
        first,
        log_rates=np.ascontiguousarray(known.moments["log_rates"].mean[:, nodes]),
        dispersions=np.exp(known.moments["log_dispersions"].mean[:, groups]),
        affinities=mean[sampler.engine.reduced.labels.indices],
        hyper=hyper._replace(affinity_mean=mean),
    )


def _fit_words(sampler: Sampler, context: Context, clock: Clock, *, last: bool) -> None:
    """Find modes of the log rates, then dispersions and their hyperparameters."""
    _find_words(context)
    state, words = context.state, context.words()
    drawn = words.draw_about(state, state.log_rates, clock.address(Stream.START))
    squares, root = words.squares(drawn), words.root(drawn)
    block = cast("DispersionHyper", sampler.blocks["dispersion_hyper"])
    state.hyper = block.fit_mode(state.hyper, squares, words)
    df, scale = state.hyper.dispersion_df, state.hyper.dispersion_scale
    if last:
        _expect_dispersions(context)
    else:
        address = clock.address(Stream.START_DISPERSIONS)
        words.draw_dispersions(squares, df, scale, address, state.dispersions)
    if sampler.known is not None:
        away = replace(state, log_rates=drawn)
        drifts = cast("Drifts", sampler.blocks["drifts"]).fit_mode(away)
        away.hyper = away.hyper._replace(root_mean=float(np.median(root)))
        cast("RootDrift", sampler.blocks["root_drift"]).fit_mode(away)
        state.hyper = away.hyper._replace(drift_variance=drifts)
    else:
        state.hyper = state.hyper._replace(
            root_mean=float(root.mean()), root_variance=float(root.var()) + 1e-3
        )


def _find_words(context: Context) -> None:
    """Find modes of the log rates, and the curvatures there."""
    state, words = context.state, context.words()
    words.find_modes(state)
    words.move_to_modes(state)
    context.moved("log_rates")
    words.find_curvature(state)


def _expect_dispersions(context: Context) -> None:
    """Fit the dispersions to the expected squares of the deviations."""
    state, words = context.state, context.words()
    squares = words.squares(state.log_rates)
    words.add_variances(state, squares)
    df, scale = state.hyper.dispersion_df, state.hyper.dispersion_scale
    words.expect_dispersions(squares, df, scale, state.dispersions)


def _fit_documents(sampler: Sampler, context: Context) -> None:
    """Find modes of the affinities, then their hyperparameters."""
    state, documents = context.state, context.documents()
    documents.find_modes(state)
    documents.move_to_modes(state)
    context.moved("memberships")
    mean = state.hyper.affinity_mean
    deviations, squares = documents.deviations(state, mean)
    squares = squares + documents.variance_sums(state.hyper.affinity_variance)
    statistics = sampler.coordinates.statistics(mean, deviations, squares)
    block = cast("AffinityHyper", sampler.blocks["affinity_hyper"])
    state.hyper = block.fit_mode(state.hyper, statistics)


def dispersed(sampler: Sampler, middle: State, clock: Clock) -> State:
    """Return a start for one chain: a draw from the Gaussian about the mode, overdispersed.

    R-hat can only detect that chains have not converged if they start from different points.
    """
    address, words = clock.address(Stream.START), sampler.context(middle).words()
    words.find_curvature(middle)
    state = sampler.engine.copied(middle)
    state.log_rates = words.draw_about(middle, middle.log_rates, address)
    n_words, n_topics = len(sampler.engine.word_totals), len(middle.hyper.affinity_mean)
    noise = normal_array(address.key, n_words, address.scan, address.stream, n_topics + 3)
    state.hyper = middle.hyper._replace(
        affinity_mean=middle.hyper.affinity_mean + 0.2 * sampler.model.perturb(noise[3:]),
        affinity_variance=float(middle.hyper.affinity_variance * np.exp(0.3 * noise[0])),
        dispersion_df=float(middle.hyper.dispersion_df * np.exp(0.3 * noise[1])),
        dispersion_scale=float(middle.hyper.dispersion_scale * np.exp(0.3 * noise[2])),
    )
    return state
