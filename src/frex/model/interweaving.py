"""Interweaving: moves of hyperparameters together with the latent variables that depend on them.

Given the latent variables, a hyperparameter mixes slowly, because they determine it, and it them.
The moves here instead hold fixed the latent variables standardised by a Gaussian approximation of
their conditional posterior. If it were exact, the standardised variables and the
hyperparameters would be independent, and a move would draw from the marginal posterior. The
likelihood's part of that Gaussian, its precisions and pulls, is computed once and then fixed: any
values leave the posterior invariant, good ones allow long moves. With precisions of 0 the move is
the non-centred one of Yu and Meng (2011), with infinite ones the centred one.

The density of a move is the joint density at the moved variables times the Jacobian of the map from
the standardised ones; both are functions of the hyperparameters alone.

Documents
    A document's words and labels are approximated by ``exp(r' xi - xi' C xi / 2)``. In the
    eigenbasis ``Q`` of ``C``, with ``y = Q' xi`` and ``e = Q' eta``,
    ``y_j = (r_j + e_j / lambda2) / v_j + u_j / sqrt(v_j)`` with ``v_j = c_j + 1 / lambda2``.

Words
    The likelihood of a word's log rates is approximated by ``exp(h' mu - mu' diag(C) mu / 2)``.
    With the tree's prior this is a Gaussian that factorises from the root down. Eliminating
    children before parents, with ``t = 1 / tau2`` of the node's group,
    ``A_p += A_i t / (A_i + t)`` and ``B_p += B_i t / (A_i + t)`` from ``A = C, B = h``; then
    ``mu_i = (B_i + t mu_p) / (A_i + t) + u_i / sqrt(A_i + t)``. The same is done one level up:
    ``log tau2`` has a prior of mean ``log(nu sigma2 / 2) - digamma(nu / 2)`` and variance
    ``trigamma(nu / 2)``, and its likelihood, the log rates integrated out, is approximated by a
    Gaussian.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import digamma, polygamma

from frex.model.dispersions import group_of_topic

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.priors import Hyperparameters
    from frex.tree import TopicTree


class DocumentGaussian(NamedTuple):
    """Gaussian approximation of the likelihood of a document's m active affinities."""

    basis: NDArray[np.float64]  #: m x m, orthonormal, eigenvectors in columns
    precisions: NDArray[np.float64]  #: m, none negative
    pulls: NDArray[np.float64]  #: m, in the basis


def document_gaussian(
    curvature: NDArray[np.float64],
    mode: NDArray[np.float64],
    affinity_mean: NDArray[np.float64],
    affinity_variance: float,
) -> DocumentGaussian:
    """Match the Gaussian to the curvature, and to the mode given an ``eta`` and ``lambda2``."""
    precisions, basis = np.linalg.eigh(curvature)
    precisions = np.maximum(precisions, 0.0)  # rounding
    total = precisions + 1 / affinity_variance
    pulls = total * (basis.T @ mode) - basis.T @ affinity_mean / affinity_variance
    return DocumentGaussian(basis, precisions, pulls)


def standardised_affinities(
    affinities: NDArray[np.float64],
    affinity_mean: NDArray[np.float64],
    affinity_variance: float,
    gaussian: DocumentGaussian,
) -> NDArray[np.float64]:
    """``u``: the standardised affinities; `affinities_at` is the inverse."""
    centre, sd = _affinity_gaussian(affinity_mean, affinity_variance, gaussian)
    u: NDArray[np.float64] = (gaussian.basis.T @ affinities - centre) / sd
    return u


def affinities_at(
    standardised: NDArray[np.float64],
    affinity_mean: NDArray[np.float64],
    affinity_variance: float,
    gaussian: DocumentGaussian,
) -> NDArray[np.float64]:
    """``xi = Q y``: the affinities for ``u`` at an ``eta`` and ``lambda2``."""
    centre, sd = _affinity_gaussian(affinity_mean, affinity_variance, gaussian)
    xi: NDArray[np.float64] = gaussian.basis @ (centre + sd * standardised)
    return xi


def affinity_log_jacobian(affinity_variance: float, gaussian: DocumentGaussian) -> float:
    """``log |d xi / d u|``, the sum of ``log v_j^-1/2``."""
    return float(-0.5 * np.log(gaussian.precisions + 1 / affinity_variance).sum())


