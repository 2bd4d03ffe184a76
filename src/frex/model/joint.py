"""The joint log density of everything in section 1 of the model, nothing collapsed or reduced.

It is written from the generative process alone and shares no line with the conditionals, which are
tested against it: two states that differ in one block differ in log density by what the block's
conditional says, and integrating a variable out of it numerically gives the collapsed densities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import expit, gammaln, log_expit, xlogy

from frex.errors import InputError
from frex.model.priors import LOG_TWO_PI
from frex.model.process import parent_nodes

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from frex.corpus import Corpus
    from frex.model.priors import Hyperparameters, Priors
    from frex.tree import TopicTree


class State(NamedTuple):
    """All unknowns of the model, in the coordinates of the joint density."""

    log_rates: NDArray[np.float64]  #: mu, V x N
    log_dispersions: NDArray[np.float64]  #: log tau2, V x P
    affinities: NDArray[np.float64]  #: xi, D x K, of inactive labels too
    hyper: Hyperparameters


def joint_log_density(
    state: State, corpus: Corpus, priors: Priors, *, conditioned: bool = False
) -> float:
    """Log density of all unknowns, labels and counts, normalised where the priors are.

    With respect to ``mu``, ``log tau2``, ``xi``, ``psi``, ``log gamma``, ``eta``, ``log lambda``,
    ``log nu`` and ``log sigma2``; and given, where it is conditioned, that each document has a
    label.
    """
    if corpus.tree is None:
        raise InputError("the corpus has no labels", remedy="Prepare it with a tree and labels.")
    labels = corpus.labels.toarray().astype(np.bool_)
    given = len(labels) * log_probability_of_a_labelled_document(state.hyper) if conditioned else 0
    return (
        log_density_of_rates(state, corpus.tree)
        + log_density_of_dispersions(state)
        + log_density_of_affinities(state)
        + log_density_of_labels(state, labels)
        + log_density_of_counts(state, labels, corpus.counts.toarray(), corpus.exposures)
        + priors.log_density(state.hyper)
        - given
    )


def log_density_of_rates(state: State, tree: TopicTree) -> float:
    """``mu[f,0] ~ Normal(psi, gamma2)``, then ``mu[f,j] ~ Normal(mu[f,p], tau2[f,p])``."""
    log_rates, hyper = state.log_rates, state.hyper
    total = _normal(log_rates[:, 0], hyper.root_mean, hyper.root_variance)
    for column, parent in enumerate(parent_nodes(tree)):
        variance = np.exp(state.log_dispersions[:, column])
        for child in tree.children(int(parent)):
            total += _normal(log_rates[:, child], log_rates[:, parent], variance)
    return total


def log_density_of_dispersions(state: State) -> float:
    """``tau2[f,p] ~ Scaled-Inv-chi2(nu, sigma2)``, as the density of ``log tau2``."""
    # nu sigma2 / tau2 is chi-square, that is Gamma(nu / 2) with the scale 2; its logarithm moves
    # one for one with log tau2, so the Jacobian of the change to log tau2 is the value itself
    half = 0.5 * state.hyper.dispersion_df
    log_gamma = np.log(half * state.hyper.dispersion_scale) - state.log_dispersions
    return float((half * log_gamma - np.exp(log_gamma) - gammaln(half)).sum())


def log_density_of_affinities(state: State) -> float:
    """``xi[d] ~ Normal(eta, lambda2 Identity)``."""
    return _normal(state.affinities, state.hyper.affinity_mean, state.hyper.affinity_variance)


def log_density_of_labels(state: State, labels: NDArray[np.bool_]) -> float:
    """``I[d,k] ~ Bernoulli(logistic(xi[d,k]))``."""
    return float(log_expit(np.where(labels, state.affinities, -state.affinities)).sum())


def log_probability_of_a_labelled_document(hyper: Hyperparameters) -> float:
    """``log(1 - prod_k P0(eta_k, lambda))``, each ``P0`` by the trapezoidal rule."""
    z = np.linspace(-12, 12, 4001)
    x = hyper.affinity_mean[:, None] + np.sqrt(hyper.affinity_variance) * z
    normal = np.exp(-0.5 * (z * z + LOG_TWO_PI))
    return float(np.log1p(-np.prod(np.trapezoid(expit(-x) * normal, z, axis=1))))


def log_density_of_counts(
    state: State,
    labels: NDArray[np.bool_],
    counts: NDArray[np.int32],
    exposures: NDArray[np.float64],
) -> float:
    """``w[f,d] ~ Poisson(l_d theta_d' beta_f)``, every word in every document."""
    highest = np.max(state.affinities, axis=1, initial=-np.inf, where=labels, keepdims=True)
    weight = np.where(labels, np.exp(np.where(labels, state.affinities - highest, 0.0)), 0.0)
    theta = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1.0)  # at least 1, or no label
    expected = exposures[:, None] * (theta @ np.exp(state.log_rates[:, 1:]).T)
    return float((xlogy(counts, expected) - expected - gammaln(counts + 1)).sum())


def _normal(value: NDArray[np.float64], mean: ArrayLike, variance: ArrayLike) -> float:
    square = (value - np.asarray(mean)) ** 2
    return float((-0.5 * (square / variance + np.log(variance) + LOG_TWO_PI)).sum())
