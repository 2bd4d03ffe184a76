"""Conditionals of the hyperparameters that words or documents share.

Two blocks: ``psi`` and ``gamma2``, known in closed form; ``(eta, log lambda)`` with every affinity
that the words cannot see integrated out (section 2.3). The third, ``(log nu, log sigma2)``, is in
`frex.model.dispersions`. At the end stand the paper's own conditionals given all ``tau2`` and all
``xi``, contestants of the collapsed ones.

Densities of ``(eta, log lambda)`` here are likelihoods: the prior, in the same coordinates, is in
`frex.model.priors`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from frex.model.dispersions import ScaledInverseChi2
from frex.model.labels import (
    label_probability_derivatives,
    log_label_probability,
    log_probability_of_any_label,
)
from frex.model.priors import LOG_TWO_PI

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.priors import Flat, HalfNormal, Normal
    from frex.model.reductions import Reduced


class Gaussian(NamedTuple):
    """A normal distribution to draw from; ``mean`` may be an array of independent ones."""

    mean: NDArray[np.float64] | float
    variance: float


# psi and gamma2


def root_mean_conditional(
    root_log_rates: NDArray[np.float64], root_variance: float, prior: Normal | Flat
) -> Gaussian:
    """``psi | gamma2, mu0``, exactly: for a prior that is normal or flat, and for no other.

    With a flat prior it is ``Normal(mean of mu0, gamma2 / V)``.
    """
    # The log density is quadratic, so one Newton step, from any point, gives its mean. At the
    # average of the log rates the likelihood's slope is 0.
    average = root_log_rates.mean()
    precision = len(root_log_rates) / root_variance - prior.second_derivative(average)
    return Gaussian(float(average + prior.gradient(average) / precision), float(1 / precision))


def root_variance_conditional(
    root_log_rates: NDArray[np.float64], root_mean: float
) -> ScaledInverseChi2:
    """``gamma2 | psi, mu0`` with a prior flat in ``log gamma2``: ``Inv-chi2(V, mean square)``."""
    return ScaledInverseChi2(
        float(len(root_log_rates)), float(((root_log_rates - root_mean) ** 2).mean())
    )


def root_variance_log_acceptance(
    current: float, proposed: float, prior: HalfNormal | Flat
) -> float:
    """Log of the Metropolis ratio for a ``gamma2`` drawn from `root_variance_conditional`.

    The draw is independent of the current value and exact but for the prior, so the ratio is that
    of the priors in ``log gamma``, in which the proposal's prior is flat.
    """
    log_sd = 0.5 * np.log([current, proposed])
    before, after = prior.log_density_of_log(log_sd)
    return float(after - before)


# eta and log lambda


class AffinityStatistics(NamedTuple):
    """All that ``(eta, lambda)`` meets: counts of documents, and moments of the active affinities.

    Each but the last an array over the ``K`` topics.
    """

    n_absent: NDArray[np.int64]  #: D - n_k, documents without the label
    n_single: NDArray[np.int64]  #: n1_k, documents with that label alone
    n_active: NDArray[np.int64]  #: documents of M with the label
    active_mean: NDArray[np.float64]  #: mean of their affinities, 0 where there are none
    active_squares: NDArray[np.float64]  #: sum of squares about that mean
    n_conditioned: int = 0  #: D where each document is conditioned on having a label, else 0


def affinity_statistics(reduced: Reduced, affinities: NDArray[np.float64]) -> AffinityStatistics:
    """Summarise the flat affinities of the active labels of ``M``."""
    topic, n_topics = reduced.labels.indices, reduced.tree.n_topics
    n_active = np.bincount(topic, minlength=n_topics)
    mean = np.bincount(topic, affinities, n_topics) / np.maximum(n_active, 1)
    squares = np.bincount(topic, (affinities - mean[topic]) ** 2, n_topics)
    return AffinityStatistics(
        reduced.n_documents - reduced.label_counts,
        reduced.single_label_counts,
        n_active,
        mean,
        squares.astype(np.float64),  # NumPy's sums over nothing are integers
        reduced.n_conditioned,
    )


def label_log_density(
    log_p0: NDArray[np.float64], log_p1: NDArray[np.float64], statistics: AffinityStatistics
) -> float:
    """Log probability of the labels whose affinities no word can see (sections 2.3 and 2.6).

    ``sum_k (D - n_k) log P0_k + n1_k log P1_k``, and where each document is conditioned on having
    a label ``- D log(1 - prod_k P0_k)``.
    """
    value = (statistics.n_absent * log_p0 + statistics.n_single * log_p1).sum()
    if statistics.n_conditioned:
        value -= statistics.n_conditioned * log_probability_of_any_label(log_p0, log_p1)
    return float(value)


def expected_unlabelled(
    log_p0: NDArray[np.float64], log_p1: NDArray[np.float64], n_conditioned: int
) -> float:
    """``D prod_k P0_k / (1 - prod_k P0_k)``: how many documents have no label, for ``D`` that do.

    The gradient of ``- D log(1 - prod_k P0_k)`` is that of so many more documents without labels:
    this number times the gradient of ``sum_k log P0_k``.
    """
    if not n_conditioned:
        return 0.0
    log_odds = float(log_p0.sum()) - log_probability_of_any_label(log_p0, log_p1)
    return n_conditioned * float(np.exp(min(log_odds, 600.0)))  # finite, also where P1 underflows


def label_gradient(
    log_p0: NDArray[np.float64],
    log_p1: NDArray[np.float64],
    gradient_p0: NDArray[np.float64],
    gradient_p1: NDArray[np.float64],
    statistics: AffinityStatistics,
) -> NDArray[np.float64]:
    """Gradient of `label_log_density` in ``(eta_1 .. eta_K, log lambda)``.

    Parameters
    ----------
    log_p0, log_p1, gradient_p0, gradient_p1
        As of `LabelDerivatives`.
    statistics
        As of `affinity_statistics`.
    """
    absent = statistics.n_absent + expected_unlabelled(log_p0, log_p1, statistics.n_conditioned)
    in_mean, in_log_sd = absent * gradient_p0 + statistics.n_single * gradient_p1
    return np.append(in_mean, in_log_sd.sum())


def label_hessian(
    affinity_mean: NDArray[np.float64], log_affinity_sd: float, statistics: AffinityStatistics
) -> NDArray[np.float64]:
    """Hessian of `label_log_density` in ``(eta_1 .. eta_K, log lambda)``.

    With ``s = sum_k log P0_k`` and ``u = D e^s / (1 - e^s)``, the `expected_unlabelled`, the
    second derivative of ``- D log(1 - e^s)`` is ``u s'' + u (1 + u / D) s' s'^T``.
    """
    parts = label_probability_derivatives(affinity_mean, np.exp(log_affinity_sd))
    n_conditioned = statistics.n_conditioned
    unlabelled = expected_unlabelled(parts.log_p0, parts.log_p1, n_conditioned)
    absent = statistics.n_absent + unlabelled
    twice, mixed, in_log_sd = absent * parts.hessian_p0 + statistics.n_single * parts.hessian_p1
    matrix = _arrow(twice, mixed, float(in_log_sd.sum()))
    if n_conditioned:
        slope = np.append(parts.gradient_p0[0], parts.gradient_p0[1].sum())
        pull = unlabelled * slope
        matrix += np.outer(pull, slope + pull / n_conditioned)
    return matrix


def _arrow(
    diagonal: NDArray[np.float64], border: NDArray[np.float64], corner: float
) -> NDArray[np.float64]:
    """Return a symmetric matrix that is diagonal but for its last row and column."""
    matrix = np.diag(np.append(diagonal, corner))
    matrix[-1, :-1] = matrix[:-1, -1] = border
    return matrix


def affinity_hyper_log_density(
    affinity_mean: NDArray[np.float64], log_affinity_sd: float, statistics: AffinityStatistics
) -> float:
    """Log likelihood of ``(eta, log lambda)`` given the active affinities of ``M`` (section 2.3).

    The labels' part plus ``log Normal(xi[d,k]; eta_k, lambda2)`` of every active affinity,
    normalised.

    Parameters
    ----------
    affinity_mean
        ``eta``.
    log_affinity_sd
        ``log lambda``.
    statistics
        As of `affinity_statistics`.
    """
    labels = label_log_density(
        *log_label_probability(affinity_mean, np.exp(log_affinity_sd)), statistics
    )
    return labels + active_log_density(affinity_mean, log_affinity_sd, statistics)


def active_log_density(
    affinity_mean: NDArray[np.float64], log_affinity_sd: float, statistics: AffinityStatistics
) -> float:
    """Log density of the active affinities of ``M``, without the labels' part."""
    normal = -0.5 * _squares(affinity_mean, statistics) * np.exp(-2 * log_affinity_sd)
    normal -= statistics.n_active * (log_affinity_sd + 0.5 * LOG_TWO_PI)
    return float(normal.sum())


