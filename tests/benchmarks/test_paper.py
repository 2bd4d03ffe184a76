"""The contestant is a sampler of the same posterior, and as good as its scheme allows."""

from importlib import import_module

import numpy as np
import pytest
from arviz_stats.base import array_stats
from problems import PRIORS
from scipy import integrate, stats
from scipy.special import expit

from frex.model import Hyperparameters, branching_tree, simulate
from frex.model.reductions import reduce
from frex.sampler.blocks.coordinates import affinity_position
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock

N_DOCUMENTS, N_WORDS, N_WARMUP, N_DRAWS = 40, 6, 300, 4000
TREE = branching_tree((3,))


@pytest.fixture(scope="module")
def reduced():
    hyper = Hyperparameters(
        root_mean=0.5,
        root_variance=0.5,
        affinity_mean=np.array([-1.5, -0.5, -1.0]),
        affinity_variance=2.0,
        dispersion_df=8.0,
        dispersion_scale=0.3,
    )
    corpus = simulate(TREE, N_DOCUMENTS, N_WORDS, hyper=hyper, seed=5).corpus
    return reduce(corpus, conditioned=False)


def warm(sampler):
    chains = import_module("chains")
    state = chains.ready_to_scan(sampler)
    chains.warm_up(sampler, state, N_WARMUP)
    return state


@pytest.fixture(scope="module")
def ours(reduced):
    """Draws of (eta, log lambda) by our chain, with the paper's steps from them."""
    sampler = Sampler(reduced, PRIORS)
    return import_module("imputed").draw(sampler, warm(sampler), N_WARMUP, N_DRAWS, 1)


@pytest.fixture(scope="module")
def theirs(reduced):
    """Draws by the paper's chain."""
    sampler = import_module("paper").PaperSampler(reduced, PRIORS)
    drawn = import_module("chains").draws(sampler, warm(sampler), N_WARMUP, N_DRAWS)
    return np.array([affinity_position(state.hyper) for state in drawn])


def test_the_papers_scheme_has_the_posterior_of_ours(ours, theirs):
    for moment in (1, 2):
        x, y = ours.positions**moment, theirs**moment
        errors = [np.array([array_stats.mcse(one[None]) for one in z.T]) for z in (x, y)]
        z = (x.mean(axis=0) - y.mean(axis=0)) / np.hypot(*errors)
        assert np.abs(z).max() < 4.5, z


def test_its_effective_draws_are_below_the_bound(ours, theirs):
    # of eta: a test is too short for lambda, which has some ten effective draws in it
    bound = ours.bound()[:-1]
    found = (import_module("chains").effective(theirs[None]) / len(theirs))[:-1]
    assert (found < 1.3 * bound).all(), (found, bound)
    assert (found > 0.2 * bound).all(), "the bound says next to nothing"


@pytest.mark.parametrize(
    ("mean", "sd", "sign"), [(-4.0, 2.0, 1), (-4.0, 2.0, -1), (1.0, 3.0, 1), (3.0, 1.0, -1)]
)
def test_unseen_affinities_are_drawn_from_their_conditional(mean, sd, sign):
    paper, n = import_module("paper"), 20_000
    counts = np.array([n])
    nothing = np.zeros(1)
    statistics = import_module("frex.model.hyperparameters").AffinityStatistics(
        counts if sign < 0 else counts * 0, counts if sign > 0 else counts * 0, *[nothing] * 3
    )
    hyper = Hyperparameters(0.0, 1.0, np.array([mean]), sd**2, 5.0, 0.5)
    average, squares = paper.ImputedHyper(PRIORS).moments(hyper, statistics, Clock(3, 0, 0))

    def moment(power):
        def integrand(x):
            return x**power * expit(sign * x) * stats.norm.pdf(x, mean, sd)

        return integrate.quad(integrand, mean - 12 * sd, mean + 12 * sd)[0]

    expected = moment(1) / moment(0)
    variance = moment(2) / moment(0) - expected**2
    assert abs(average[0] - expected) < 4 * np.sqrt(variance / n)
    assert abs(squares[0] / n / variance - 1) < 0.06
