"""An independent sampler, NumPyro's NUTS, gives the same posterior.

It samples the model as section 1 of its definition states it: every affinity, every dispersion,
nothing collapsed or reduced. Each document has a label, as in every corpus. Of the log rates, whose
left tails are long, quantiles and the means of the rates are compared.
"""

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
import pytest
from arviz_stats.base import array_stats
from calibration import FALSE_ALARM, PRIORS
from jax.scipy.special import logsumexp
from numpyro.infer import MCMC, NUTS
from scipy import stats

from frex.model.dispersions import group_of_topic
from frex.model.generate import simulate
from frex.model.priors import Hyperparameters
from frex.model.reductions import reduce
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock, State
from frex.tree import TopicTree

pytestmark = pytest.mark.statistical

TREE = TopicTree(["a", "b", "c", "aa", "ab", "ba", "bb"], [None, None, None, "a", "a", "b", "b"])
N_DOCUMENTS, N_WORDS = 60, 40
N_CHAINS = 2
PROBABILITIES = (0.1, 0.5, 0.9)


def make_corpus():
    hyper = Hyperparameters(
        root_mean=-0.2,
        root_variance=0.5,
        affinity_mean=np.linspace(-2.2, -0.4, TREE.n_topics),
        affinity_variance=1.5,
        dispersion_df=8.0,
        dispersion_scale=0.3,
    )
    # the seed of a corpus whose log nu, the quantity that NUTS is worst at, converges in its draws
    options = {"hyper": hyper, "unlabelled": "redraw", "seed": 4}
    return simulate(TREE, N_DOCUMENTS, N_WORDS, **options).corpus


def log_absent(eta, lam):
    """Log probability that a topic does not label a document."""
    z = jnp.linspace(-10.0, 10.0, 101)  # the error of such a sum is below rounding
    log_weight = jnp.log(z[1] - z[0]) - 0.5 * z**2 - 0.5 * jnp.log(2 * jnp.pi)
    x = eta[:, None] + lam * z
    return logsumexp(jax.nn.log_sigmoid(-x) + log_weight, axis=1)


def uncollapsed(labels, counts, exposures):
    """The model, with deviations in units of their spread: NUTS mixes better so."""
    n_documents, n_topics = labels.shape
    n_words = counts.shape[1]
    psi = numpyro.sample("psi", dist.Normal(PRIORS.root_mean.location, PRIORS.root_mean.scale))
    gamma = numpyro.sample("gamma", dist.HalfNormal(PRIORS.root_sd.scale))
    prior = PRIORS.affinity_mean
    eta = numpyro.sample("eta", dist.Normal(prior.location, prior.scale).expand([n_topics]))
    lam = numpyro.sample("lambda", dist.HalfNormal(PRIORS.affinity_sd.scale))
    prior = PRIORS.log_dispersion_df
    nu = jnp.exp(numpyro.sample("log_nu", dist.Normal(prior.location, prior.scale)))
    prior = PRIORS.log_dispersion_scale
    sigma2 = jnp.exp(numpyro.sample("log_sigma2", dist.Normal(prior.location, prior.scale)))

    groups = group_of_topic(TREE)
    shape = (n_words, int(groups.max()) + 1)
    precision = numpyro.sample("precision", dist.Gamma(nu / 2, 1.0).expand(shape))
    tau2 = numpyro.deterministic("tau2", nu * sigma2 / 2 / precision)
    standard = numpyro.sample("z", dist.Normal().expand([n_words, n_topics + 1]))
    log_rates = [psi + gamma * standard[:, 0]]
    for node in range(1, TREE.n_nodes):
        spread = jnp.sqrt(tau2[:, groups[node - 1]])
        log_rates.append(log_rates[TREE.parents[node]] + spread * standard[:, node])
    mu = numpyro.deterministic("mu", jnp.stack(log_rates, axis=1))

    xi = eta + lam * numpyro.sample("x", dist.Normal().expand([n_documents, n_topics]))
    numpyro.sample("labels", dist.Bernoulli(logits=xi), obs=labels)
    log_any = jnp.log(-jnp.expm1(log_absent(eta, lam).sum()))
    numpyro.factor("each document has a label", -n_documents * log_any)
    theta = numpyro.deterministic("theta", jax.nn.softmax(jnp.where(labels, xi, -jnp.inf), axis=1))
    expected = exposures[:, None] * (theta @ jnp.exp(mu[:, 1:]).T)
    numpyro.sample("counts", dist.Poisson(expected), obs=counts)


