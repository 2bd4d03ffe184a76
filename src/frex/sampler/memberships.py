"""Memberships of documents that were not fitted, given what a fit learned.

Rates and hyperparameters are held at their posterior means. A document with labels has the mode of
its active affinities, as in the fit. One without has that of the affinities of all topics given its
words alone (section 8 of the model):

    -l sum_k B_k theta_k + sum_f w_f log(theta' beta_f) - |xi - eta|^2 / (2 lambda2)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

from frex.sampler.data import document_data
from frex.sampler.kernels.affinities import (
    AffinityState,
    find_affinity_modes,
    gather,
    memberships_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.posterior import Posterior

SHIFT = 100.0
"""Added to all affinities of a document without labels: the softmax does not see it, and the
probability of every label, logistic(xi + SHIFT), is 1, so that the labels say nothing."""

MOST_STEPS = 1000
"""The kernel's curvature leaves out what may be negative, so its steps are cautious: a document of
few words took 100 to 300 of them to come within 1e-6 of its mode."""

BATCH = 1 << 22
"""Numbers of curvature, m^2 a document, that are held at a time."""


def find_memberships(
    posterior: Posterior,
    counts: csr_array[np.int32],
    labels: csr_array[np.bool_],
    exposures: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the memberships of documents, documents x topics.

    Parameters
    ----------
    posterior
        The fit.
    counts
        Documents x words.
    labels
        Documents x topics; a document without any is taken to be unlabelled, not to be about
        nothing.
    exposures
        The documents' lengths over the fit's `mean_length`.
    """
    memberships = np.zeros(labels.shape)
    n_labels = np.diff(labels.indptr)
    labelled, unlabelled = np.flatnonzero(n_labels), np.flatnonzero(n_labels == 0)
    for rows in _batches(labelled, n_labels[labelled]):
        active = labels[rows]
        flat = _modes(posterior, counts[rows], active, exposures[rows], shift=0.0)
        memberships[np.repeat(rows, np.diff(active.indptr)), active.indices] = flat
    n_topics = labels.shape[1]
    for rows in _batches(unlabelled, np.full(len(unlabelled), n_topics)):
        every = csr_array(np.ones((len(rows), n_topics), dtype=np.bool_))
        flat = _modes(posterior, counts[rows], every, exposures[rows], shift=SHIFT)
        memberships[rows] = flat.reshape(len(rows), n_topics)
    return memberships


def _batches(rows: NDArray[np.int64], n_labels: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield documents, so many that their curvatures take about one batch's memory."""
    ends = np.cumsum(n_labels.astype(np.int64) ** 2)
    yield from np.split(rows, np.flatnonzero(np.diff(ends // BATCH)) + 1) if len(rows) else ()


def _modes(
    posterior: Posterior,
    counts: csr_array[np.int32],
    labels: csr_array[np.bool_],
    exposures: NDArray[np.float64],
    *,
    shift: float,
) -> NDArray[np.float64]:
    """Return the memberships at the mode, flat, in the order of the labels."""
    hyper = posterior.hyperparameters
    data = document_data(counts, labels, exposures)
    rates = np.array(posterior.rates.mean)
    gathered = np.empty(int(data.rate_starts[-1]))
    gather(data, rates, gathered)
    affinity_mean = np.concatenate([[0.0], hyper.affinity_mean + shift])
    modes: NDArray[np.float64] = affinity_mean[data.nodes]
    memberships = np.empty_like(modes)
    state = AffinityState(
        affinities=modes,
        memberships=memberships,
        gathered=gathered,
        rate_sums=rates.sum(axis=0),
        affinity_mean=affinity_mean,
        affinity_variance=hyper.affinity_variance,
        curvature=np.empty(0),
    )
    curvature = np.empty(int(data.square_starts[-1]))
    find_affinity_modes(data, state, MOST_STEPS, 1e-12, modes, curvature)
    memberships_of(data, modes, memberships)
    return memberships
