"""Interweaving: hyperparameters moved together with the latent variables that they govern.

Two moves, each with what it holds fixed, its log density and its gradient. The density of the
variables held fixed does not depend on what moves, so it is left out, and no Jacobian appears.

Affinities (section 2.3): ``(eta, log lambda)`` moves, the standardised active affinities
``(xi - eta) / lambda`` stay.

Weak groups (section 2.4): ``log sigma`` moves, and the deviations of the groups marked weak scale
with it, ``nu`` and the other groups' deviations stay, all with the dispersions integrated out.

The prior of what moves is in `frex.model.priors` and not in these densities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from frex.model.affinities import (
    affinity_likelihood_gradient,
    affinity_log_likelihood,
    documents_of,
)
from frex.model.dispersions import (
    deviation_squares,
    group_log_density,
    group_of_topic,
    group_sizes,
    group_slope,
)
from frex.model.hyperparameters import label_gradient, label_log_likelihood
from frex.model.process import parent_nodes
from frex.model.rates import rate_gradient, rate_log_likelihood, words_of
from frex.model.reductions import exposure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.reductions import Reduced
    from frex.tree import TopicTree


def standardise(
    affinities: NDArray[np.float64],
    affinity_mean: NDArray[np.float64],
    log_affinity_sd: float,
    reduced: Reduced,
) -> NDArray[np.float64]:
    """``(xi - eta) / lambda`` of the active labels of ``M``, flat."""
    z: NDArray[np.float64]
    z = (affinities - affinity_mean[reduced.labels.indices]) * np.exp(-log_affinity_sd)
    return z


def unstandardise(
    standardised: NDArray[np.float64],
    affinity_mean: NDArray[np.float64],
    log_affinity_sd: float,
    reduced: Reduced,
) -> NDArray[np.float64]:
    """``xi = eta + lambda z``: the affinities after the move."""
    moved: NDArray[np.float64]
    moved = affinity_mean[reduced.labels.indices] + np.exp(log_affinity_sd) * standardised
    return moved


def affinity_interweaving_log_density(
    affinity_mean: NDArray[np.float64],
    log_affinity_sd: float,
    standardised: NDArray[np.float64],
    reduced: Reduced,
    rates: NDArray[np.float64],
) -> float:
    """Log likelihood of ``(eta, log lambda)`` given the standardised affinities.

    The labels that no affinity is kept for, integrated, and the likelihood of the words and active
    labels of ``M`` at the affinities moved along.

    Parameters
    ----------
    affinity_mean, log_affinity_sd
        Where to evaluate.
    standardised
        As of `standardise`; held fixed.
    reduced
        The data.
    rates
        ``V x K``, of the topics.
    """
    affinities = unstandardise(standardised, affinity_mean, log_affinity_sd, reduced)
    seen = sum(
        affinity_log_likelihood(own, document)
        for own, document in zip(
            _by_document(affinities, reduced), documents_of(reduced, rates), strict=True
        )
    )
    return seen + label_log_likelihood(affinity_mean, log_affinity_sd, *_unseen(reduced))


def affinity_interweaving_gradient(
    affinity_mean: NDArray[np.float64],
    log_affinity_sd: float,
    standardised: NDArray[np.float64],
    reduced: Reduced,
    rates: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Gradient of `affinity_interweaving_log_density` in ``(eta_1 .. eta_K, log lambda)``.

    An affinity has the derivatives 1 in its ``eta_k`` and ``lambda z`` in ``log lambda``.
    """
    affinities = unstandardise(standardised, affinity_mean, log_affinity_sd, reduced)
    slopes = np.empty_like(affinities)
    for own, affinity, document in zip(
        _by_document(slopes, reduced),
        _by_document(affinities, reduced),
        documents_of(reduced, rates),
        strict=True,
    ):
        own[:] = affinity_likelihood_gradient(affinity, document)
    in_mean = np.bincount(reduced.labels.indices, slopes, len(affinity_mean))
    in_log_sd = slopes @ standardised * np.exp(log_affinity_sd)
    gradient = label_gradient(affinity_mean, log_affinity_sd, *_unseen(reduced))
    gradient += np.append(in_mean, in_log_sd)
    return gradient


def _unseen(reduced: Reduced) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return reduced.n_documents - reduced.label_counts, reduced.single_label_counts


