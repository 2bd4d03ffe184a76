"""Small fits made by hand, for the tests of what is done with one."""

from dataclasses import replace

import numpy as np
from scipy import sparse
from scipy.signal import lfilter
from scipy.special import expit

from frex.posterior import Moment, Posterior, Scored, Typical
from frex.tree import TopicTree

TREE = TopicTree(["art", "sport", "golf", "chess"], [None, None, "sport", "sport"])
WORDS = ("goal", "paint", "putt", "rook", "the")
LABELS = np.array([[1, 0, 0, 0], [0, 1, 0, 1], [1, 0, 1, 0], [0, 0, 1, 0], [0, 1, 1, 1]])


def hyper_draws(n_chains=2, n_draws=1000, seed=0):
    rng = np.random.default_rng(seed)
    shape = (n_chains, n_draws)
    return {
        "root_mean": rng.normal(-1.0, 0.1, shape),
        "root_variance": rng.gamma(50.0, 0.01, shape),
        "affinity_mean": rng.normal(-2.0, 0.5, (*shape, TREE.n_topics)),
        "affinity_variance": rng.gamma(20.0, 0.1, shape),
        "dispersion_df": rng.gamma(30.0, 0.1, shape),
        "dispersion_scale": rng.gamma(40.0, 0.01, shape),
    }


def make_fit(n_chains=2, n_draws=1000, seed=0, **changes):
    """Return the fit of four topics and five words whose chains are independent draws."""
    rng = np.random.default_rng(seed + 1)
    labels = sparse.csr_array(LABELS.astype(bool))

    def moment(*shape):
        return Moment(rng.normal(size=shape), rng.random(shape))

    def shares(*shape):
        mean, sd = moment(*shape)
        return Moment(expit(mean), sd)

    def chains(*shape):
        return rng.normal(size=(n_chains, n_draws, *shape))

    def scored():
        words = np.array([[0, 1, 4], [0, 3, 4], [1, 2, 4], [0, 3, 4]], np.int32)
        return Scored(words, rng.random((min(n_draws, 7), 4, 4, 3), np.float32))

    fit = Posterior(
        tree=TREE,
        words=WORDS,
        surface=("goals", "painting", "putts", "rook", "the"),
        ids=[f"d{number}" for number in range(len(LABELS))],
        labels=labels,
        mean_length=57.25,
        settings={
            "method": "sample", "warmup": 300, "draws": n_draws, "chains": n_chains, "seed": 0,
        },
        moments={
            "log_rates": moment(5, 5),
            "log_dispersions": moment(5, 2),
            "memberships": shares(labels.nnz),
        },
        exposures=np.array([1.5, 0.75, 2.0, 0.75]),
        exclusivity={"siblings": shares(5, 4), "golf, chess / é": shares(5, 4)},
        draws=hyper_draws(n_chains, n_draws, seed)
        | {"log_rates": chains(3), "memberships": chains(2)},
        stats={
            "acceptance_rates": np.full((n_chains, n_draws), 0.9),
            "step_size_rates": np.full((n_chains, n_draws), 0.3),
            "energy_error_rates": 0.1 * chains(),
            "acceptance_affinity_hyper": np.full((n_chains, n_draws), 0.8),
            "energy": chains(),
            "seconds": np.full((n_chains, n_draws), 0.25),
        },
        traced_rates=np.array([[0, 2], [2, 3], [4, 0]]),
        traced_memberships=np.array([[1, 3], [2, 0]]),
        scored={"siblings": scored(), "golf, chess / é": scored()},
        typical=Typical(
            starts=np.array([0, 2, 2, 3, 4]),
            documents=np.array([2, 0, 3, 1]),
            scores=np.array([1.5, 0.25, 0.5, 0.125]),
            words=np.full((4, 8), -1, np.int32),
        ),
    )  # fmt: skip
    return replace(fit, **changes)


def with_draws(shape=(2, 1000), **draws):
    """Return a fit in which some variables have other draws."""
    fit = make_fit(*shape)
    return replace(fit, draws=dict(fit.draws) | draws)


def make_map_fit():
    """Return a fit without draws; its hyperparameters are moments."""
    fit = make_fit(1, 4)
    hyper = {
        name: Moment(draws.mean(axis=(0, 1)), draws.std(axis=(0, 1)))
        for name, draws in hyper_draws().items()
    }
    return replace(
        fit,
        settings={"method": "map", "seed": 0},
        moments=dict(fit.moments) | hyper,
        draws={},
        stats={},
        traced_rates=np.empty((0, 2), np.int64),
        traced_memberships=np.empty((0, 2), np.int64),
    )


def make_siblings_fit():
    """Return a fit without draws, compared with siblings alone, of which a page can be made."""
    fit = make_map_fit()
    sets = {"exclusivity": fit.exclusivity, "scored": fit.scored}
    return replace(fit, **{name: {"siblings": had["siblings"]} for name, had in sets.items()})


def autoregressive(correlation, n_chains, n_draws, seed=0):
    """Return stationary chains x' = correlation x + noise of unit variance."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(size=(n_chains, n_draws)) * np.sqrt(1 - correlation**2)
    noise[:, 0] = rng.normal(size=n_chains)
    return lfilter([1.0], [1.0, -correlation], noise, axis=1)
