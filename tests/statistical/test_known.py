"""With topics of which a fit is the prior: every changed block keeps its conditional, and the scan
the posterior."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from calibration import assert_uniform, copied, rank_among
from statistical import blocks
from statistical.blocks import (
    N_STEPS,
    SHARES,
    chain_ranks,
    document_log_likelihoods,
    word_log_likelihoods,
)
from unlabelled import N_TOPICS, PRIORS_OF_DRIFTS, draw_known, draw_known_elsewhere

from frex.model.known import deviation_squares, drift_log_density, level_conditional
from frex.model.priors import Normal
from frex.sampler.engines.cpu.words import CpuWords
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock

pytestmark = pytest.mark.statistical

PRIORS = PRIORS_OF_DRIFTS


class Rates(blocks.Rates):
    """Items are words, known to the fit or not."""

    n_documents, n_words, n_replicates = 12, 40, 80
    names = ("x root", *(f"x {k + 1}" for k in range(N_TOPICS)), "log likelihood")


class DispersionInterweavingMove(blocks.DispersionInterweavingMove):
    n_replicates = 300
    names = ("log nu", "log sigma2", "deviations", "dispersions", "log likelihood", "roots")

    def quantities(self, sampler, state):
        found = super().quantities(sampler, state)
        found[-1] = np.tanh(state.log_rates[:, 0]).sum()
        return found


class Drifts:
    n_documents, n_words, n_replicates = 1, 12, 400
    names = ("log sd 1", "log sd 2", "log density", "log prior")

    def prepare(self, sampler, state, elsewhere):
        sampler.blocks["drifts"].fit_mode(replace(state, hyper=elsewhere.hyper))

    def move(self, sampler, state, clock):
        sampler.blocks["drifts"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        z, known, hyper = 0.5 * np.log(state.hyper.drift_variance), sampler.known, state.hyper
        squares = deviation_squares(known, state.log_rates, hyper.root_mean)[:, 1:]
        density = drift_log_density(z, squares, known.spreads[:, 1:], PRIORS.drift_sd)
        prior = PRIORS.drift_sd.log_density_of_log(z).sum()
        return np.array([[z[0]], [z[1]], [density], [prior]])


def level_given(sampler, state):
    """Return mean and standard deviation of psi, the roots integrated out."""
    means, variances = sampler.words.about_root(state)
    variances = variances + sampler.known.spreads[:, 0] + state.hyper.root_variance
    mean, variance = level_conditional(means, variances, PRIORS.drift_level)
    return mean, np.sqrt(variance)


class RootDrift:
    """A level that is drawn first makes the chain of gamma2 reversible; levels and roots follow it.

    The roots are drawn from what the block has drawn, and are independent given that.
    """

    n_documents, n_words, n_replicates = 1, 12, 400
    names = ("psi", "log gamma", "roots", "squares", "log prior")

    def prepare(self, sampler, state, elsewhere):
        away = replace(state, hyper=state.hyper._replace(root_mean=elsewhere.hyper.root_mean))
        sampler.blocks["root_drift"].fit_mode(away)

    def move(self, sampler, state, clock):
        mean, sd = level_given(sampler, state)
        noise = np.random.default_rng((clock.seed, clock.chain, clock.scan)).standard_normal()
        state.hyper = state.hyper._replace(root_mean=mean + sd * noise)
        sampler.blocks["root_drift"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        hyper = state.hyper
        z, root = 0.5 * np.log(hyper.root_variance), state.log_rates[:, 0]
        variances = sampler.known.spreads[:, 0] + hyper.root_variance
        squares = ((root - hyper.root_mean) ** 2 / variances).sum()
        prior = PRIORS.drift_sd.log_density_of_log(z)
        return np.array([[hyper.root_mean], [z], [np.tanh(root).sum()], [squares], [prior]])


BLOCKS = {
    "rates, tree": Rates("tree"),
    "rates, dense": Rates("dense"),
    "dispersion interweaving": DispersionInterweavingMove(),
    "drifts": Drifts(),
    "root drift": RootDrift(),
}


def check(name, share=1.0):
    """Raise AssertionError unless the block of that name keeps its conditional."""
    block = BLOCKS[name]
    ranks = chain_ranks(block, 1, draw_known, draw_known_elsewhere, priors=PRIORS, share=share)
    assert_uniform(ranks, N_STEPS, block.names)


@pytest.mark.parametrize("name", BLOCKS)
def test_the_block_keeps_its_conditional(name, one_thread):
    check(name)


# Faults


def known_means_are_forgotten(monkeypatch):
    """The words' likelihood is that of other offsets."""
    original = CpuWords.__init__

    def fault(words, engine, curvature):
        original(words, engine, curvature)
        words._data = words._data._replace(factors=np.ones_like(words._data.factors))

    monkeypatch.setattr(CpuWords, "__init__", fault)


def the_fit_knows_all(monkeypatch):
    """What the fit did not know is left out of variances about known means."""
    original = CpuWords._fixed_variances
    monkeypatch.setattr(
        CpuWords, "_fixed_variances", lambda words, state: 0.3 * original(words, state)
    )


def spreads_twice(monkeypatch):
    original = CpuWords.drift_sums
    monkeypatch.setattr(
        CpuWords, "drift_sums", lambda words, state, drifts: original(words, state, 1.5 * drifts)
    )