def _by_document(flat: NDArray[np.float64], reduced: Reduced) -> list[NDArray[np.float64]]:
    """Cut a flat array over active labels into views, one for each document of ``M``."""
    return np.split(flat, reduced.labels.indptr[1:-1]) if len(reduced.documents) else []


def weak_groups(
    tree: TopicTree,
    log_rates: NDArray[np.float64],
    exposure: NDArray[np.float64],
    threshold: float = 3.0,
) -> NDArray[np.bool_]:
    """Mark the groups that the data say little about, ``V x P``.

    Those whose expected counts ``sum E_j beta_fj`` over all topics below the parent are under the
    threshold. The marks must not follow the chain once it is to keep its distribution.
    """
    below = np.zeros_like(log_rates)
    for node in range(tree.n_nodes - 1, 0, -1):
        own = exposure[node - 1] * np.exp(log_rates[:, node])
        below[:, tree.parents[node]] += own + below[:, node]
    weak: NDArray[np.bool_] = below[:, parent_nodes(tree)] < threshold
    return weak


def scale_weak_deviations(
    tree: TopicTree,
    log_rates: NDArray[np.float64],
    weak: NDArray[np.bool_],
    log_factor: float,
) -> NDArray[np.float64]:
    """Scale the deviations of weak groups by ``c = exp(log_factor)``; descendants move along."""
    return _sum_down(tree, log_rates, np.where(weak, np.exp(log_factor), 1.0))


class WeakStart(NamedTuple):
    """Where a weak-group move starts, and which groups it moves."""

    log_rates: NDArray[np.float64]  #: V x N
    weak: NDArray[np.bool_]  #: V x P
    log_nu: float
    log_sigma2: float


def weak_group_log_density(
    log_factor: float, start: WeakStart, reduced: Reduced, memberships: NDArray[np.float64]
) -> float:
    """Log likelihood of ``log sigma + log c`` given all that the weak-group move holds fixed.

    The words at the moved rates, and the strong groups' deviations, which stay, at
    ``c^2 sigma2``.

    Parameters
    ----------
    log_factor
        ``log c``; at 0 nothing has moved.
    start
        Where the move starts.
    reduced
        The data.
    memberships
        Flat, of the active labels of ``M``.
    """
    tree = reduced.tree
    log_rates, weak, log_nu, log_sigma2 = start
    moved = scale_weak_deviations(tree, log_rates, weak, log_factor)
    total = exposure(reduced, memberships)
    words = sum(
        rate_log_likelihood(own, *word, total)
        for own, word in zip(moved, words_of(reduced, memberships), strict=True)
    )
    groups = group_log_density(
        log_nu,
        log_sigma2 + 2 * log_factor,
        deviation_squares(tree, log_rates),
        group_sizes(tree),
    )
    return words + float(groups[~weak].sum())


def weak_group_gradient(
    log_factor: float, start: WeakStart, reduced: Reduced, memberships: NDArray[np.float64]
) -> float:
    """Slope of `weak_group_log_density` in ``log c``."""
    tree = reduced.tree
    log_rates, weak, log_nu, log_sigma2 = start
    moved = scale_weak_deviations(tree, log_rates, weak, log_factor)
    # c times a weak deviation has itself as its slope, a strong one has none, nor has the root
    velocity = _sum_down(tree, log_rates, np.where(weak, np.exp(log_factor), 0.0), root=0.0)
    total = exposure(reduced, memberships)
    words = sum(
        float(rate_gradient(own, *word, total) @ direction)
        for own, direction, word in zip(
            moved, velocity, words_of(reduced, memberships), strict=True
        )
    )
    groups = group_slope(
        log_nu,
        log_sigma2 + 2 * log_factor,
        deviation_squares(tree, log_rates),
        group_sizes(tree),
    )
    return words + 2 * float(groups[~weak].sum())


def _sum_down(
    tree: TopicTree,
    log_rates: NDArray[np.float64],
    factors: NDArray[np.float64],
    root: float = 1.0,
) -> NDArray[np.float64]:
    """Multiply every group's deviations by its factor, and sum them from the root down."""
    moved = log_rates * root
    group = group_of_topic(tree)
    for node in range(1, tree.n_nodes):
        parent = tree.parents[node]
        deviation = log_rates[:, node] - log_rates[:, parent]
        moved[:, node] = moved[:, parent] + factors[:, group[node - 1]] * deviation
    return moved
