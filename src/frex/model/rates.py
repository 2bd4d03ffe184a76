"""The log rates ``mu_f`` of one word: density, derivatives, and linear algebra on the tree.

    n_f' mu_f + sum_d w[f,d] log(theta_d' beta_f) - E' beta_f
        - 1/2 (mu_f - psi)' Lambda_f (mu_f - psi)

The first line is the likelihood, the second the prior; each has its own functions, because the
sampler keeps the likelihood's curvature and renews the prior's. The sum is over documents with two
or more labels that have the word; the others are in ``n_f`` and in the exposure ``E`` (section 2).
Vectors of a word have ``N`` entries, one for each node. The root has no documents: only the prior
sees it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from frex.model.dispersions import group_of_topic
from frex.model.priors import LOG_TWO_PI

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import ArrayLike, NDArray

    from frex.model.reductions import Reduced
    from frex.tree import TopicTree

    Memberships = NDArray[np.float64] | csr_array[np.float64]


class Word(NamedTuple):
    """The data that one word's rates meet, besides the exposure that all words share."""

    single_counts: NDArray[np.float64]  #: K, its counts in single-label documents
    counts: NDArray[np.int32]  #: m, its counts in the documents of M that have it
    memberships: csr_array[np.float64]  #: m x K, those documents' memberships


def words_of(reduced: Reduced, memberships: NDArray[np.float64]) -> Iterator[Word]:
    """Yield every word's data, given the flat memberships of the active labels of ``M``."""
    theta = csr_array(
        (memberships, reduced.labels.indices, reduced.labels.indptr), shape=reduced.labels.shape
    )
    by_word = reduced.counts.tocsc()
    for f, single_counts in enumerate(reduced.single_counts):
        own = slice(by_word.indptr[f], by_word.indptr[f + 1])
        yield Word(single_counts, by_word.data[own], theta[by_word.indices[own]])


# The prior


