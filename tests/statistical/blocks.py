"""Checks that every block keeps its conditional: rank tests after Gandy and Scott (2020).

The true parameters are placed at a random step of a chain of the block's own transitions: they are
run on from the truth, and, being reversible, back from it by the same transitions. If the block
keeps the posterior, all steps of the chain are exchangeable enough that the truth's rank among them
is uniform. Test quantities include one that the data enter: a block that never looked at the data
would pass with parameters alone.

Masses, and what stands for a likelihood, come from a state that is independent of the truth given
the data (see `draw_elsewhere`), and never change along a chain: this is the invariant of the
sampler after its warm-up.
"""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from calibration import (
    PRIORS,
    TREE,
    assert_uniform,
    copied,
    draw_elsewhere,
    draw_joint,
    rank_among,
)

from frex.model.dispersions import group_log_density, group_sizes
from frex.model.hyperparameters import affinity_hyper_log_density, affinity_statistics
from frex.model.labels import log_label_probability, log_probability_of_any_label
from frex.sampler.blocks.root import draw_root
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock

N_STEPS = 7  # of a chain; ranks are 0 .. 7
NODES = [f"mu {name}" for name in TREE.names]
SHARES = 0.25, 1.0
"""Of a check's replicates: most faults show in the first quarter of them."""


def dense_memberships(sampler, state):
    """Return the memberships, documents x topics."""
    labels = sampler.engine.reduced.labels
    theta = np.zeros(labels.shape)
    theta[np.repeat(np.arange(len(theta)), np.diff(labels.indptr)), labels.indices] = (
        state.memberships
    )
    return theta


def log_rates_of(sampler, state):
    """Return log rates with their offsets, where they have any."""
    return state.log_rates + (0 if sampler.known is None else sampler.known.offsets)


def word_log_likelihoods(sampler, state):
    """Return each word's log likelihood, from dense matrices."""
    reduced, theta = sampler.engine.reduced, dense_memberships(sampler, state)
    rates = np.exp(log_rates_of(sampler, state)[:, 1:])
    shared = reduced.counts.toarray() * np.log(theta @ rates.T)
    single = (reduced.single_counts * state.log_rates[:, 1:]).sum(axis=1)
    return shared.sum(axis=0) + single - rates @ sampler.documents.exposure(state)[1:]


def document_log_likelihoods(sampler, state):
    """Return the words' log likelihood of each document with several labels."""
    reduced, theta = sampler.engine.reduced, dense_memberships(sampler, state)
    expected = theta @ np.exp(log_rates_of(sampler, state)[:, 1:]).T
    words = (reduced.counts.toarray() * np.log(expected)).sum(axis=1)
    return words - reduced.exposures * expected.sum(axis=1)


def log_probability_of_a_label(hyper):
    """Return what conditioning on a label divides each document's likelihood by."""
    both = log_label_probability(hyper.affinity_mean, np.sqrt(hyper.affinity_variance))
    return log_probability_of_any_label(*both)