def nuts_draws(corpus, n_warmup=600, n_draws=2200):
    """Return chains x draws x quantities, by name."""
    mcmc = MCMC(
        NUTS(uncollapsed, target_accept_prob=0.85),
        num_warmup=n_warmup,
        num_samples=n_draws,
        num_chains=N_CHAINS,
        chain_method="parallel",
        progress_bar=False,
    )
    labels = corpus.labels.toarray().astype(bool)
    mcmc.run(jax.random.key(1), labels, corpus.counts.toarray(), np.asarray(corpus.exposures))
    drawn = {name: np.asarray(x) for name, x in mcmc.get_samples(group_by_chain=True).items()}
    several = labels & (labels.sum(axis=1) > 1)[:, None]
    return {
        "mu": drawn["mu"].reshape(N_CHAINS, n_draws, -1),
        "theta": drawn["theta"][:, :, several],
        "log_tau2": np.log(drawn["tau2"]).reshape(N_CHAINS, n_draws, -1),
        "eta": drawn["eta"],
        "hyper": np.stack(
            [
                drawn["psi"],
                np.log(drawn["gamma"]),
                np.log(drawn["lambda"]),
                drawn["log_nu"],
                drawn["log_sigma2"],
            ],
            axis=-1,
        ),
    }


def first_state(reduced, rng):
    """Return a rough place to start: rates of the corpus, equal memberships."""
    n_words, n_labels = reduced.counts.shape[1], np.diff(reduced.labels.indptr)
    hyper = PRIORS.sample(rng, TREE.n_topics)
    n_groups = int(group_of_topic(TREE).max()) + 1
    return State(
        np.full((n_words, TREE.n_nodes), hyper.root_mean),
        np.full((n_words, n_groups), 0.5),
        np.zeros(reduced.labels.nnz),
        np.repeat(1 / n_labels, n_labels),
        hyper,
    )


def own_draws(corpus, n_warmup=400, n_draws=2000):
    """Return the same by our sampler."""
    reduced = reduce(corpus, conditioned=True)
    chains = []
    for chain in range(N_CHAINS):
        sampler = Sampler(reduced, PRIORS)
        state = first_state(reduced, np.random.default_rng(chain))
        drawn = []
        for scan in range(n_warmup + n_draws):
            refresh = scan in (0, 10, 30, 80, 160)
            report = sampler.scan(state, Clock(1, chain, scan), refresh=refresh)
            if scan < n_warmup:
                for block, acceptance in report.items.items():
                    sampler.steps[block].learn(acceptance, late=scan > 200)
            elif not drawn:
                for step in sampler.steps.values():
                    step.freeze()
            if scan >= n_warmup:
                drawn.append(watched(state))
        chains.append([np.array(column) for column in zip(*drawn, strict=True)])
    names = ("mu", "theta", "log_tau2", "eta", "hyper")
    return {name: np.stack(x) for name, x in zip(names, zip(*chains, strict=True), strict=True)}


def watched(state):
    hyper = state.hyper
    scalars = [
        hyper.root_mean,
        0.5 * np.log(hyper.root_variance),
        0.5 * np.log(hyper.affinity_variance),
        np.log(hyper.dispersion_df),
        np.log(hyper.dispersion_scale),
    ]
    return (
        state.log_rates.ravel().copy(),
        state.memberships.copy(),
        np.log(state.dispersions).ravel(),
        hyper.affinity_mean,
        scalars,
    )


def summaries(drawn):
    """Return estimates with their Monte Carlo errors, and the worst R-hat."""
    found, worst = {}, 1.0
    for name, values in drawn.items():
        chains = np.moveaxis(values, -1, 0)  # quantities x chains x draws
        worst = max(worst, *(float(array_stats.rhat(one)) for one in chains))
        if name == "mu":
            found["mean of the rate"] = estimate(np.exp(chains), "mean")
        if name in ("theta", "eta", "hyper"):
            found[f"mean of {name}"] = estimate(chains, "mean")
        for probability in PROBABILITIES if name in ("mu", "hyper") else (0.5,):
            found[f"{probability} quantile of {name}"] = estimate(chains, "quantile", probability)
    return found, worst


def estimate(chains, method, probability=None):
    if method == "mean":
        value = chains.mean(axis=(1, 2))
        error = [array_stats.mcse(one, method="mean") for one in chains]
    else:
        value = np.quantile(chains, probability, axis=(1, 2))
        error = [array_stats.mcse(one, method="quantile", prob=probability) for one in chains]
    return value, np.array(error, dtype=np.float64)


def test_nuts_on_the_uncollapsed_model_gives_the_same_posterior(one_thread):
    numpyro.set_host_device_count(N_CHAINS)
    corpus = make_corpus()
    with jax.enable_x64():
        reference, converged = summaries(nuts_draws(corpus))
    own, own_converged = summaries(own_draws(corpus))
    assert converged < 1.05
    assert own_converged < 1.02
    z = {
        name: (own[name][0] - value) / np.hypot(own[name][1], error)
        for name, (value, error) in reference.items()
    }
    n_compared = sum(len(values) for values in z.values())
    limit = stats.norm.isf(FALSE_ALARM / 2 / n_compared)
    worst = {name: float(abs(values).max()) for name, values in z.items()}
    assert max(worst.values()) < limit, f"differences in standard errors, limit {limit}: {worst}"