def deviation_variances(
    tree: TopicTree, root_variance: float, dispersions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return each node's variance about its parent, and first the root's about ``psi``."""
    return np.concatenate([[root_variance], dispersions[group_of_topic(tree)]])


def tree_precision_entries(
    tree: TopicTree, root_variance: float, dispersions: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the diagonal of ``Lambda``, and each node's entry with its parent.

    Every node's ``-(mu_j - mu_p)^2 / (2 tau2_p)`` gives ``1 / tau2_p`` to the diagonal at ``j`` and
    at ``p``, and its negative to the entry between them.
    """
    precision = 1 / deviation_variances(tree, root_variance, dispersions)
    diagonal = precision + np.bincount(tree.parents[1:], precision[1:], tree.n_nodes)
    coupling = np.concatenate([[0.0], -precision[1:]])
    return diagonal, coupling


def tree_precision(
    tree: TopicTree, root_variance: float, dispersions: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``Lambda``, ``N x N``: the prior precision of a word's log rates.

    Parameters
    ----------
    tree
        The tree.
    root_variance
        ``gamma2``.
    dispersions
        The word's ``tau2``, one for each node that has children.
    """
    diagonal, coupling = tree_precision_entries(tree, root_variance, dispersions)
    matrix = np.diag(diagonal)
    nodes, parents = np.arange(1, tree.n_nodes), tree.parents[1:]
    matrix[nodes, parents] = matrix[parents, nodes] = coupling[1:]
    return matrix


def rate_prior_log_density(
    log_rates: NDArray[np.float64],
    tree: TopicTree,
    root_mean: float,
    root_variance: float,
    dispersions: NDArray[np.float64],
) -> float:
    """Log density of ``mu_f``, normalised: a normal for every node about its parent."""
    variances = deviation_variances(tree, root_variance, dispersions)
    centres = np.concatenate([[root_mean], log_rates[tree.parents[1:]]])
    return float(
        -0.5 * (LOG_TWO_PI + np.log(variances) + (log_rates - centres) ** 2 / variances).sum()
    )


def rate_prior_gradient(
    log_rates: NDArray[np.float64],
    tree: TopicTree,
    root_mean: float,
    root_variance: float,
    dispersions: NDArray[np.float64],
) -> NDArray[np.float64]:
    """``-Lambda (mu_f - psi)``; the Hessian is ``-Lambda``."""
    return -tree_precision(tree, root_variance, dispersions) @ (log_rates - root_mean)


# The likelihood


def rate_log_likelihood(
    log_rates: NDArray[np.float64],
    single_counts: NDArray[np.float64],
    counts: NDArray[np.int32],
    memberships: Memberships,
    exposure: NDArray[np.float64],
) -> float:
    """``n_f' mu_f + sum_d w[f,d] log(theta_d' beta_f) - E' beta_f``.

    Parameters
    ----------
    log_rates
        ``mu_f``, all ``N`` nodes.
    single_counts
        ``n_f``, one for each of the ``K`` topics.
    counts
        ``w[f,d]`` of the documents with two or more labels that have the word.
    memberships
        ``theta_d`` of these documents, documents x topics.
    exposure
        ``E``, of all documents.
    """
    topics = log_rates[1:]
    rates = np.exp(topics)
    shared = counts @ np.log(memberships @ rates)
    return float(single_counts @ topics + shared - exposure @ rates)


def rate_gradient(
    log_rates: NDArray[np.float64],
    single_counts: NDArray[np.float64],
    counts: NDArray[np.int32],
    memberships: Memberships,
    exposure: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Gradient of `rate_log_likelihood`, ``N`` with 0 for the root."""
    rates = np.exp(log_rates[1:])
    shared = rates * (memberships.T @ (counts / (memberships @ rates)))
    return np.concatenate([[0.0], single_counts + shared - exposure * rates])


def rate_hessian(
    log_rates: NDArray[np.float64],
    counts: NDArray[np.int32],
    memberships: Memberships,
    exposure: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Hessian of `rate_log_likelihood`, ``N x N`` with zeros for the root.

    ``diag(g) - sum_d w[f,d] p_d p_d'``, where ``p_dk = theta_dk beta_fk / theta_d' beta_f`` is the
    topic's share of the word in the document and ``g = sum_d w[f,d] p_d - E beta_f``. The counts of
    single-label documents are linear in ``mu_f`` and not in it: the paper's ``G`` would count them
    and its first term, in which their share is 1, take them off again.
    """
    rates = np.exp(log_rates[1:])
    theta = memberships.toarray() if isinstance(memberships, csr_array) else memberships
    shares = theta * rates
    shares /= shares.sum(axis=1, keepdims=True)
    hessian = np.zeros((len(log_rates), len(log_rates)))
    hessian[1:, 1:] = np.diag(counts @ shares - exposure * rates)
    shares *= np.sqrt(counts)[:, None]
    hessian[1:, 1:] -= shares.T @ shares
    return hessian


def tree_curvature(
    log_rates: NDArray[np.float64], exposure: NDArray[np.float64]
) -> NDArray[np.float64]:
    """``E beta_f``: the diagonal that stands for minus the likelihood's Hessian, 0 for the root.

    It is the expectation of minus the Hessian when every document has one label. Added to
    ``Lambda`` it leaves the tree's pattern as it is.
    """
    return np.concatenate([[0.0], exposure * np.exp(log_rates[1:])])


# Linear algebra on the tree. A symmetric matrix A has entries only on the diagonal and between a
# node and its parent. Eliminate children before parents, which is from the last node to the first:
# a node then meets nothing but its parent, so its elimination changes the parent's pivot and fills
# in nothing. With d_i the pivot and m_i = A[i, parent] / d_i,
#
#   A = L D L',    L[i,i] = 1,    L[parent of i, i] = m_i,    d_p = A[p,p] - sum_children m_j^2 d_j.
#
# A product with L or its inverse goes up the tree, one with L' or its inverse goes down: each is
# one pass over the nodes.


class TreeFactor(NamedTuple):
    """The factors of a positive definite matrix with a tree's pattern."""

    parents: NDArray[np.int32]
    pivots: NDArray[np.float64]  #: d; the matrix' log determinant is the sum of their logs
    multipliers: NDArray[np.float64]  #: m, 0 for the root


def tree_factor(parents: NDArray[np.int32], diagonal: ArrayLike, coupling: ArrayLike) -> TreeFactor:
    """Factor a matrix with a tree's pattern.

    Parameters
    ----------
    parents
        Each node's parent, parents first; -1 for the root.
    diagonal
        ``A[i,i]``.
    coupling
        ``A[i, parent of i]``; the root's is not used.
    """
    pivots, multipliers = np.array(diagonal, dtype=np.float64), np.array(coupling, dtype=np.float64)
    multipliers[0] = 0.0
    for node in range(len(pivots) - 1, 0, -1):
        entry = multipliers[node]
        multipliers[node] /= pivots[node]
        pivots[parents[node]] -= multipliers[node] * entry
    return TreeFactor(parents, pivots, multipliers)


def tree_solve(factor: TreeFactor, vector: ArrayLike) -> NDArray[np.float64]:
    """Solve ``A x = vector``."""
    x = np.array(vector, dtype=np.float64)
    for node in range(len(x) - 1, 0, -1):
        x[factor.parents[node]] -= factor.multipliers[node] * x[node]
    return _down(factor, x / factor.pivots)


def tree_sample(factor: TreeFactor, noise: ArrayLike) -> NDArray[np.float64]:
    """Turn standard normals into ``Normal(0, A)``: a momentum whose mass is the matrix."""
    x: NDArray[np.float64] = np.sqrt(factor.pivots) * np.asarray(noise, dtype=np.float64)
    for node in range(1, len(x)):  # a parent takes what its child has before the child changes
        x[factor.parents[node]] += factor.multipliers[node] * x[node]
    return x


def tree_sample_inverse(factor: TreeFactor, noise: ArrayLike) -> NDArray[np.float64]:
    """Turn standard normals into ``Normal(0, inverse of A)``: log rates of precision ``A``."""
    return _down(factor, np.asarray(noise, dtype=np.float64) / np.sqrt(factor.pivots))


def _down(factor: TreeFactor, x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Solve ``L' y = x`` in place."""
    for node in range(1, len(x)):
        x[node] -= factor.multipliers[node] * x[factor.parents[node]]
    return x
