"""Without labels: every block keeps its conditional, and simulated topics are found again."""

import numpy as np
import pytest
from calibration import PRIORS, assert_uniform
from scipy.optimize import linear_sum_assignment
from statistical import blocks
from statistical.blocks import N_STEPS, SHARES, chain_ranks, document_log_likelihoods
from unlabelled import N_TOPICS, draw_unlabelled, draw_unlabelled_elsewhere

from frex import PCM
from frex.corpus import Corpus
from frex.model import Hyperparameters
from frex.sampler.blocks.coordinates import Contrasts
from frex.sampler.engines.cpu.contrasts import CpuContrasts

pytestmark = pytest.mark.statistical


class Rates(blocks.Rates):
    """Items are words."""

    n_documents, n_words, n_replicates = 12, 40, 80
    names = ("mu root", *(f"mu {k + 1}" for k in range(N_TOPICS)), "log likelihood")


class Affinities(blocks.Affinities):
    """Items are documents."""

    n_documents, n_words, n_replicates = 60, 12, 120


def hyper_quantities(state):
    eta, log_sd = state.hyper.affinity_mean, 0.5 * np.log(state.hyper.affinity_variance)
    return [[eta[0]], [eta[-1]], [log_sd], [PRIORS.log_density(state.hyper)]]


class AffinityHyper:
    n_documents, n_words, n_replicates = 3, 2, 600
    names = ("eta 1", "eta 4", "log lambda", "log prior", "distance")

    def prepare(self, sampler, state, elsewhere):
        statistics = sampler.context(state).statistics()
        sampler.blocks["affinity_hyper"].fit_mode(elsewhere.hyper, statistics)

    def move(self, sampler, state, clock):
        sampler.blocks["affinity_hyper"].update(sampler.context(state), clock)

    def quantities(self, sampler, state):  # noqa: ARG002 - what all blocks have
        away = state.affinities.reshape(self.n_documents, -1) - state.hyper.affinity_mean
        distance = (away**2).sum() / state.hyper.affinity_variance
        return np.array([*hyper_quantities(state), [distance]])


class AffinityInterweavingMove(blocks.AffinityInterweavingMove):
    n_documents, n_words, n_replicates = 8, 6, 600
    names = ("eta 1", "eta 4", "log lambda", "log prior", "affinities", "log likelihood")

    def quantities(self, sampler, state):
        likelihood = document_log_likelihoods(sampler, state).sum()
        total = np.tanh(state.affinities).sum()
        return np.array([*hyper_quantities(state), [total], [likelihood]])


BLOCKS = {
    "rates": Rates("tree"),
    "affinities": Affinities(),
    "affinity hyper": AffinityHyper(),
    "affinity interweaving": AffinityInterweavingMove(),
}


def check(name, share=1.0):
    """Raise AssertionError unless the block of that name keeps its conditional."""
    block = BLOCKS[name]
    ranks = chain_ranks(block, 1, draw_unlabelled, draw_unlabelled_elsewhere, share=share)
    assert_uniform(ranks, N_STEPS, block.names)


@pytest.mark.parametrize("name", BLOCKS)
def test_the_block_keeps_its_conditional(name, one_thread):
    check(name)


def no_expected_counts(monkeypatch):
    original = CpuContrasts.set_rates
    monkeypatch.setattr(
        CpuContrasts,
        "set_rates",
        lambda documents, rates, sums: original(documents, rates, 0 * sums),
    )


def the_level_counts(monkeypatch):
    """K D affinities for the (K - 1) D that there are."""
    original = Contrasts.statistics

    def fault(coordinates, *rest):
        found = original(coordinates, *rest)
        n_active = found.n_active * N_TOPICS // coordinates.n + 1
        return found._replace(n_active=n_active)

    monkeypatch.setattr(Contrasts, "statistics", fault)


def levels_not_drawn(monkeypatch):
    original = CpuContrasts.standardise
    monkeypatch.setattr(
        CpuContrasts, "standardise", lambda documents, state, _: original(documents, state, None)
    )


FAULTS = {
    "affinities": no_expected_counts,
    "affinity hyper": the_level_counts,
    "affinity interweaving": levels_not_drawn,
}


@pytest.mark.parametrize("name", FAULTS)
def test_the_check_finds_the_fault(name, monkeypatch, one_thread):
    FAULTS[name](monkeypatch)
    with pytest.raises(AssertionError, match="ranks are not uniform"):
        for share in SHARES:
            check(name, share)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_simulated_topics_are_found_again():
    hyper = Hyperparameters(-1.5, 1.0, np.linspace(-0.5, 0.5, 8), 2.0, 10.0, 1.0)
    reduced, truth = draw_unlabelled(np.random.default_rng(5), 600, 400, 8, hyper)
    corpus = Corpus.from_matrices(reduced.counts, exposures=reduced.exposures, empty="keep")
    model = PCM(n_topics=8, warmup=100, draws=100, random_state=1).fit(corpus)
    rates = np.exp(truth.log_rates[:, 1:]).T
    alike = np.corrcoef(rates, model.components_)[:8, 8:]
    pairs = linear_sum_assignment(-alike)
    assert alike[pairs].min() > 0.95
    found = model.posterior_.membership_matrix().toarray()[:, pairs[1]]
    assert np.corrcoef(found.ravel(), truth.memberships)[0, 1] > 0.95
