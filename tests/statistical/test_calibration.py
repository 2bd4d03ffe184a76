"""The whole scan is calibrated: the truth's rank among draws given its data is uniform.

Simulation-based calibration (Talts et al. 2018) wants independent draws, and no finite chain has
them. It is made exact after Gandy and Scott (2020): the truth, itself a draw from the posterior, is
placed at a random step of the chain. Steps after it are scans; steps before it are scans undone,
which is every block once in the opposite order, for each block is reversible by itself. Then the
rank is uniform however slowly the chain mixes.

The sampler learns its masses, Gaussians and steps in a warm-up that starts elsewhere and never
sees the truth; after it they are frozen.
"""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from calibration import (
    PRIORS,
    assert_uniform,
    copied,
    draw_elsewhere,
    draw_joint,
    rank_among,
)
from statistical.blocks import (
    document_log_likelihoods,
    log_probability_of_a_label,
    word_log_likelihoods,
)

from frex.model.priors import Normal
from frex.model.reductions import Reduced
from frex.sampler.blocks.root import draw_root
from frex.sampler.kernels import groups
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock

pytestmark = pytest.mark.statistical

N_DOCUMENTS, N_WORDS = 12, 6
CONDITIONED = {"n_documents": 80, "conditioned": True}  # so many that seven without a label count
N_REPLICATES = 250
N_STEPS, THIN = 7, 2
WARMUP, REFRESH = 12, (0, 3, 7)
NAMES = ["psi", "log gamma", "eta a", "eta ba", "log lambda", "log nu", "log sigma2"]
NAMES += [
    "mu root",
    "mu ba",
    "log tau2",
    "affinities",
    "words",
    "documents",
    "log prior",
    "any label",
]


def quantities(sampler, state):
    hyper = state.hyper
    return np.array(
        [
            hyper.root_mean,
            np.log(hyper.root_variance),
            hyper.affinity_mean[0],
            hyper.affinity_mean[-1],
            np.log(hyper.affinity_variance),
            np.log(hyper.dispersion_df),
            np.log(hyper.dispersion_scale),
            state.log_rates[0, 0],
            state.log_rates[0, -1],
            np.log(state.dispersions).sum(),
            np.tanh(state.affinities).sum(),
            word_log_likelihoods(sampler, state).sum(),
            document_log_likelihoods(sampler, state).sum(),
            PRIORS.log_density(hyper),
            log_probability_of_a_label(hyper),
        ]
    )


def warmed_up(reduced, curvature, seed, rng):
    """Return a sampler that has learned from the data and froze."""
    sampler, state = Sampler(reduced, PRIORS, curvature=curvature), draw_elsewhere(reduced, rng)
    for i in range(WARMUP):
        report = sampler.scan(state, Clock(seed, 2, i), refresh=i in REFRESH)
        for block, acceptance in report.items.items():
            sampler.steps[block].learn(acceptance, late=i > WARMUP // 2)
    for step in sampler.steps.values():
        step.freeze()
    return sampler


def unscan(sampler, state, clock):
    """Undo a scan: the blocks in the opposite order.

    The dispersions are integrated out where nu and sigma2 are drawn, so they are drawn after those
    in this direction too.
    """
    undo_root(state, clock)
    context = sampler.context(state)
    backwards = ("affinity_interweaving", "affinity_hyper", "affinities")
    backwards += ("dispersion_interweaving", "dispersion_hyper", "dispersions", "rates")
    for name in backwards:
        sampler.blocks[name].update(context, clock)


def undo_root(state, clock):
    """Draw gamma2, then psi: a prior that says where psi is leaves only gamma2 to draw."""
    root, hyper = state.log_rates[:, 0], state.hyper
    known = replace(PRIORS, root_mean=Normal(hyper.root_mean, 1e-9))
    variance = draw_root(hyper, root, known, clock).root_variance
    hyper = hyper._replace(root_variance=variance)
    mean = draw_root(hyper, root, PRIORS, replace(clock, chain=3)).root_mean
    state.hyper = hyper._replace(root_mean=mean)


def scan_ranks(curvature, n_replicates, seed, *, n_documents=N_DOCUMENTS, conditioned=False):
    """Return the ranks of the truth, quantities x replicates."""
    rng = np.random.default_rng(seed)
    ranks = []
    for replicate in range(n_replicates):
        reduced, truth = draw_joint(rng, n_documents, N_WORDS, conditioned=conditioned)
        sampler = warmed_up(reduced, curvature, seed + replicate, rng)
        n_back, chain = int(rng.integers(0, N_STEPS + 1)), []
        ways = (sampler.scan, N_STEPS - n_back), (partial(unscan, sampler), n_back)
        for direction, (move, n_steps) in enumerate(ways):
            state = copied(truth)
            for i in range(n_steps * THIN):
                # back from the truth comes first what was done last: the other turn
                move(state, Clock(seed + replicate, direction, i + direction))
                if i % THIN == THIN - 1:
                    chain.append(quantities(sampler, state))
        ranks.append(rank_among(quantities(sampler, truth), np.array(chain), rng))
    return np.array(ranks).T


# Of two curvatures, conditioned on labels or not, test_geweke.py has the other two pairs


def test_the_dense_scan_is_calibrated(one_thread):
    assert_uniform(scan_ranks("dense", N_REPLICATES, 1), N_STEPS, NAMES)


def test_the_scan_is_calibrated_where_each_document_has_a_label(one_thread):
    assert_uniform(scan_ranks("tree", N_REPLICATES, 1, **CONDITIONED), N_STEPS, NAMES)


def test_calibration_finds_documents_that_are_not_conditioned(monkeypatch, one_thread):
    monkeypatch.setattr(Reduced, "n_conditioned", 0)
    with pytest.raises(AssertionError, match="ranks are not uniform"):
        for n_replicates in (N_REPLICATES // 3, N_REPLICATES):
            assert_uniform(scan_ranks("tree", n_replicates, 1, **CONDITIONED), N_STEPS, NAMES)


def test_calibration_finds_wrong_degrees_of_freedom(monkeypatch, one_thread):
    original = groups.draw_dispersions
    monkeypatch.setattr(
        groups, "draw_dispersions", lambda squares, n, *rest: original(squares, n - 1, *rest)
    )
    with pytest.raises(AssertionError, match="ranks are not uniform"):
        assert_uniform(scan_ranks("dense", N_REPLICATES, 1), N_STEPS, NAMES)