def _affinity_gaussian(
    affinity_mean: NDArray[np.float64], affinity_variance: float, gaussian: DocumentGaussian
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation of ``y``."""
    prior = 1 / affinity_variance
    total = gaussian.precisions + prior
    centre = (gaussian.pulls + prior * (gaussian.basis.T @ affinity_mean)) / total
    return centre, 1 / np.sqrt(total)


class WordGaussian(NamedTuple):
    """Gaussian approximations of the likelihood of a word's log rates and log dispersions."""

    curvature: NDArray[np.float64]  #: N, none negative
    pulls: NDArray[np.float64]  #: N
    group_precisions: NDArray[np.float64]  #: P, none negative
    group_pulls: NDArray[np.float64]  #: P


def word_gaussian(
    tree: TopicTree,
    mode: NDArray[np.float64],
    gradient: NDArray[np.float64],
    curvature: NDArray[np.float64],
    dispersions: NDArray[np.float64],
) -> WordGaussian:
    """Match the Gaussians to a word.

    Parameters
    ----------
    tree
        The topics.
    mode
        ``N`` log rates.
    gradient, curvature
        Of the word's likelihood there, ``N`` each; the curvature's diagonal alone.
    dispersions
        ``P``, about which ``log tau2`` is expanded. Given ``mu_p``, a child's subtree has the
        likelihood ``N(B / A, 1 / A)`` of its log rate; so ``log tau2`` has the slope
        ``(w z^2 - w) / 2`` and the information ``w^2 / 2`` from each child, with
        ``w = A / (A + t)`` and ``z^2 = (B / A - mu_p)^2 / (tau2 + 1 / A)``.
    """
    pulls = curvature * mode + gradient
    a, b, t = _eliminate(tree, curvature, pulls, dispersions)
    w = a[1:] / (a[1:] + t)
    deviation = (b[1:] - a[1:] * mode[tree.parents[1:]]) * t / (a[1:] + t)
    group, n_groups = group_of_topic(tree), len(dispersions)
    precisions, slopes = np.zeros(n_groups), np.zeros(n_groups)
    np.add.at(precisions, group, 0.5 * w**2)
    np.add.at(slopes, group, 0.5 * (deviation**2 / t - w))
    return WordGaussian(curvature, pulls, precisions, precisions * np.log(dispersions) + slopes)


class StandardisedWord(NamedTuple):
    """The variables of a word that a move of ``(nu, sigma2)`` holds fixed."""

    log_rates: NDArray[np.float64]  #: N
    log_dispersions: NDArray[np.float64]  #: P


def standardised_word(
    tree: TopicTree,
    log_rates: NDArray[np.float64],
    dispersions: NDArray[np.float64],
    hyper: Hyperparameters,
    gaussian: WordGaussian,
) -> StandardisedWord:
    """Standardise a word's log rates and log dispersions; `word_at` is the inverse."""
    given, pulls, precision = _root_down(tree, dispersions, hyper, gaussian)
    above = np.append(hyper.root_mean, log_rates[tree.parents[1:]])
    u = (log_rates - (pulls + given * above) / precision) * np.sqrt(precision)
    centre, sd = _dispersion_gaussian(hyper, gaussian)
    return StandardisedWord(u, (np.log(dispersions) - centre) / sd)


def word_at(
    tree: TopicTree, standardised: StandardisedWord, hyper: Hyperparameters, gaussian: WordGaussian
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return log rates and dispersions for the standardised variables at a ``(nu, sigma2)``."""
    centre, sd = _dispersion_gaussian(hyper, gaussian)
    dispersions = np.exp(centre + sd * standardised.log_dispersions)
    given, pulls, precision = _root_down(tree, dispersions, hyper, gaussian)
    log_rates = standardised.log_rates / np.sqrt(precision)
    for node in range(tree.n_nodes):
        above = log_rates[tree.parents[node]] if node else hyper.root_mean
        log_rates[node] += (pulls[node] + given[node] * above) / precision[node]
    return log_rates, dispersions


def word_log_jacobian(
    tree: TopicTree,
    dispersions: NDArray[np.float64],
    hyper: Hyperparameters,
    gaussian: WordGaussian,
) -> float:
    """Log Jacobian of ``(mu, log tau2)`` in the standardised variables, at the new dispersions."""
    *_, precision = _root_down(tree, dispersions, hyper, gaussian)
    _, sd = _dispersion_gaussian(hyper, gaussian)
    return float(-0.5 * np.log(precision).sum() + np.log(sd).sum())


def _eliminate(
    tree: TopicTree,
    curvature: NDArray[np.float64],
    pulls: NDArray[np.float64],
    dispersions: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return ``A``, ``B`` by node, and ``t`` by topic."""
    a, b, t = curvature.copy(), pulls.copy(), 1 / dispersions[group_of_topic(tree)]
    for node in range(tree.n_nodes - 1, 0, -1):
        share = t[node - 1] / (a[node] + t[node - 1])
        a[tree.parents[node]] += share * a[node]
        b[tree.parents[node]] += share * b[node]
    return a, b, t


def _root_down(
    tree: TopicTree,
    dispersions: NDArray[np.float64],
    hyper: Hyperparameters,
    gaussian: WordGaussian,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return by node ``t``, the root's being ``1 / gamma2``; ``B``; and ``A + t``."""
    a, b, t = _eliminate(tree, gaussian.curvature, gaussian.pulls, dispersions)
    given = np.append(1 / hyper.root_variance, t)
    return given, b, a + given


def _dispersion_gaussian(
    hyper: Hyperparameters, gaussian: WordGaussian
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and standard deviation of ``log tau2``."""
    half = 0.5 * hyper.dispersion_df
    mean = np.log(half * hyper.dispersion_scale) - digamma(half)
    precision = 1 / polygamma(1, half)
    total = gaussian.group_precisions + precision
    return (gaussian.group_pulls + precision * mean) / total, 1 / np.sqrt(total)