@dataclass
class Rates:
    """Items are words."""

    curvature: str
    n_documents, n_words, n_replicates = 24, 60, 100
    names = (*NODES, "log likelihood")

    def prepare(self, sampler, state, elsewhere):
        # the mode given what the block holds fixed, found from elsewhere
        away = replace(state, log_rates=elsewhere.log_rates)
        sampler.blocks["rates"].refresh(sampler.context(away))

    def move(self, sampler, state, clock):
        sampler.blocks["rates"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        return np.vstack([state.log_rates.T, word_log_likelihoods(sampler, state)])


class Affinities:
    """Items are documents with several labels."""

    n_documents, n_words, n_replicates = 150, 12, 150
    names = ("first", "last", "log likelihood")

    def prepare(self, sampler, state, elsewhere):
        away = replace(state, affinities=elsewhere.affinities)
        sampler.blocks["affinities"].refresh(sampler.context(away))

    def move(self, sampler, state, clock):
        sampler.blocks["affinities"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        starts = sampler.engine.reduced.labels.indptr
        first, last = state.affinities[starts[:-1]], state.affinities[starts[1:] - 1]
        return np.vstack([first, last, document_log_likelihoods(sampler, state)])


class Swaps(Affinities):
    n_replicates = 100
    names = (*Affinities.names, "distance from eta")

    def prepare(self, sampler, state, elsewhere):
        """Learn nothing: there is nothing to learn."""

    def move(self, sampler, state, clock):
        sampler.blocks["swaps"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        labels, eta = sampler.engine.reduced.labels, state.hyper.affinity_mean
        away = (state.affinities - eta[labels.indices]) ** 2
        distance = np.add.reduceat(away, labels.indptr[:-1]) if len(away) else away
        return np.vstack([super().quantities(sampler, state), distance])


class DispersionHyper:
    n_documents, n_words, n_replicates = 1, 6, 300
    names = ("log nu", "log sigma2", "log likelihood", "log prior")

    def prepare(self, sampler, state, elsewhere):
        squares = sampler.words.squares(state.log_rates)
        sampler.blocks["dispersion_hyper"].fit_mode(elsewhere.hyper, squares, sampler.words)

    def move(self, sampler, state, clock):
        sampler.blocks["dispersion_hyper"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        log_nu = np.log(state.hyper.dispersion_df)
        log_sigma2 = np.log(state.hyper.dispersion_scale)
        squares = sampler.words.squares(state.log_rates)
        groups = group_log_density(log_nu, log_sigma2, squares, group_sizes(TREE))
        prior = PRIORS.log_density(state.hyper)
        return np.array([[log_nu], [log_sigma2], [groups.sum()], [prior]])


@dataclass
class AffinityHyper:
    conditioned: bool
    n_documents: int
    n_words, n_replicates = 2, 600
    names = ("eta a", "eta ba", "log lambda", "log likelihood", "log prior", "any label")

    def prepare(self, sampler, state, elsewhere):
        statistics = affinity_statistics(sampler.engine.reduced, state.affinities)
        sampler.blocks["affinity_hyper"].fit_mode(elsewhere.hyper, statistics)

    def move(self, sampler, state, clock):
        sampler.blocks["affinity_hyper"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        eta, log_sd = state.hyper.affinity_mean, 0.5 * np.log(state.hyper.affinity_variance)
        statistics = affinity_statistics(sampler.engine.reduced, state.affinities)
        density = affinity_hyper_log_density(eta, log_sd, statistics)
        prior, any_label = PRIORS.log_density(state.hyper), log_probability_of_a_label(state.hyper)
        return np.array([[eta[0]], [eta[-1]], [log_sd], [density], [prior], [any_label]])


@dataclass
class AffinityInterweavingMove:
    conditioned: bool = False
    n_documents, n_words, n_replicates = 12, 6, 900
    names = ("eta a", "eta ba", "log lambda", "affinities", "log likelihood", "log prior")
    names += ("any label",)

    def prepare(self, sampler, state, elsewhere):
        away = replace(
            state,
            affinities=elsewhere.affinities,
            memberships=elsewhere.memberships,
            hyper=elsewhere.hyper,
        )
        context = sampler.context(away)
        for name in ("affinities", "affinity_interweaving"):
            sampler.blocks[name].refresh(context)

    def move(self, sampler, state, clock):
        sampler.blocks["affinity_interweaving"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        eta, log_sd = state.hyper.affinity_mean, 0.5 * np.log(state.hyper.affinity_variance)
        likelihood = document_log_likelihoods(sampler, state).sum()
        total, prior = np.tanh(state.affinities).sum(), PRIORS.log_density(state.hyper)
        any_label = log_probability_of_a_label(state.hyper)
        return np.array(
            [[eta[0]], [eta[-1]], [log_sd], [total], [likelihood], [prior], [any_label]]
        )


@dataclass
class AffinityScalingMove(AffinityInterweavingMove):
    def prepare(self, sampler, *_):
        sampler.blocks["affinity_scaling"].step.value[:] = 0.5

    def move(self, sampler, state, clock):
        sampler.blocks["affinity_scaling"].update(sampler.context(state), clock)


class DispersionInterweavingMove:
    n_documents, n_words, n_replicates = 8, 6, 400
    names = ("log nu", "log sigma2", "deviations", "dispersions", "log likelihood", "log prior")

    def prepare(self, sampler, state, elsewhere):
        away = replace(
            state,
            log_rates=elsewhere.log_rates,
            dispersions=elsewhere.dispersions,
            hyper=elsewhere.hyper,
        )
        context = sampler.context(away)
        for name in ("rates", "dispersion_interweaving"):
            sampler.blocks[name].refresh(context)

    def move(self, sampler, state, clock):
        sampler.blocks["dispersion_interweaving"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        hyper, prior = state.hyper, PRIORS.log_density(state.hyper)
        deviations = np.log(sampler.words.squares(state.log_rates)).sum()
        dispersions = np.log(state.dispersions).sum()
        likelihood = word_log_likelihoods(sampler, state).sum()
        log_nu, log_sigma2 = np.log(hyper.dispersion_df), np.log(hyper.dispersion_scale)
        return np.array(
            [[log_nu], [log_sigma2], [deviations], [dispersions], [likelihood], [prior]]
        )


BLOCKS = {
    "rates, tree": Rates("tree"),
    "rates, dense": Rates("dense"),
    "affinities": Affinities(),
    "swaps": Swaps(),
    "dispersion hyper": DispersionHyper(),
    "affinity hyper": AffinityHyper(conditioned=False, n_documents=4),
    "affinity hyper, conditioned": AffinityHyper(conditioned=True, n_documents=60),
    "affinity interweaving": AffinityInterweavingMove(),
    "affinity interweaving, conditioned": AffinityInterweavingMove(conditioned=True),
    "affinity scaling": AffinityScalingMove(),
    "affinity scaling, conditioned": AffinityScalingMove(conditioned=True),
    "dispersion interweaving": DispersionInterweavingMove(),
}


def chain_ranks(
    block, seed, joint=draw_joint, elsewhere=draw_elsewhere, *, share=1.0, priors=PRIORS
):
    """Return the ranks of the truth in chains of a block: quantities x (replicates x items).

    Of the replicates a share is made, the first ones.
    """
    rng = np.random.default_rng(seed)
    ranks = []
    for replicate in range(round(share * block.n_replicates)):
        reduced, truth = joint(rng, block.n_documents, block.n_words)
        sampler = Sampler(reduced, priors, curvature=getattr(block, "curvature", "tree"))
        block.prepare(sampler, truth, elsewhere(reduced, rng))
        own = block.quantities(sampler, truth)
        n_items = own.shape[1]
        # every item has its own place in the chain, so that items are independent
        n_back = rng.integers(0, N_STEPS + 1, n_items)
        runs = []
        for direction, n_moves in enumerate((n_back, N_STEPS - n_back)):
            state, run = copied(truth), []
            for step in range(n_moves.max(initial=0)):
                block.move(sampler, state, Clock(seed, direction, replicate * N_STEPS + step))
                run.append(block.quantities(sampler, state))
            runs += [np.where(step < n_moves, values, np.nan) for step, values in enumerate(run)]
        ranks.append(rank_among(own, np.array(runs), rng))
    return np.hstack(ranks)


def check_chains(name, share=1.0):
    """Raise AssertionError unless the block of that name keeps its conditional."""
    block = BLOCKS[name]
    joint = partial(draw_joint, conditioned=getattr(block, "conditioned", False))
    assert_uniform(chain_ranks(block, 1, joint, share=share), N_STEPS, block.names)


def check_dispersions(share=1.0):
    """The dispersions are drawn exactly: the truth and draws given the same rest are alike."""
    rng = np.random.default_rng(2)
    ranks = []
    for replicate in range(round(share * 30)):
        reduced, truth = draw_joint(rng, 1, 100)
        sampler = Sampler(reduced, PRIORS)
        drawn = []
        for step in range(N_STEPS):
            state = copied(truth)
            clock = Clock(2, 0, replicate * N_STEPS + step)
            sampler.blocks["dispersions"].update(sampler.context(state), clock)
            drawn.append(state.dispersions)
        ranks.append(rank_among(truth.dispersions, np.array(drawn), rng).T)
    names = [f"tau2 {size} children" for size in group_sizes(TREE)]
    assert_uniform(np.hstack(ranks), N_STEPS, names)


def check_root(share=1.0):
    """Draws of psi given the same gamma2 are alike; gamma2 on its own is a reversible chain."""
    rng = np.random.default_rng(3)
    ranks = []
    for replicate in range(round(share * 1500)):
        truth = draw_joint(rng, 1, 2).state
        root, hyper = truth.log_rates[:, 0], truth.hyper
        clocks = [Clock(3, 0, replicate * N_STEPS + step) for step in range(N_STEPS)]
        means = np.array([draw_root(hyper, root, PRIORS, clock).root_mean for clock in clocks])
        n_back, variances, last = rng.integers(0, N_STEPS + 1), [], hyper
        for step, clock in enumerate(clocks):
            start = hyper if step == n_back else last  # back from the truth, then on from it
            last = draw_root(start, root, PRIORS, replace(clock, chain=1))
            variances.append(last.root_variance)
        own = root_quantities(hyper.root_mean, hyper.root_variance)
        drawn = root_quantities(means, np.array(variances))
        ranks.append(rank_among(own, drawn.T, rng))
    names = ["psi", "log prior of psi", "gamma2", "log prior of gamma2"]
    assert_uniform(np.array(ranks).T, N_STEPS, names)


def root_quantities(mean, variance):
    prior = PRIORS.root_sd.log_density_of_log(0.5 * np.log(variance))
    return np.array([mean, PRIORS.root_mean.log_density(mean), variance, prior])


CHECKS = {name: partial(check_chains, name) for name in BLOCKS} | {
    "dispersions": check_dispersions,
    "root": check_root,
}
