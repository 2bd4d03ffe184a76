"""The hyperparameters: psi and gamma2 in closed form, (nu, sigma2) and (eta, lambda) by SCHMC.

(nu, sigma2) are drawn with the dispersions integrated out, (eta, lambda) with every affinity that
the words cannot see integrated out; `model/dispersions.py` and `model/hyperparameters.py` hold the
densities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from frex.model.hyperparameters import (
    AffinityStatistics,
    active_gradient,
    active_log_density,
    affinity_hyper_hessian,
    affinity_statistics,
    label_gradient,
    label_log_density,
    root_mean_conditional,
    root_variance_conditional,
    root_variance_log_acceptance,
)
from frex.model.priors import LARGEST_LOG_AFFINITY_SD
from frex.sampler.kernels.labels import label_probabilities
from frex.sampler.kernels.random import gamma_value, normal_array, uniform_pair
from frex.sampler.kernels.sums import dispersion_sums
from frex.sampler.schmc import Move, StepSize, find_mode, mass_factor, trajectory
from frex.sampler.state import Block
from frex.sampler.sums import Summing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.priors import Hyperparameters, Priors
    from frex.model.reductions import Reduced
    from frex.sampler.kernels.words import WordData
    from frex.sampler.state import Clock

N_STEPS = 3

AFFINITY_STEPS = 6
"""With a hundred topics and more a step is 0.3 long; six make a quarter of a period."""


def draw_root(
    hyper: Hyperparameters, root_log_rates: NDArray[np.float64], priors: Priors, clock: Clock
) -> Hyperparameters:
    """Draw psi and gamma2 given the root's log rates."""
    address = clock.address(Block.ROOT_MEAN)
    centre = root_mean_conditional(root_log_rates, hyper.root_variance, priors.root_mean)
    noise = normal_array(address.key, 0, address.scan, address.stream, 1)[0]
    root_mean = float(centre.mean + np.sqrt(centre.variance) * noise)

    address = clock.address(Block.ROOT_VARIANCE)
    exact = root_variance_conditional(root_log_rates, root_mean)
    chi2 = 2 * gamma_value(address.key, 0, address.scan, address.stream, 0.5 * float(exact.df))
    proposed = float(exact.df * exact.scale / chi2)
    u, _ = uniform_pair(address.key, 1, address.scan, address.stream, 0)
    ratio = root_variance_log_acceptance(hyper.root_variance, proposed, priors.root_sd)
    root_variance = proposed if np.log(u) < ratio else hyper.root_variance
    return hyper._replace(root_mean=root_mean, root_variance=root_variance)


