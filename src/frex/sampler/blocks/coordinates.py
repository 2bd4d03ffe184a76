"""Coordinates of eta: one for each topic, or one less without labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from frex.model.contrasts import contrast_basis, contrast_priors
from frex.model.hyperparameters import AffinityStatistics
from frex.model.priors import LARGEST_LOG_AFFINITY_SD

if TYPE_CHECKING:
    from frex.model.priors import Hyperparameters, Priors
    from frex.model.reductions import Reduced
    from frex.sampler.arrays import Floats


class Coordinates(Protocol):
    """The coordinates of eta, for the blocks of (eta, log lambda)."""

    n: int  #: number of coordinates
    priors: Priors  #: in these coordinates
    labelled: bool  #: whether labels inform eta and lambda

    def to_coordinates(self, mean: Floats) -> Floats:
        """Return the coordinates of a vector over topics."""
        ...

    def to_topics(self, coordinates: Floats) -> Floats:
        """Undo `to_coordinates`."""
        ...

    def matrix(self, topics: Floats) -> Floats:
        """Return a quadratic form over topics in these coordinates."""
        ...

    def statistics(self, centre: Floats, deviations: Floats, squares: Floats) -> AffinityStatistics:
        """Return the sufficient statistics of the affinities, from sums by topic about a centre.

        With eta as the centre, which is close to their means, no precision is lost.
        """
        ...


class Topics:
    """HPC: a coordinate for each topic.

    Parameters
    ----------
    reduced
        The corpus.
    priors
        Priors of the hyperparameters.
    """

    labelled = True

    def __init__(self, reduced: Reduced, priors: Priors) -> None:
        self.n, self.priors = reduced.tree.n_topics, priors
        self._n_absent = reduced.n_documents - reduced.label_counts
        self._n_single = reduced.single_label_counts
        self._n_active = np.bincount(reduced.labels.indices, minlength=self.n)
        self._n_conditioned = reduced.n_conditioned

    def to_coordinates(self, mean: Floats) -> Floats:
        """Return the same."""
        return mean

    def to_topics(self, coordinates: Floats) -> Floats:
        """Return the same."""
        return coordinates.copy()

    def matrix(self, topics: Floats) -> Floats:
        """Return the same."""
        return topics

    def statistics(self, centre: Floats, deviations: Floats, squares: Floats) -> AffinityStatistics:
        """Return the sufficient statistics of the affinities."""
        n_active = self._n_active
        mean = deviations / np.maximum(n_active, 1)
        return AffinityStatistics(
            self._n_absent,
            self._n_single,
            n_active,
            np.where(n_active > 0, centre + mean, 0.0),
            np.maximum(squares - deviations * mean, 0.0),
            self._n_conditioned,
        )


class Contrasts:
    """PCM: eta sums to 0, with coordinates in an orthonormal basis (`model/contrasts.py`).

    Parameters
    ----------
    reduced, priors
        As for `Topics`.
    """

    labelled = False

    def __init__(self, reduced: Reduced, priors: Priors) -> None:
        n_topics = reduced.tree.n_topics
        self.n, self.priors = n_topics - 1, contrast_priors(priors)
        self._basis = contrast_basis(n_topics)
        self._n_documents = reduced.n_documents

    def to_coordinates(self, mean: Floats) -> Floats:
        """Return ``H' eta``."""
        return self._basis.T @ mean

    def to_topics(self, coordinates: Floats) -> Floats:
        """Undo `to_coordinates`."""
        return self._basis @ coordinates

    def matrix(self, topics: Floats) -> Floats:
        """Return a quadratic form over topics in the basis."""
        form: Floats = self._basis.T @ topics @ self._basis
        return form

    def statistics(self, centre: Floats, deviations: Floats, squares: Floats) -> AffinityStatistics:
        """Return the sufficient statistics of the contrasts.

        Only the sum of their squares is used, so it is divided evenly: rotating all documents would
        cost D K^2.
        """
        n_documents = self._n_documents
        mean = deviations / max(n_documents, 1)
        total = max(float((squares - deviations * mean).sum()), 0.0)
        none = np.zeros(self.n, dtype=np.int64)
        return AffinityStatistics(
            n_absent=none,
            n_single=none,
            n_active=np.full(self.n, n_documents),
            active_mean=self.to_coordinates(centre + mean),
            active_squares=np.full(self.n, total / self.n),
        )


def affinity_position(hyper: Hyperparameters, coordinates: Coordinates | None = None) -> Floats:
    """Return ``(eta_1 .. eta_K, log lambda)``, eta in coordinates."""
    mean = (
        hyper.affinity_mean
        if coordinates is None
        else coordinates.to_coordinates(hyper.affinity_mean)
    )
    return np.append(mean, 0.5 * np.log(hyper.affinity_variance))


def with_affinity(
    hyper: Hyperparameters, position: Floats, coordinates: Coordinates | None = None
) -> Hyperparameters:
    """Return hyperparameters with the values of a position."""
    own = position[:-1]
    mean = own.copy() if coordinates is None else coordinates.to_topics(own)
    return hyper._replace(affinity_mean=mean, affinity_variance=float(np.exp(2 * position[-1])))


def affinity_prior(
    priors: Priors, position: Floats, *, with_value: bool = True
) -> tuple[float, Floats]:
    """Return log prior density and its gradient at a position; without the value, NaN for it."""
    mean, log_sd = position[:-1], position[-1]
    slopes = np.empty(len(position))
    slopes[:-1] = priors.affinity_mean.joint_gradient(mean)
    slopes[-1] = priors.affinity_sd.gradient_of_log(log_sd)
    if not with_value:
        return np.nan, slopes
    value = priors.affinity_mean.joint_log_density(mean)
    value += float(priors.affinity_sd.log_density_of_log(log_sd))
    return value, slopes


def affinity_prior_hessian(priors: Priors, position: Floats) -> Floats:
    """Return the Hessian of `affinity_prior`."""
    n = len(position)
    hessian = np.zeros((n, n))
    hessian[:-1, :-1] = priors.affinity_mean.joint_hessian(position[:-1])
    hessian[-1, -1] = priors.affinity_sd.second_derivative_of_log(position[-1])
    return hessian


def is_supported(log_sd: float) -> bool:
    """Tell whether the quadrature over affinities fits into memory for this lambda.

    A divergent trajectory may request any value.
    """
    return -20 < log_sd < LARGEST_LOG_AFFINITY_SD