def topics_are_exact(monkeypatch):
    """How little a topic says of the root is left out."""
    original = CpuWords.about_root

    def fault(words, state):
        means, variances = original(words, state)
        return means, 0.4 * variances

    monkeypatch.setattr(CpuWords, "about_root", fault)


def known_topics_are_children(monkeypatch):
    """The dispersions' groups have known topics among them, in the words that move along."""
    original = CpuWords.log_density

    def fault(words, state, terms, **known):
        found = original(words, state, terms, **known).copy()
        n_words = len(state.log_rates)
        found[0] -= 0.5 * n_words * terms.log_scale
        found[1:] -= 0.5 * n_words
        return found

    monkeypatch.setattr(CpuWords, "log_density", fault)


FAULTS = {
    "rates, tree": known_means_are_forgotten,
    "rates, dense": the_fit_knows_all,
    "dispersion interweaving": known_topics_are_children,
    "drifts": spreads_twice,
    "root drift": topics_are_exact,
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_check_finds_the_fault(name, monkeypatch, one_thread):
    FAULTS[name](monkeypatch)
    with pytest.raises(AssertionError, match="ranks are not uniform"):
        for share in SHARES:
            check(name, share)


# The whole scan, as in test_calibration.py

N_DOCUMENTS, N_WORDS, N_REPLICATES = 10, 6, 250
THIN, WARMUP, REFRESH = 2, 12, (0, 3, 7)
NAMES = ["psi", "log gamma", "log sd 1", "log sd 2", "eta 1", "eta 4", "log lambda", "log nu"]
NAMES += ["log sigma2", "x root", "x known", "x extra", "x unknown word", "log tau2", "affinities"]
NAMES += ["words", "documents"]


def quantities(sampler, state):
    hyper = state.hyper
    return np.array(
        [
            hyper.root_mean,
            0.5 * np.log(hyper.root_variance),
            *(0.5 * np.log(hyper.drift_variance)),
            hyper.affinity_mean[0],
            hyper.affinity_mean[-1],
            np.log(hyper.affinity_variance),
            np.log(hyper.dispersion_df),
            np.log(hyper.dispersion_scale),
            state.log_rates[0, 0],
            state.log_rates[0, 1],
            state.log_rates[0, -1],
            state.log_rates[2, 1],
            np.log(state.dispersions).sum(),
            np.tanh(state.affinities).sum(),
            word_log_likelihoods(sampler, state).sum(),
            document_log_likelihoods(sampler, state).sum(),
        ]
    )


def warmed_up(reduced, seed, rng):
    """Return a sampler that has learned from the data and froze."""
    sampler, state = Sampler(reduced, PRIORS), draw_known_elsewhere(reduced, rng)
    for i in range(WARMUP):
        report = sampler.scan(state, Clock(seed, 2, i), refresh=i in REFRESH)
        for block, acceptance in report.items.items():
            sampler.steps[block].learn(acceptance, late=i > WARMUP // 2)
    for step in sampler.steps.values():
        step.freeze()
    return sampler


def unscan(sampler, state, clock):
    """Undo a scan: the blocks in the opposite order, each but two the same in both directions."""
    context = sampler.context(state)
    backwards = ["affinity_interweaving", "affinity_hyper", "affinities", "drifts", "root_drift"]
    backwards += ["dispersion_interweaving", "dispersion_hyper", "dispersions", "rates"]
    for name in backwards:
        if name == "root_drift":
            undo_root(sampler, context, clock)
        else:
            sampler.blocks[name].update(context, clock)


def undo_root(sampler, context, clock):
    """Draw psi, then gamma2 and the roots: a prior that says where psi is leaves these to draw."""
    state, block = context.state, sampler.blocks["root_drift"]
    mean, sd = level_given(sampler, state)
    noise = np.random.default_rng((clock.seed, clock.chain, clock.scan)).standard_normal()
    level = mean + sd * noise
    state.hyper = state.hyper._replace(root_mean=level)
    block.priors = replace(PRIORS, drift_level=Normal(level, 1e-9))
    block.update(context, clock)
    block.priors = PRIORS


def scan_ranks(n_replicates, seed):
    """Return the ranks of the truth, quantities x replicates."""
    rng = np.random.default_rng(seed)
    ranks = []
    for replicate in range(n_replicates):
        reduced, truth = draw_known(rng, N_DOCUMENTS, N_WORDS)
        sampler = warmed_up(reduced, seed + replicate, rng)
        n_back, chain = int(rng.integers(0, N_STEPS + 1)), []
        ways = (sampler.scan, N_STEPS - n_back), (partial(unscan, sampler), n_back)
        for direction, (move, n_steps) in enumerate(ways):
            state = copied(truth)
            for i in range(n_steps * THIN):
                move(state, Clock(seed + replicate, direction, i + direction))
                if i % THIN == THIN - 1:
                    chain.append(quantities(sampler, state))
        ranks.append(rank_among(quantities(sampler, truth), np.array(chain), rng))
    return np.array(ranks).T


def test_the_scan_is_calibrated(one_thread):
    assert_uniform(scan_ranks(N_REPLICATES, 1), N_STEPS, NAMES)


def test_the_calibration_finds_a_fault(monkeypatch, one_thread):
    known_means_are_forgotten(monkeypatch)
    with pytest.raises(AssertionError, match="ranks are not uniform"):
        for share in SHARES:
            assert_uniform(scan_ranks(round(share * N_REPLICATES), 1), N_STEPS, NAMES)
