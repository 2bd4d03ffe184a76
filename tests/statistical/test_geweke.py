"""The whole scan keeps the joint distribution: Geweke's (2004) test.

A chain goes over parameters and data alike: a scan given the data, then new data given the
parameters. If the scan keeps the posterior, what the chain says of the parameters is the prior.
Every parameter watched is carried to a uniform by its distribution function under the prior; the
chain's means of it and of its square about 1/2 are held against 1/2 and 1/12, with the error that
the chain's own batches show.

The data change at every step, so the masses are found once, for one corpus and at one state, and
never again: any fixed masses leave the distribution as it is.
"""

from functools import cache

import numpy as np
import pytest
from calibration import FALSE_ALARM, PRIORS, TREE, draw_documents, draw_elsewhere, draw_joint
from scipy import stats
from scipy.special import ndtr

from frex.model.dispersions import group_of_topic
from frex.model.priors import Normal
from frex.model.reductions import Reduced
from frex.sampler.blocks import affinity_interweaving
from frex.sampler.formulas.interweaving_documents import DocumentGaussians
from frex.sampler.kernels import groups
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock

pytestmark = pytest.mark.statistical

N_DOCUMENTS, N_WORDS = 10, 5
CONDITIONED = {"n_documents": 20, "conditioned": True}  # so that two without a label count
N_STEPS, N_BATCHES = 6000, 40
HYPER = ["psi", "eta a", "eta b", "eta aa", "eta ba", "mean of eta", "log nu", "log sigma2"]
HYPER += ["gamma", "lambda"]
WORDS = ["mu root", "mu a", "mu ba", "|mu a - mu root|", "|mu ba - mu b|", "tau2 root", "tau2 b"]
WORDS += ["|mu a - mu root| / tau", "|mu ba - mu b| / tau", "tau2 root / sigma2", "tau2 b / sigma2"]


def of_words(log_rates, dispersions, sigma2):
    """Return what is watched of the words, quantities x words."""
    away = abs(log_rates[:, [1, -1]] - log_rates[:, TREE.parents[[1, -1]]])
    tau2 = dispersions[:, [0, -1]]
    columns = [log_rates[:, [0, 1, -1]], away, tau2, away / np.sqrt(tau2), tau2 / sigma2]
    return np.hstack(columns).T


@cache
def prior_words(n_draws=200_000):
    """Return the same for words from the prior, each with its own hyperparameters, sorted.

    Written without the package's simulator. So many draws have no error beside a chain's.
    """
    rng = np.random.default_rng(1)
    psi = PRIORS.root_mean.sample(rng, n_draws)
    gamma = abs(rng.normal(0, PRIORS.root_sd.scale, n_draws))
    nu = np.exp(PRIORS.log_dispersion_df.sample(rng, n_draws))[:, None]
    sigma2 = np.exp(PRIORS.log_dispersion_scale.sample(rng, n_draws))[:, None]
    groups = group_of_topic(TREE)
    dispersions = nu * sigma2 / rng.chisquare(nu, (n_draws, groups.max() + 1))
    log_rates = np.empty((n_draws, TREE.n_nodes))
    log_rates[:, 0] = rng.normal(psi, gamma)
    for node in range(1, TREE.n_nodes):
        sd = np.sqrt(dispersions[:, groups[node - 1]])
        log_rates[:, node] = rng.normal(log_rates[:, TREE.parents[node]], sd)
    return np.sort(of_words(log_rates, dispersions, sigma2), axis=1)


def uniforms(state, reference):
    """Carry what is watched to uniforms: the hyperparameters, then two words."""
    hyper, eta = state.hyper, PRIORS.affinity_mean
    of_mean = Normal(eta.location, eta.scale / np.sqrt(TREE.n_topics))
    normals = [
        (PRIORS.root_mean, hyper.root_mean),
        *((eta, value) for value in hyper.affinity_mean[[0, 1, 2, 4]]),
        (of_mean, hyper.affinity_mean.mean()),
        (PRIORS.log_dispersion_df, np.log(hyper.dispersion_df)),
        (PRIORS.log_dispersion_scale, np.log(hyper.dispersion_scale)),
    ]
    halves = [
        (PRIORS.root_sd, hyper.root_variance),
        (PRIORS.affinity_sd, hyper.affinity_variance),
    ]
    words = of_words(state.log_rates[:2], state.dispersions[:2], hyper.dispersion_scale)
    placed = [np.searchsorted(row, own) for row, own in zip(reference, words, strict=True)]
    return np.concatenate(
        [
            [ndtr((value - prior.location) / prior.scale) for prior, value in normals],
            [2 * ndtr(np.sqrt(value) / prior.scale) - 1 for prior, value in halves],
            np.ravel(placed) / reference.shape[1],
        ]
    )


