"""The hyperparameters' blocks: on the host, with sums over words and documents from the device."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.model.hyperparameters import label_hessian
from frex.sampler.hyperparameters import (
    AffinityHyperBlock,
    DispersionHyperBlock,
    affinity_position,
    affinity_prior,
    affinity_prior_hessian,
    dispersion_position,
    dispersion_prior,
    in_reach,
    label_terms,
    statistics_about,
    unseen,
    with_affinity,
    with_dispersion,
)
from frex.sampler.interweaving import (
    DOCUMENT_STEPS,
    WORD_STEPS,
    AffinityInterweaving,
    DispersionInterweaving,
    group_terms,
    slopes_along,
)
from frex.sampler.schmc import mass_factor, trajectory
from frex.sampler.state import Block

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.hyperparameters import AffinityStatistics
    from frex.model.priors import Hyperparameters
    from frex.model.reductions import Reduced
    from frex.sampler.cuda.documents import DeviceDocuments
    from frex.sampler.cuda.state import DeviceState
    from frex.sampler.cuda.words import DeviceWords
    from frex.sampler.kernels.cuda.documents import Around
    from frex.sampler.kernels.cuda.rates import Given
    from frex.sampler.schmc import Move
    from frex.sampler.state import Clock


@dataclass
class DeviceDispersionHyper(DispersionHyperBlock):
    """``(log nu, log sigma2)`` given squares that are on the device."""

    words: DeviceWords

    def sums(self, squares: Any, scale: float) -> NDArray[np.float64]:
        """Return the sums over words, parents x 3."""
        return self.words.dispersion_sums(squares, scale)


@dataclass
class DeviceAffinityHyper(AffinityHyperBlock):
    """``(eta, log lambda)`` given statistics of affinities that are on the device."""

    documents: DeviceDocuments
    reduced: Reduced
    n_active: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        topics, n_topics = self.reduced.labels.indices, self.reduced.tree.n_topics
        self.n_active = np.bincount(topics, minlength=n_topics)

    def statistics_of(
        self, affinities: Any, hyper: Hyperparameters, mean_on_device: Any
    ) -> AffinityStatistics:
        """Summarise affinities; sums are taken about eta."""
        away, squares = self.documents.deviations(affinities, mean_on_device)
        return statistics_about(self.reduced, self.n_active, hyper.affinity_mean, away, squares)


@dataclass
class DeviceAffinityInterweaving(AffinityInterweaving):
    """``(eta, log lambda)`` with the standardised active affinities held fixed on the device."""

    documents: DeviceDocuments

    def density_at(
        self,
        position: NDArray[np.float64],
        around: Around,
        statistics: AffinityStatistics,
        *,
        with_value: bool = True,
    ) -> tuple[float, NDArray[np.float64]]:
        """Return log density and gradient, given what `standardise` left on the device."""
        log_sd = float(position[-1])
        if not in_reach(log_sd):
            return -np.inf, np.zeros_like(position)
        around = around._replace(
            affinity_mean=self.documents.place_mean(position[:-1], on_trial=True),
            affinity_variance=float(np.exp(2 * log_sd)),
        )
        value, gradient = affinity_prior(self.priors, position)
        of_labels, in_labels = unseen(label_terms(position[:-1], log_sd), statistics)
        own, in_mean, in_log_sd = self.documents.density(around, with_value=with_value)
        return value + of_labels + own, gradient + in_labels + np.append(in_mean, in_log_sd)

    def refresh_on(
        self, state: DeviceState, around: Around, statistics: AffinityStatistics
    ) -> None:
        """Match the Gaussians to the documents' modes and curvatures, and find the mass."""
        position, data = affinity_position(state.hyper), self.data
        told = self.documents.match(around.affinity_mean, around.affinity_variance)
        n_topics = len(state.hyper.affinity_mean)
        matrix = np.zeros((n_topics + 1, n_topics + 1))
        n_labels = np.diff(data.label_starts)
        per_square = np.repeat(n_labels, n_labels**2)
        within = np.arange(len(told)) - np.repeat(data.square_starts[:-1], n_labels**2)
        first = np.repeat(data.label_starts[:-1], n_labels**2)
        row = data.nodes[first + within // np.maximum(per_square, 1)] - 1
        column = data.nodes[first + within % np.maximum(per_square, 1)] - 1
        summed = np.bincount(row * n_topics + column, told, n_topics**2)
        matrix[:-1, :-1] = summed.reshape(n_topics, n_topics)
        matrix -= label_hessian(position[:-1], float(position[-1]), statistics)
        matrix -= affinity_prior_hessian(self.priors, position)
        self.documents.standardise(state, around.affinity_mean)
        column = slopes_along(
            lambda x: self.density_at(x, around, statistics), position, len(position) - 1
        )
        matrix[-1] = matrix[:, -1] = -column
        self.lower[:] = mass_factor(matrix)

    def update_on(
        self, state: DeviceState, around: Around, statistics: AffinityStatistics, clock: Clock
    ) -> Move:
        """Draw ``(eta, lambda2)`` and move affinities and memberships along."""
        self.documents.standardise(state, around.affinity_mean)
        move = trajectory(
            affinity_position(state.hyper),
            lambda x: self.density_at(x, around, statistics),
            self.lower,
            clock.address(Block.AFFINITY_INTERWEAVING),
            step=float(self.step.value[0]),
            n_steps=DOCUMENT_STEPS,
            on_the_way=lambda x: self.density_at(x, around, statistics, with_value=False)[1],
        )
        if move.accepted:
            state.hyper = with_affinity(state.hyper, move.position)
            mean = self.documents.place_mean(state.hyper.affinity_mean)
            self.documents.take(state, mean, state.hyper.affinity_variance)
        return move


@dataclass
class DeviceDispersionInterweaving(DispersionInterweaving):
    """``(log nu, log sigma2)`` with what it holds fixed of the words on the device."""

    words: DeviceWords

    def density_at(
        self,
        position: NDArray[np.float64],
        hyper: Hyperparameters,
        given: Given,
        *,
        at_start: bool = False,
    ) -> tuple[float, NDArray[np.float64]]:
        """Return log density and gradient, given what `standardise` left on the device."""
        if not np.all(np.abs(position) < 20):
            return -np.inf, np.zeros(2)
        total = self.words.density(given, group_terms(position, hyper), at_start=at_start)
        value, gradient = dispersion_prior(self.priors, position)
        return value + float(total[0]), gradient + total[1:]

    def refresh_on(self, state: DeviceState, given: Given) -> None:
        """Match the Gaussians to the words at their modes, and find the mass by differences."""
        position = dispersion_position(state.hyper)
        self.words.match(state, given)
        self.words.standardise(state, group_terms(position, state.hyper))

        def density(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            return self.density_at(x, state.hyper, given)

        matrix = -np.array([slopes_along(density, position, i) for i in range(2)])
        self.lower[:] = mass_factor(0.5 * (matrix + matrix.T))

    def update_on(self, state: DeviceState, given: Given, clock: Clock) -> Move:
        """Draw ``(nu, sigma2)`` and move log rates and dispersions along."""
        hyper, position = state.hyper, dispersion_position(state.hyper)
        self.words.standardise(state, group_terms(position, hyper))
        move = trajectory(
            position,
            lambda x: self.density_at(x, hyper, given),
            self.lower,
            clock.address(Block.DISPERSION_INTERWEAVING),
            step=float(self.step.value[0]),
            n_steps=WORD_STEPS,
            start=self.density_at(position, hyper, given, at_start=True),
        )
        if move.accepted:  # the density was last asked for where the trajectory ended
            self.words.take(state)
            state.hyper = with_dispersion(hyper, move.position)
        return move