def affinity_hyper_gradient(
    affinity_mean: NDArray[np.float64], log_affinity_sd: float, statistics: AffinityStatistics
) -> NDArray[np.float64]:
    """Gradient of `affinity_hyper_log_density` in ``(eta_1 .. eta_K, log lambda)``."""
    parts = label_probability_derivatives(affinity_mean, np.exp(log_affinity_sd))
    gradient = label_gradient(*parts[:4], statistics)
    return gradient + active_gradient(affinity_mean, log_affinity_sd, statistics)


def active_gradient(
    affinity_mean: NDArray[np.float64], log_affinity_sd: float, statistics: AffinityStatistics
) -> NDArray[np.float64]:
    """Gradient of `active_log_density` in ``(eta_1 .. eta_K, log lambda)``."""
    n_active, deviation = statistics.n_active, statistics.active_mean - affinity_mean
    precision = np.exp(-2 * log_affinity_sd)
    in_mean = n_active * deviation * precision
    in_log_sd = (_squares(affinity_mean, statistics) * precision - n_active).sum()
    return np.append(in_mean, in_log_sd)


def affinity_hyper_hessian(
    affinity_mean: NDArray[np.float64], log_affinity_sd: float, statistics: AffinityStatistics
) -> NDArray[np.float64]:
    """Hessian of `affinity_hyper_log_density` in ``(eta_1 .. eta_K, log lambda)``."""
    precision = np.exp(-2 * log_affinity_sd)
    deviation = statistics.active_mean - affinity_mean
    squares = _squares(affinity_mean, statistics).sum()
    return label_hessian(affinity_mean, log_affinity_sd, statistics) + _arrow(
        diagonal=-statistics.n_active * precision,
        border=-2 * statistics.n_active * deviation * precision,
        corner=float(-2 * squares * precision),
    )


