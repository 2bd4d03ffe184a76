"""Compare effective draws per second with NumPyro's NUTS on the same density.

A corpus drawn from the model: 500 documents, 300 words, 15 topics; one core each. NUTS is at its
best: dispersions, single-label documents and all affinities that no word can see are integrated out
by hand, as in frex; the mass of the hyperparameters is dense; it starts in the middle of the
posterior. Counted are the draws after the warm-up, the minimum over 200 log rates chosen at random
and over all hyperparameters. frex fits, each with a seed of its own, and stretches of NUTS' chain
take turns until NUTS has had its minutes. What it has by then is some ten effective draws of the
slowest quantities, so that its figure is an estimate, and rather too high than too low.

    python benchmarks/nuts.py [--docs 500] [--words 300] [--minutes 2] [--warmup 150] [--draws 1000]
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from chains import effective
from claims import Claim, run, spread
from corpora import describe

from frex.errors import MissingExtraError, require
from frex.model import StudentAboutLevel, WeakPriors, branching_tree, simulate
from frex.model.dispersions import group_of_topic, group_sizes
from frex.model.reductions import reduce
from frex.posterior import HYPERPARAMETERS
from frex.sampler.fit import fit
from frex.sampler.scan import Sampler
from frex.sampler.settings import Settings
from frex.sampler.start import find_map

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.model.reductions import Reduced
    from frex.posterior import Posterior
    from frex.sampler.run import Status

BRANCHING = (3, 4)
N_RATES = 200
STRETCH = 20
"""Draws of NUTS between two fits of frex."""

N_POINTS = 256
"""Of the quadrature over unseen affinities, from -12 to 12 standard deviations."""

CLAIMS = {
    "rates": Claim("effective draws per second / NumPyro's NUTS, worst of 200 log rates", bar=100),
    "hyper": Claim("effective draws per second / NumPyro's NUTS, worst hyperparameter", bar=100),
}


class Speed(NamedTuple):
    """Effective draws per second."""

    rates: NDArray[np.float64]  #: of every log rate
    hyper: NDArray[np.float64]  #: of every hyperparameter


def frex_speed(corpus: Corpus, seed: int, n_draws: int) -> tuple[Speed, Posterior]:
    """Fit, and return what a second of drawing was worth."""
    settings = Settings(draws=n_draws, seed=seed, traced_rates=N_RATES)
    warm = time.perf_counter()

    def note(status: Status) -> None:
        nonlocal warm
        if status.phase != "drawing":
            warm = time.perf_counter()

    posterior = fit(corpus, settings, threads=1, progress=note)
    seconds = time.perf_counter() - warm
    hyper = [
        np.asarray(posterior.draws[name]).reshape(posterior.n_chains, posterior.n_draws, -1)
        for name in HYPERPARAMETERS
    ]
    rates = np.asarray(posterior.draws["log_rates"])
    speed = Speed(effective(rates) / seconds, effective(np.concatenate(hyper, axis=2)) / seconds)
    return speed, posterior


def load_numpyro() -> Any:
    """Import the library, or say which extra brings it."""
    return require("numpyro", "dev", "this benchmark")


def collapsed(reduced: Reduced, priors: WeakPriors) -> Callable[[], None]:
    """Return the model with all integrated out that can be, for NumPyro."""
    import jax.numpy as jnp  # noqa: PLC0415 - not everyone has it
    from jax.nn import log_sigmoid, softmax  # noqa: PLC0415
    from jax.scipy.special import gammaln, logsumexp  # noqa: PLC0415

    numpyro = load_numpyro()
    dist = numpyro.distributions
    tree, counts = reduced.tree, reduced.counts.toarray().astype(np.float64)
    n_documents, n_words = counts.shape
    rows, topics = reduced.labels.tocoo().coords
    n_absent = reduced.n_documents - reduced.label_counts
    groups, sizes = group_of_topic(tree), group_sizes(tree)
    membership = np.eye(len(sizes))[groups]  # topics x groups
    grid = np.linspace(-12.0, 12.0, N_POINTS)
    log_weight = np.log(grid[1] - grid[0]) - 0.5 * grid**2 - 0.5 * np.log(2 * np.pi)
    anywhere = dist.ImproperUniform(dist.constraints.real, (), ())

    def sample(name: str, prior: Any) -> Any:
        normal = dist.Normal(prior.location, prior.scale) if hasattr(prior, "location") else None
        return numpyro.sample(name, normal or dist.HalfNormal(prior.scale))

    def model() -> None:
        psi, gamma = sample("psi", priors.root_mean), sample("gamma", priors.root_sd)
        prior = priors.affinity_mean
        assert isinstance(prior, StudentAboutLevel)
        spread = prior.scale * (prior.df / numpyro.sample("chi2", dist.Chi2(prior.df))) ** 0.5
        level = prior.location + prior.reach * spread * numpyro.sample("level", dist.Normal())
        with numpyro.plate("topics", tree.n_topics):
            eta = numpyro.sample("eta", dist.Normal(level, spread))
        lam = sample("lambda", priors.affinity_sd)
        log_nu = sample("log_nu", priors.log_dispersion_df)
        log_sigma2 = sample("log_sigma2", priors.log_dispersion_scale)

        mu = numpyro.sample("mu", anywhere.expand([n_words, tree.n_nodes]))
        numpyro.factor("root", dist.Normal(psi, gamma).log_prob(mu[:, 0]).sum())
        squares = (mu[:, 1:] - mu[:, tree.parents[1:]]) ** 2 @ membership
        nu, half = jnp.exp(log_nu), 0.5 * (jnp.exp(log_nu) + sizes)
        constant = gammaln(half) - gammaln(0.5 * nu) - 0.5 * sizes * (log_nu + log_sigma2)
        excess = jnp.log1p(squares * jnp.exp(-log_nu - log_sigma2))
        numpyro.factor("groups", n_words * constant.sum() - (half * excess).sum())

        xi = numpyro.sample("xi", anywhere.expand([len(rows)]))
        numpyro.factor("affinities", dist.Normal(eta[topics], lam).log_prob(xi).sum())
        x = eta[:, None] + lam * grid
        absent = logsumexp(log_sigmoid(-x) + log_weight, axis=1)
        single = logsumexp(log_sigmoid(x) + log_weight, axis=1)
        labels = n_absent @ absent + reduced.single_label_counts @ single
        labels -= reduced.n_conditioned * jnp.log(-jnp.expm1(absent.sum()))
        numpyro.factor("labels", labels + log_sigmoid(xi).sum())

        active = jnp.full((n_documents, tree.n_topics), -jnp.inf).at[rows, topics].set(xi)
        theta, rates = softmax(active, axis=1), jnp.exp(mu[:, 1:])
        exposure = reduced.single_exposures + reduced.exposures @ theta
        mixed = theta @ rates.T
        words = jnp.where(counts > 0, counts * jnp.log(mixed), 0.0).sum()
        words += (reduced.single_counts * mu[:, 1:]).sum() - exposure @ rates.sum(axis=0)
        numpyro.factor("words", words)

    return model


class Nuts:
    """A chain of NUTS that is gone on with a stretch at a time."""

    HYPER = ("psi", "gamma", "level", "eta", "lambda", "log_nu", "log_sigma2")

    def __init__(self, corpus: Corpus, n_warmup: int) -> None:
        import jax  # noqa: PLC0415

        infer = load_numpyro().infer
        load_numpyro().enable_x64()
        reduced = reduce(corpus)
        middle = find_map(Sampler(reduced, WeakPriors()))
        start = {
            "psi": middle.hyper.root_mean,
            "gamma": np.sqrt(middle.hyper.root_variance),
            "level": 0.0,
            "eta": middle.hyper.affinity_mean,
            "lambda": np.sqrt(middle.hyper.affinity_variance),
            "log_nu": np.log(middle.hyper.dispersion_df),
            "log_sigma2": np.log(middle.hyper.dispersion_scale),
            "mu": middle.log_rates,
            "xi": middle.affinities,
        }
        kernel = infer.NUTS(
            collapsed(reduced, WeakPriors()),
            dense_mass=[self.HYPER],
            init_strategy=infer.init_to_value(values=start),
        )
        options = {"num_chains": 1, "progress_bar": False}
        self.chain = infer.MCMC(kernel, num_warmup=n_warmup, num_samples=STRETCH, **options)
        self.chain.warmup(jax.random.key(1))
        self.seconds = 0.0
        self.kept: dict[str, list[NDArray[np.float64]]] = {}
        self.chain.run(self.chain.post_warmup_state.rng_key)  # compiles
        self.steps: list[float] = []

    def go_on(self) -> None:
        """Draw a stretch more."""
        self.chain.post_warmup_state = self.chain.last_state
        start = time.perf_counter()
        self.chain.run(self.chain.post_warmup_state.rng_key, extra_fields=("num_steps",))
        drawn = {name: np.asarray(x) for name, x in self.chain.get_samples().items()}
        self.seconds += time.perf_counter() - start
        self.steps += np.asarray(self.chain.get_extra_fields()["num_steps"]).tolist()
        for name, values in drawn.items():
            self.kept.setdefault(name, []).append(values)

    def speed(self, traced: NDArray[np.int64]) -> Speed:
        """Return what a second was worth."""
        drawn = {name: np.concatenate(parts) for name, parts in self.kept.items()}
        rates = drawn["mu"][:, traced[:, 0], traced[:, 1]]
        hyper = np.concatenate([drawn[name].reshape(len(rates), -1) for name in self.HYPER], axis=1)
        return Speed(effective(rates[None]) / self.seconds, effective(hyper[None]) / self.seconds)


def report(name: str, speeds: list[Speed]) -> None:
    """Print the least and the median effective draws per second."""
    for what in Speed._fields:
        least = [float(getattr(speed, what).min()) for speed in speeds]
        middle = [float(np.median(getattr(speed, what))) for speed in speeds]
        print(f"{name}, {what}: least {spread(least)}, median {spread(middle)} per second")


def measure(args: argparse.Namespace) -> list[Claim]:
    """Let fits and stretches take turns."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # or JAX takes what there is
    try:
        load_numpyro()
    except MissingExtraError as error:
        return [claim.missing(str(error)) for claim in CLAIMS.values()]
    drawn = simulate(
        branching_tree(BRANCHING), 2 * args.docs, args.words, rates="zipf", drop_empty=True, seed=1
    ).corpus
    corpus = drawn.take(np.arange(args.docs))
    print(describe(corpus), flush=True)
    begun = time.perf_counter()
    nuts = Nuts(corpus, args.warmup)
    print(f"NUTS is warm after {time.perf_counter() - begun:.0f} s", flush=True)
    own: list[Speed] = []
    for number in range(args.fits):
        speed, posterior = frex_speed(corpus, number, args.draws)
        own.append(speed)
        while nuts.seconds < 60 * args.minutes * (number + 1) / args.fits:
            nuts.go_on()
    theirs = nuts.speed(posterior.traced_rates)
    n_draws = len(nuts.steps)
    print(f"NUTS: {n_draws} draws, {statistics.mean(nuts.steps):.0f} gradients each")
    report("frex", own)
    report("NUTS", [theirs])
    note = f"NUTS: {n_draws} draws, an estimate"
    return [
        claim.of([getattr(speed, what).min() / getattr(theirs, what).min() for speed in own], note)
        for what, claim in CLAIMS.items()
    ]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=500)
    parser.add_argument("--words", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=2.0, help="of NUTS, after its warm-up")
    parser.add_argument("--warmup", type=int, default=150, help="draws of NUTS")
    parser.add_argument("--draws", type=int, default=1000, help="of a chain of frex")
    parser.add_argument("--fits", type=int, default=4, help="of frex")
    run(parser, measure)


if __name__ == "__main__":
    main()