@dataclass
class DispersionHyperBlock(Summing):
    """``(log nu, log sigma2)`` given the log rates, the dispersions integrated out."""

    data: WordData
    n_children: NDArray[np.float64]
    priors: Priors
    lower: NDArray[np.float64]  #: of the mass, changed in place
    step: StepSize

    @classmethod
    def create(
        cls, data: WordData, n_children: NDArray[np.int64], priors: Priors
    ) -> DispersionHyperBlock:
        """Return a block whose mass is still to be found."""
        step = StepSize.create(1, N_STEPS)
        return cls(data, n_children.astype(np.float64), priors, np.eye(2), step)

    def sums(self, squares: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
        """Return the sums over words that the density needs, parents x 3."""
        partial = np.empty((len(self.data.turns), len(self.n_children), 3))
        dispersion_sums(self.data, squares, scale, partial)
        return self.summed(partial)

    def derivatives(
        self, position: NDArray[np.float64], squares: NDArray[np.float64]
    ) -> tuple[float, NDArray[np.float64], NDArray[np.float64]]:
        """Return log density, gradient and Hessian, prior included.

        The groups of one parent share all but S, so sums over words are all that is needed.
        """
        with np.errstate(over="ignore"):
            nu, scale = np.exp(position[0]), np.exp(position[0] + position[1])
        if not (np.isfinite(scale) and scale > 0 and nu > 0):
            return -np.inf, np.zeros(2), -np.eye(2)
        log_excess, share, share_square = self.sums(squares, scale).T
        n_groups = len(squares)
        a, b = 0.5 * nu, 0.5 * (nu + self.n_children)
        value = (
            n_groups * (gammaln(b) - gammaln(a) - 0.5 * self.n_children * np.log(np.pi * scale))
            - b * log_excess
        ).sum()
        in_scale = b * share - 0.5 * n_groups * self.n_children
        in_nu = a * (n_groups * (digamma(b) - digamma(a)) - log_excess) + in_scale
        bend = -b * (share - share_square)
        mixed = a * share + bend
        twice = (
            (in_nu - in_scale)
            + a * a * n_groups * (polygamma(1, b) - polygamma(1, a))
            + 2 * a * share
            + bend
        )
        prior, gradient = dispersion_prior(self.priors, position)
        value += prior
        gradient += [in_nu.sum(), in_scale.sum()]
        hessian = np.array([[twice.sum(), mixed.sum()], [mixed.sum(), bend.sum()]])
        priors = (self.priors.log_dispersion_df, self.priors.log_dispersion_scale)
        second = [prior.second_derivative(x) for prior, x in zip(priors, position, strict=True)]
        return float(value), gradient, hessian + np.diag(second)

    def refresh(self, hyper: Hyperparameters, squares: NDArray[np.float64]) -> Hyperparameters:
        """Find the conditional mode, keep the curvature there, and return the mode."""
        mode = find_mode(
            dispersion_position(hyper),
            lambda x: self.derivatives(x, squares)[:2],
            lambda x: self.derivatives(x, squares)[2],
        )
        self.lower[:] = mass_factor(-self.derivatives(mode, squares)[2])
        return with_dispersion(hyper, mode)

    def update(
        self, hyper: Hyperparameters, squares: NDArray[np.float64], clock: Clock
    ) -> tuple[Hyperparameters, Move]:
        """Draw ``(nu, sigma2)``."""
        move = trajectory(
            dispersion_position(hyper),
            lambda x: self.derivatives(x, squares)[:2],
            self.lower,
            clock.address(Block.DISPERSION_HYPER),
            step=float(self.step.value[0]),
            n_steps=N_STEPS,
        )
        return with_dispersion(hyper, move.position), move


def dispersion_position(hyper: Hyperparameters) -> NDArray[np.float64]:
    """Return ``(log nu, log sigma2)``."""
    return np.log([hyper.dispersion_df, hyper.dispersion_scale])


def with_dispersion(hyper: Hyperparameters, position: NDArray[np.float64]) -> Hyperparameters:
    """Return hyperparameters with ``(log nu, log sigma2)`` put in."""
    df, scale = np.exp(position)
    return hyper._replace(dispersion_df=float(df), dispersion_scale=float(scale))


def dispersion_prior(
    priors: Priors, position: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Return log prior density and its gradient in ``(log nu, log sigma2)``."""
    both = priors.log_dispersion_df, priors.log_dispersion_scale
    value = sum(prior.log_density(x) for prior, x in zip(both, position, strict=True))
    slopes = [prior.gradient(x) for prior, x in zip(both, position, strict=True)]
    return float(value), np.array(slopes)


@dataclass
class AffinityHyperBlock:
    """``(eta, log lambda)`` given the active affinities, the unseen ones integrated out."""

    priors: Priors
    lower: NDArray[np.float64]  #: of the mass, changed in place
    step: StepSize

    @classmethod
    def create(cls, n_topics: int, priors: Priors) -> AffinityHyperBlock:
        """Return a block whose mass is still to be found."""
        return cls(priors, np.eye(n_topics + 1), StepSize.create(1, AFFINITY_STEPS))

    def expected_statistics(
        self, reduced: Reduced, modes: NDArray[np.float64], variances: NDArray[np.float64]
    ) -> AffinityStatistics:
        """Return what the statistics are on average, of affinities that vary about modes."""
        statistics = affinity_statistics(reduced, modes)
        added = np.bincount(reduced.labels.indices, variances, reduced.tree.n_topics)
        return statistics._replace(active_squares=statistics.active_squares + added)

    def density(
        self, position: NDArray[np.float64], statistics: AffinityStatistics
    ) -> tuple[float, NDArray[np.float64]]:
        """Return log density and gradient in ``(eta_1 .. eta_K, log lambda)``, prior included."""
        mean, log_sd = position[:-1], float(position[-1])
        if not in_reach(log_sd):
            return -np.inf, np.zeros_like(position)
        value, gradient = affinity_prior(self.priors, position)
        of_labels, in_labels = unseen(self.label_terms(mean, log_sd), statistics)
        value += of_labels + active_log_density(mean, log_sd, statistics)
        return value, gradient + in_labels + active_gradient(mean, log_sd, statistics)

    def label_terms(self, mean: NDArray[np.float64], log_sd: float) -> NDArray[np.float64]:
        """Return what `label_terms` does, of all topics."""
        return label_terms(mean, log_sd)

    def hessian(
        self, position: NDArray[np.float64], statistics: AffinityStatistics
    ) -> NDArray[np.float64]:
        """Return the Hessian of `density`."""
        hessian = affinity_hyper_hessian(position[:-1], float(position[-1]), statistics)
        return hessian + affinity_prior_hessian(self.priors, position)

    def refresh(self, hyper: Hyperparameters, statistics: AffinityStatistics) -> Hyperparameters:
        """Find the conditional mode, keep the curvature there, and return the mode."""
        mode = find_mode(
            affinity_position(hyper),
            lambda x: self.density(x, statistics),
            lambda x: self.hessian(x, statistics),
        )
        self.lower[:] = mass_factor(-self.hessian(mode, statistics))
        return with_affinity(hyper, mode)

    def update(
        self, hyper: Hyperparameters, statistics: AffinityStatistics, clock: Clock
    ) -> tuple[Hyperparameters, Move]:
        """Draw ``(eta, lambda2)``."""
        move = trajectory(
            affinity_position(hyper),
            lambda x: self.density(x, statistics),
            self.lower,
            clock.address(Block.AFFINITY_HYPER),
            step=float(self.step.value[0]),
            n_steps=AFFINITY_STEPS,
        )
        return with_affinity(hyper, move.position), move


def statistics_about(
    reduced: Reduced,
    n_active: NDArray[np.int64],
    centre: NDArray[np.float64],
    away: NDArray[np.float64],
    squares: NDArray[np.float64],
) -> AffinityStatistics:
    """Return the statistics of affinities from their sums, and those of squares, about a centre.

    About eta, which is close to their means, no digits are lost.
    """
    mean = away / np.maximum(n_active, 1)
    return AffinityStatistics(
        reduced.n_documents - reduced.label_counts,
        reduced.single_label_counts,
        n_active,
        np.where(n_active > 0, centre + mean, 0.0),
        np.maximum(squares - away * mean, 0.0),
        reduced.n_conditioned,
    )


def label_terms(
    mean: NDArray[np.float64], log_sd: float, topics: slice | None = None
) -> NDArray[np.float64]:
    """Return log P0 and log P1 of topics, and the slopes of each in eta_k and log lambda.

    Of all topics, or a stretch of them; topics x 6.
    """
    first, last = (0, len(mean)) if topics is None else (topics.start, topics.stop)
    terms = np.empty((last - first, 6))
    label_probabilities(mean, float(np.exp(log_sd)), first, terms)
    return terms


def unseen(
    terms: NDArray[np.float64], statistics: AffinityStatistics
) -> tuple[float, NDArray[np.float64]]:
    """Return what the labels say whose affinities no word can see, and its gradient.

    The gradient is in ``(eta_1 .. eta_K, log lambda)``.
    """
    columns = terms.T
    log_p0, log_p1 = columns[:2]
    return (
        label_log_density(log_p0, log_p1, statistics),
        label_gradient(log_p0, log_p1, columns[2:4], columns[4:], statistics),
    )


def in_reach(log_sd: float) -> bool:
    """Tell whether lambda is where the quadrature over affinities fits into memory.

    A trajectory that diverges asks for any.
    """
    return -20 < log_sd < LARGEST_LOG_AFFINITY_SD


def affinity_position(hyper: Hyperparameters) -> NDArray[np.float64]:
    """Return ``(eta_1 .. eta_K, log lambda)``."""
    return np.append(hyper.affinity_mean, 0.5 * np.log(hyper.affinity_variance))


def with_affinity(hyper: Hyperparameters, position: NDArray[np.float64]) -> Hyperparameters:
    """Return hyperparameters with ``(eta_1 .. eta_K, log lambda)`` put in."""
    return hyper._replace(
        affinity_mean=position[:-1].copy(), affinity_variance=float(np.exp(2 * position[-1]))
    )


def affinity_prior(
    priors: Priors, position: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """Return log prior density and its gradient in ``(eta_1 .. eta_K, log lambda)``."""
    mean, log_sd = position[:-1], position[-1]
    value = priors.affinity_mean.joint_log_density(mean)
    value += float(priors.affinity_sd.log_density_of_log(log_sd))
    slopes = np.append(
        priors.affinity_mean.joint_gradient(mean), priors.affinity_sd.gradient_of_log(log_sd)
    )
    return value, slopes


def affinity_prior_hessian(priors: Priors, position: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the Hessian of `affinity_prior`."""
    n = len(position)
    hessian = np.zeros((n, n))
    hessian[:-1, :-1] = priors.affinity_mean.joint_hessian(position[:-1])
    hessian[-1, -1] = priors.affinity_sd.second_derivative_of_log(position[-1])
    return hessian