def _squares(
    affinity_mean: NDArray[np.float64], statistics: AffinityStatistics
) -> NDArray[np.float64]:
    """``sum_d (xi[d,k] - eta_k)^2`` over the documents of ``M`` with the label, for each topic."""
    deviation = statistics.active_mean - affinity_mean
    return statistics.active_squares + statistics.n_active * deviation**2


# The paper's conditionals


def paper_affinity_variance(affinities: NDArray[np.float64]) -> ScaledInverseChi2:
    """``lambda2`` given all ``D x K`` affinities, ``eta`` integrated out, flat priors.

    The paper has ``DK - 1`` degrees of freedom. ``eta`` has ``K`` entries and takes one each.
    """
    n_documents, n_topics = affinities.shape
    df = n_topics * (n_documents - 1)
    squares = ((affinities - affinities.mean(axis=0)) ** 2).sum()
    return ScaledInverseChi2(float(df), float(squares / df))


def paper_affinity_mean(affinities: NDArray[np.float64], affinity_variance: float) -> Gaussian:
    """``eta | lambda2`` given all ``D x K`` affinities, flat prior."""
    return Gaussian(affinities.mean(axis=0), affinity_variance / len(affinities))


def paper_dispersion_log_density(
    log_kappa: float, log_lam: float, dispersions: NDArray[np.float64]
) -> float:
    """Log likelihood of ``(log kappa, log lam)``: the ``1 / tau2`` are Gamma, ``lam`` a scale.

    ``nu = 2 kappa`` and ``sigma2 = 1 / (kappa lam)``.
    """
    kappa, precision = np.exp(log_kappa), 1 / dispersions
    constant = kappa * log_lam + gammaln(kappa)
    terms = (kappa - 1) * np.log(precision) - np.exp(-log_lam) * precision - constant
    return float(terms.sum())


def paper_dispersion_gradient(
    log_kappa: float, log_lam: float, dispersions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Gradient of `paper_dispersion_log_density` in ``(log kappa, log lam)``."""
    kappa, precision = np.exp(log_kappa), 1 / dispersions
    in_kappa = kappa * (np.log(precision) - log_lam - digamma(kappa))
    in_lam = np.exp(-log_lam) * precision - kappa
    return np.array([in_kappa.sum(), in_lam.sum()])


def paper_dispersion_hessian(
    log_kappa: float, log_lam: float, dispersions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Hessian of `paper_dispersion_log_density` in ``(log kappa, log lam)``, 2 x 2."""
    kappa, n = np.exp(log_kappa), dispersions.size
    in_kappa, _ = paper_dispersion_gradient(log_kappa, log_lam, dispersions)
    both_kappa = in_kappa - n * kappa**2 * polygamma(1, kappa)
    mixed = -n * kappa
    both_lam = -np.exp(-log_lam) * (1 / dispersions).sum()
    return np.array([[both_kappa, mixed], [mixed, both_lam]])