def with_masses(sampler, like):
    """Give a sampler the masses of another, which has other documents."""
    sampler.words.curvature, sampler.words.gaussians = like.words.curvature, like.words.gaussians
    labels = np.diff(sampler.engine.labels.label_starts)
    blocks = [0.5 * np.eye(m).ravel() for m in labels]
    sampler.documents.curvature = np.concatenate([np.empty(0), *blocks])
    sampler.documents.gaussians = DocumentGaussians(
        np.concatenate([np.empty(0), *(np.eye(m).ravel() for m in labels)]),
        np.full(labels.sum(), 0.5),
        np.full(labels.sum(), 0.3),
    )
    for name, block in sampler.blocks.items():
        if hasattr(block, "lower"):
            block.lower = like.blocks[name].lower
    return sampler


def joint_chain(curvature, n_steps, seed, *, n_documents, conditioned):
    """Return the uniforms along the chain, steps x quantities."""
    rng = np.random.default_rng(seed)
    reduced, state = draw_joint(rng, n_documents, N_WORDS, conditioned=conditioned)
    like = Sampler(reduced, PRIORS, curvature=curvature)
    elsewhere = draw_elsewhere(reduced, rng)
    for i in range(3):
        like.scan(elsewhere, Clock(seed, 1, i), refresh=True)
    reference, path = prior_words(), []
    for i in range(n_steps):
        sampler = with_masses(Sampler(reduced, PRIORS, curvature=curvature), like)
        sampler.scan(state, Clock(seed, 0, i))
        path.append(uniforms(state, reference))
        reduced, state = draw_documents(state, n_documents, rng, conditioned=conditioned)
    return np.array(path)


def check_joint(curvature, n_steps=N_STEPS, seed=1, *, n_documents=N_DOCUMENTS, conditioned=False):
    """Raise AssertionError unless the chain's means are the prior's."""
    path = joint_chain(curvature, n_steps, seed, n_documents=n_documents, conditioned=conditioned)
    values = np.hstack([path - 0.5, (path - 0.5) ** 2 - 1 / 12])
    batches = values.reshape(N_BATCHES, -1, values.shape[1]).mean(axis=1)
    z = batches.mean(axis=0) / (batches.std(axis=0, ddof=1) / np.sqrt(N_BATCHES))
    p = 2 * stats.t.sf(abs(z), N_BATCHES - 1)
    names = [*HYPER, *(f"{name} {word}" for name in WORDS for word in (1, 2))]
    found = dict(zip([*names, *(f"spread of {name}" for name in names)], p, strict=True))
    worst = sorted(found.items(), key=lambda item: item[1])[:5]
    assert p.min() * len(p) > FALSE_ALARM, f"not the prior's means: {worst}"


# Of two curvatures, conditioned on labels or not, test_calibration.py has the other two pairs


def test_the_scan_keeps_the_joint_distribution(one_thread):
    check_joint("tree")


def test_the_dense_scan_keeps_the_joint_distribution_where_each_document_has_a_label(one_thread):
    check_joint("dense", **CONDITIONED)


def test_the_joint_test_finds_documents_that_are_not_conditioned(monkeypatch, one_thread):
    monkeypatch.setattr(Reduced, "n_conditioned", 0)
    with pytest.raises(AssertionError, match=r"not the prior's means.*eta"):
        for n_steps in (N_STEPS // 3, N_STEPS):
            check_joint("dense", n_steps, **CONDITIONED)


# Other faults, each found in a third of the steps


def no_jacobian_of_log_lambda(monkeypatch):
    original = affinity_interweaving.affinity_prior

    def fault(priors, position, **options):
        value, gradient = original(priors, position, **options)
        gradient[-1] -= 1
        return value - position[-1], gradient

    monkeypatch.setattr(affinity_interweaving, "affinity_prior", fault)


def wrong_degrees_of_freedom(monkeypatch):
    original = groups.draw_dispersions
    monkeypatch.setattr(
        groups, "draw_dispersions", lambda squares, n, *rest: original(squares, n - 1, *rest)
    )


def dispersions_before_their_hyperparameters(monkeypatch):
    """Draw dispersions first, then nu and sigma2 without them: a collapsed draw out of order."""
    original, before = groups.draw_dispersions, []

    def fault(squares, n_children, df, scale, *rest):
        before.append((df, scale))
        original(squares, n_children, *before[-2:][0], *rest)

    monkeypatch.setattr(groups, "draw_dispersions", fault)


FAULTS = [
    no_jacobian_of_log_lambda,
    wrong_degrees_of_freedom,
    dispersions_before_their_hyperparameters,
]


@pytest.mark.parametrize("fault", FAULTS)
def test_the_joint_test_finds_the_fault(fault, monkeypatch, one_thread):
    fault(monkeypatch)
    with pytest.raises(AssertionError, match="not the prior's means"):
        check_joint("tree", N_STEPS // 3)
