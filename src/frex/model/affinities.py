"""The affinities ``xi_d`` of one document's active labels: density, gradient, Hessian.

    - l_d B' theta_d + sum_f w[f,d] log(theta_d' beta_f) + sum_k log logistic(xi[d,k])
        - |xi_d - eta|^2 / (2 lambda2),        theta_d = softmax(xi_d),    B_k = sum_f beta_fk

The first line, words and labels, is the likelihood; the second is the prior. All vectors are over
the document's active labels, the only ones that its words can see.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import expit, log_expit, softmax

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.model.reductions import Reduced


class Document(NamedTuple):
    """The data that one document's affinities meet, with ``a`` active labels."""

    counts: NDArray[np.int32]  #: w[f,d] of the m words that it has
    rates: NDArray[np.float64]  #: m x a, beta of these words
    totals: NDArray[np.float64]  #: a, B: the rates summed over the whole vocabulary
    exposure: float  #: l_d


def documents_of(reduced: Reduced, rates: NDArray[np.float64]) -> Iterator[Document]:
    """Yield the data of every document of ``M``, given the ``V x K`` rates of the topics."""
    totals = rates.sum(axis=0)
    for d, exposure in enumerate(reduced.exposures):
        words = slice(reduced.counts.indptr[d], reduced.counts.indptr[d + 1])
        active = reduced.labels.indices[reduced.labels.indptr[d] : reduced.labels.indptr[d + 1]]
        own = rates[np.ix_(reduced.counts.indices[words], active)]
        yield Document(reduced.counts.data[words], own, totals[active], float(exposure))


def affinity_log_likelihood(affinities: NDArray[np.float64], document: Document) -> float:
    """Log likelihood of the document's words and active labels.

    The factors of the Poisson density that no parameter enters are left out.
    """
    theta = softmax(affinities)
    words = document.counts @ np.log(document.rates @ theta)
    expected = document.exposure * (document.totals @ theta)
    return float(words - expected + log_expit(affinities).sum())


def affinity_likelihood_gradient(
    affinities: NDArray[np.float64], document: Document
) -> NDArray[np.float64]:
    """Gradient of `affinity_log_likelihood`."""
    return _word_gradient(affinities, document) + expit(-affinities)


def affinity_log_density(
    affinities: NDArray[np.float64],
    document: Document,
    affinity_mean: NDArray[np.float64],
    affinity_variance: float,
) -> float:
    """Log density of ``xi_d`` given everything else, up to a constant.

    Parameters
    ----------
    affinities
        ``xi_d`` of the active labels.
    document
        The document's data.
    affinity_mean
        ``eta`` of the active labels.
    affinity_variance
        ``lambda2``.
    """
    distance = ((affinities - affinity_mean) ** 2).sum()
    return affinity_log_likelihood(affinities, document) - 0.5 * float(distance) / affinity_variance


def affinity_gradient(
    affinities: NDArray[np.float64],
    document: Document,
    affinity_mean: NDArray[np.float64],
    affinity_variance: float,
) -> NDArray[np.float64]:
    """Gradient of `affinity_log_density`."""
    likelihood = affinity_likelihood_gradient(affinities, document)
    return likelihood - (affinities - affinity_mean) / affinity_variance


def affinity_hessian(
    affinities: NDArray[np.float64], document: Document, affinity_variance: float
) -> NDArray[np.float64]:
    """Hessian of `affinity_log_density`.

    The softmax has ``d theta_k / d xi_j = theta_k (delta_kj - theta_j)``, and differentiating the
    words' gradient ``g = J u``, ``J`` this Jacobian and ``u`` the gradient in ``theta``, once more
    gives ``J (du/dtheta) J + diag(g) - g theta' - theta g'``. The first term is minus the words'
    part of `affinity_curvature`. The rest is indefinite.
    """
    theta, gradient = softmax(affinities), _word_gradient(affinities, document)
    cross = np.outer(gradient, theta)
    bend = np.diag(gradient) - cross - cross.T
    prior = np.eye(len(theta)) / affinity_variance
    return bend - affinity_curvature(affinities, document) - prior


def affinity_curvature(affinities: NDArray[np.float64], document: Document) -> NDArray[np.float64]:
    """Return the part of minus the likelihood's Hessian that is positive definite everywhere.

    ``sum_f w[f,d] (p_f - theta)(p_f - theta)' + diag(logistic(xi) logistic(-xi))``. With
    ``Identity / lambda2`` added it is a mass matrix at any point, not only near the mode.
    """
    theta = softmax(affinities)
    excess = np.sqrt(document.counts)[:, None] * (_shares(theta, document.rates) - theta)
    curvature: NDArray[np.float64]
    curvature = excess.T @ excess + np.diag(expit(affinities) * expit(-affinities))
    return curvature


def _shares(theta: NDArray[np.float64], rates: NDArray[np.float64]) -> NDArray[np.float64]:
    """``p_fk = theta_k beta_fk / theta' beta_f``: a topic's share of a word in the document."""
    shares = theta * rates
    shares /= shares.sum(axis=1, keepdims=True)
    return shares


def _word_gradient(affinities: NDArray[np.float64], document: Document) -> NDArray[np.float64]:
    """Gradient of the words' part: ``sum_f w[f,d] (p_f - theta) - l_d theta (B - theta' B)``."""
    theta = softmax(affinities)
    found = document.counts @ (_shares(theta, document.rates) - theta)
    expected = document.exposure * theta * (document.totals - theta @ document.totals)
    gradient: NDArray[np.float64] = found - expected
    return gradient
