"""Memberships of new labelled documents, given a fit.

Log rates and hyperparameters are fixed at their posterior means. The active affinities of a
document are set to their mode, as in the fit. `modes.py` is for documents without labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.sampler.data import document_data
from frex.sampler.kernels.affinities import find_affinity_modes
from frex.sampler.kernels.documents import AffinityState, gather, memberships_of
from frex.sampler.kernels.vectors import LANES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.posterior import Posterior

MOST_STEPS = 100
"""Most iterations; 2,000 legal acts with two to eleven labels took at most 20."""

BATCH = 1 << 22
"""Most entries of curvatures, m^2 per document, in a batch."""


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
        Documents x topics; a document without any has no memberships.
    exposures
        The documents' lengths over the fit's `mean_length`.
    """
    memberships = np.zeros(labels.shape)
    n_labels = np.diff(labels.indptr)
    labelled = np.flatnonzero(n_labels)
    for rows in _batches(labelled, n_labels[labelled]):
        active = labels[rows]
        flat = _modes(posterior, counts[rows], active, exposures[rows])
        memberships[np.repeat(rows, np.diff(active.indptr)), active.indices] = flat
    return memberships


def _batches(rows: NDArray[np.int64], n_labels: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield batches of documents whose curvatures take about the same memory."""
    ends = np.cumsum(n_labels.astype(np.int64) ** 2)
    yield from np.split(rows, np.flatnonzero(np.diff(ends // BATCH)) + 1) if len(rows) else ()


def _modes(
    posterior: Posterior,
    counts: csr_array[np.int32],
    labels: csr_array[np.bool_],
    exposures: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the memberships at the mode, flat, in the order of the labels."""
    hyper = posterior.hyperparameters
    data = document_data(counts, labels, exposures)
    rates = posterior.rates
    gathered = np.empty((int(data.rate_starts[-1]), LANES), np.float32)
    gather(data, rates, gathered)
    affinity_mean = np.concatenate([[0.0], hyper.affinity_mean])
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
