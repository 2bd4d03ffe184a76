"""Joint draws of parameters and data, and tests of ranks: what calibration of the sampler needs.

If parameters and data come from the joint distribution, the parameters are a draw from their
posterior, and a transition that keeps the posterior leaves them one. Every test of calibration is
a consequence of that, exact for any size of data: so the data are tiny.
"""

from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.sparse import csr_array

from frex.corpus import Corpus
from frex.model import process
from frex.model.generate import simulate
from frex.model.priors import HalfNormal, Normal, WeakPriors
from frex.model.reductions import reduce
from frex.sampler.state import State
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])

# tight enough that no simulated corpus is enormous; each prior differs from the others, and none
# is so tight that the data could not be heard beside it
PRIORS = WeakPriors(
    root_mean=Normal(0.4, 0.6),
    root_sd=HalfNormal(0.8),
    affinity_mean=Normal(-0.5, 0.8),
    affinity_sd=HalfNormal(1.6),
    log_dispersion_df=Normal(2.2, 0.4),
    log_dispersion_scale=Normal(-1.2, 0.5),
)

FALSE_ALARM = 1e-4
"""How likely a test is to fail when nothing is wrong, over the choice of its seed."""


def exposures(n_documents):
    return np.linspace(0.5, 1.5, n_documents)


class Drawn(NamedTuple):
    """Data, and the parameters they were drawn with as the state of a chain."""

    reduced: object
    state: State


def draw_joint(rng, n_documents, n_words, *, conditioned=False):
    """Draw hyperparameters, words, documents and data.

    Conditioned, the documents are drawn given that each has a label, as the model takes them.
    """
    corpus, truth = simulate(
        TREE,
        n_documents,
        n_words,
        priors=PRIORS,
        exposures=exposures(n_documents),
        unlabelled="redraw" if conditioned else "keep",
        seed=rng,
    )
    reduced = reduce(corpus, conditioned=conditioned)
    several = reduced.documents
    return Drawn(
        reduced,
        State(
            truth.log_rates,
            truth.dispersions,
            truth.affinities[several].data,
            truth.memberships[several].data,
            truth.hyper,
        ),
    )


def draw_documents(state, n_documents, rng, *, conditioned=False):
    """Draw affinities, labels and counts anew, given the words' and hyperparameters' half.

    All affinities are drawn, jointly with labels and counts; the state keeps those that the
    sampler keeps. So it is one draw of (affinities, data) given the rest, although the sampler
    has integrated some of them out.
    """
    drawn = process.draw_labelled(state.hyper, n_documents, rng, redraw=conditioned)
    active = process.active_affinities(*drawn)
    theta = process.memberships(active)
    lengths = exposures(n_documents)
    counts = process.draw_counts(np.exp(state.log_rates[:, 1:]), theta, lengths, rng)
    ones = np.ones(active.nnz, dtype=np.uint8)
    labels = csr_array((ones, active.indices, active.indptr), shape=active.shape)
    words, ids = range(counts.shape[1]), range(n_documents)  # nobody asks for their names
    corpus = Corpus(counts, labels, words, ids, TREE, given_exposures=lengths)
    reduced = reduce(corpus, conditioned=conditioned)
    several = reduced.documents
    return Drawn(
        reduced,
        State(
            state.log_rates,
            state.dispersions,
            active[several].data,
            theta[several].data,
            state.hyper,
        ),
    )


def draw_elsewhere(reduced, rng):
    """Draw a state from the prior, which has seen nothing of the data but the labels' places.

    What is found from it and the data, a mass above all, is independent of the true parameters
    given the data. Found at the truth it would make a right sampler look wrong.
    """
    hyper = PRIORS.sample(rng, TREE.n_topics)
    n_words = reduced.counts.shape[1]
    dispersions = process.draw_dispersions(TREE, hyper, n_words, rng)
    root = process.draw_root_log_rates(hyper, n_words, rng)
    labels = reduced.labels
    prior = hyper.affinity_mean[labels.indices] + np.sqrt(hyper.affinity_variance) * (
        rng.standard_normal(labels.nnz)
    )
    active = csr_array((prior, labels.indices, labels.indptr), shape=labels.shape)
    return State(
        process.draw_log_rates(TREE, root, dispersions, rng),
        dispersions,
        active.data,
        process.memberships(active).data,
        hyper,
    )


def copied(state):
    """Return a state whose arrays are its own."""
    return State(
        state.log_rates.copy(),
        state.dispersions.copy(),
        state.affinities.copy(),
        state.memberships.copy(),
        state.hyper,
    )


def rank_among(value, others, rng):
    """Return the rank of each value among others (along the first axis), ties broken by lot.

    A rejected move leaves a value that is equal to the one before.
    """
    ties = (others == value).sum(axis=0)
    return (others < value).sum(axis=0) + rng.integers(0, ties + 1)


def uniformity(ranks, n_others):
    """Return the p-value of Neyman's smooth test that ranks 0 .. n_others are equally likely.

    Its statistic is the sum of squared means of the first three orthonormal polynomials: what a
    posterior too high or low, too wide or narrow, or lopsided would show.
    """
    grid = np.linspace(-1, 1, n_others + 1)
    basis = np.linalg.qr(np.vander(grid, 4, increasing=True))[0][:, 1:] * np.sqrt(len(grid))
    means = basis[ranks.ravel()].mean(axis=0)
    return float(stats.chi2.sf(ranks.size * (means**2).sum(), basis.shape[1]))


def assert_uniform(ranks, n_others, names):
    """Assert that the ranks of every test quantity are uniform; they are quantities x draws."""
    values = np.array([uniformity(row, n_others) for row in ranks])
    worst = int(values.argmin())
    found = ", ".join(f"{name} {p:.2g}" for name, p in zip(names, values, strict=True))
    assert values[worst] * len(values) > FALSE_ALARM, f"ranks are not uniform: {found}"
