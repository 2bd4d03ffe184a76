"""Interweaving: hyperparameters drawn once more, together with what they govern.

`model/interweaving.py` says what the moves hold fixed, and why. What stands for the likelihood, and
the masses, are found at scheduled scans of the warm-up and stay as they are after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from frex.model.hyperparameters import label_hessian
from frex.sampler.affinities import by_label_count
from frex.sampler.formulas.interweaving_documents import DocumentGaussians
from frex.sampler.formulas.interweaving_words import Terms, WordGaussians
from frex.sampler.hyperparameters import (
    affinity_position,
    affinity_prior,
    affinity_prior_hessian,
    dispersion_position,
    dispersion_prior,
    in_reach,
    label_terms,
    unseen,
    with_affinity,
    with_dispersion,
)
from frex.sampler.kernels import interweaving_documents as document_kernels
from frex.sampler.kernels import word_gaussians
from frex.sampler.kernels.documents import DocumentLikelihood
from frex.sampler.kernels.interweaving_words import word_density
from frex.sampler.kernels.words import WordLikelihood
from frex.sampler.schmc import Move, StepSize, mass_factor, trajectory
from frex.sampler.state import Block
from frex.sampler.sums import Summing

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from frex.model.hyperparameters import AffinityStatistics
    from frex.model.priors import Hyperparameters, Priors
    from frex.sampler.data import Rooms
    from frex.sampler.kernels.documents import AffinityState, DocumentData
    from frex.sampler.kernels.words import RateState, WordData
    from frex.sampler.schmc import Density
    from frex.sampler.state import Clock, State

DOCUMENT_STEPS = 3
"""Of a trajectory. With a hundred topics and more, a step is 0.4 long where 0.8 are accepted; three
make a fifth of a period."""

WORD_STEPS = 1
"""Two coordinates, nearly Gaussian, and every step is a pass over all words: one long one."""


@dataclass
class AffinityInterweaving(Summing):
    """``(eta, log lambda)`` with the standardised active affinities held fixed."""

    data: DocumentData
    priors: Priors
    own: DocumentGaussians  #: changed in place
    lower: NDArray[np.float64]  #: of the mass, changed in place
    step: StepSize

    @classmethod
    def create(
        cls, data: DocumentData, n_topics: int, priors: Priors, precision: DTypeLike
    ) -> AffinityInterweaving:
        """Return a move whose Gaussians and mass are still to be found.

        Their bases are double, since a document turns into them and back.
        """
        n_labels = int(data.label_starts[-1])
        basis = np.zeros(int(data.square_starts[-1]))
        own = DocumentGaussians(basis, *np.zeros((2, n_labels), precision))
        return cls(data, priors, own, np.eye(n_topics + 1), StepSize.create(1, DOCUMENT_STEPS))

    def standardised(self, state: State) -> NDArray[np.float64]:
        """Return what the move holds fixed."""
        u = np.empty_like(state.affinities)
        mean = np.append(0.0, state.hyper.affinity_mean)
        variance = state.hyper.affinity_variance
        document_kernels.standardise(self.data, self.own, state.affinities, mean, variance, u)
        return u

    def density(
        self,
        position: NDArray[np.float64],
        standardised: NDArray[np.float64],
        conditional: AffinityState,
        statistics: AffinityStatistics,
        likelihood: DocumentLikelihood | None = None,
        *,
        with_value: bool = True,
    ) -> tuple[float, NDArray[np.float64]]:
        """Return log density and gradient in ``(eta_1 .. eta_K, log lambda)``.

        The words' likelihood may be given where it is known. Without the value the gradient costs
        half, and what stands in its place means nothing.
        """
        mean, log_sd = position[:-1], float(position[-1])
        if not in_reach(log_sd):
            return -np.inf, np.zeros_like(position)
        n_nodes = len(mean) + 1
        partial = np.empty((len(self.data.bin_starts) - 1, n_nodes + 2))
        document_kernels.affinity_density(
            self.data,
            conditional,
            self.own,
            standardised,
            np.append(0.0, mean),
            float(np.exp(2 * log_sd)),
            likelihood or DocumentLikelihood(np.empty(0), np.empty(0)),
            likelihood is not None,
            with_value,
            partial,
        )
        total = self.summed(partial)
        value, gradient = affinity_prior(self.priors, position)
        of_labels, in_labels = unseen(self.label_terms(mean, log_sd), statistics)
        value += float(total[-1]) + of_labels
        gradient += np.append(total[1:n_nodes], total[n_nodes]) + in_labels
        return value, gradient

    def label_terms(self, mean: NDArray[np.float64], log_sd: float) -> NDArray[np.float64]:
        """Return what `label_terms` does, of all topics."""
        return label_terms(mean, log_sd)

    def refresh(
        self,
        state: State,
        modes: NDArray[np.float64],
        conditional: AffinityState,
        statistics: AffinityStatistics,
    ) -> None:
        """Match the Gaussians to the documents' modes and curvatures, and find the mass."""
        position = affinity_position(state.hyper)
        matrix = self._match(state, modes, conditional.curvature)
        matrix -= label_hessian(position[:-1], float(position[-1]), statistics)
        matrix -= affinity_prior_hessian(self.priors, position)
        # eta and lambda pull at one another through the documents: that column is found exactly
        u = self.standardised(state)
        column = slopes_along(
            lambda x: self.density(x, u, conditional, statistics), position, len(position) - 1
        )
        matrix[-1] = matrix[:, -1] = -column
        self.lower[:] = mass_factor(matrix)

    def _match(
        self, state: State, modes: NDArray[np.float64], curvature: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Fill the Gaussians; return what the documents say of eta, their affinities integrated."""
        data, own = self.data, self.own
        mean = state.hyper.affinity_mean[data.nodes - 1]
        prior = 1 / state.hyper.affinity_variance
        n_topics = len(state.hyper.affinity_mean)
        matrix = np.zeros((n_topics + 1, n_topics + 1))
        for labels, places, squares in by_label_count(data, curvature):
            precisions, basis = np.linalg.eigh(squares)
            precisions = np.maximum(precisions, 0.0)  # rounding
            own.basis[places] = basis.reshape(places.shape)
            own.precisions[labels] = precisions
            mode, eta = (np.einsum("dkj,dk->dj", basis, x[labels]) for x in (modes, mean))
            own.pulls[labels] = (precisions + prior) * mode - prior * eta
            told = prior * precisions / (precisions + prior)
            topics = data.nodes[labels] - 1
            told_of_eta = np.einsum("dkj,dj,dlj->dkl", basis, told, basis)
            np.add.at(matrix, (topics[:, :, None], topics[:, None, :]), told_of_eta)
        return matrix

    def update(
        self,
        state: State,
        conditional: AffinityState,
        statistics: AffinityStatistics,
        clock: Clock,
        likelihood: DocumentLikelihood | None = None,
    ) -> Move:
        """Draw ``(eta, lambda2)`` and move affinities and memberships along.

        The likelihood is that of the words at the affinities as they are, if it is known.
        """
        u, position = self.standardised(state), affinity_position(state.hyper)
        move = trajectory(
            position,
            lambda x: self.density(x, u, conditional, statistics),
            self.lower,
            clock.address(Block.AFFINITY_INTERWEAVING),
            step=float(self.step.value[0]),
            n_steps=DOCUMENT_STEPS,
            on_the_way=lambda x: self.density(x, u, conditional, statistics, with_value=False)[1],
            start=self.density(position, u, conditional, statistics, likelihood),
        )
        if move.accepted:
            state.hyper = with_affinity(state.hyper, move.position)
            mean = np.append(0.0, state.hyper.affinity_mean)
            variance = state.hyper.affinity_variance
            document_kernels.affinities_at(
                self.data, self.own, u, mean, variance, state.affinities, state.memberships
            )
        return move


@dataclass
class DispersionInterweaving(Summing):
    """``(log nu, log sigma2)`` with standardised log rates and log dispersions held fixed."""

    data: WordData
    priors: Priors
    own: WordGaussians  #: changed in place
    lower: NDArray[np.float64]  #: of the mass, changed in place
    step: StepSize
    moved: tuple[NDArray[np.float64], NDArray[np.float64]]
    """Log rates and dispersions where the density was last asked for."""
    held: tuple[NDArray[np.float64], NDArray[np.float64]]
    """Room for what the move holds fixed of them."""

    @classmethod
    def create(
        cls, data: WordData, rooms: Rooms, curvature: NDArray[np.floating], priors: Priors
    ) -> DispersionInterweaving:
        """Return a move whose Gaussians and mass are still to be found.

        The curvature is that of the rate block: it is found where the Gaussians are, which have its
        precision.
        """
        moved = rooms.moved_rates, rooms.moved_dispersions
        shapes = (room.shape for room in (moved[0], moved[1], moved[1]))
        pulls, *groups = (np.zeros(shape, curvature.dtype) for shape in shapes)
        own = WordGaussians(curvature, pulls, *groups)
        held = rooms.held_rates, rooms.held_dispersions
        return cls(data, priors, own, np.eye(2), StepSize.create(1, WORD_STEPS), moved, held)

    def standardised(self, state: State) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what the move holds fixed of log rates and log dispersions, good for one move."""
        terms = group_terms(dispersion_position(state.hyper), state.hyper)
        word_gaussians.standardise(
            self.data, self.own, terms, state.log_rates, state.dispersions, *self.held
        )
        return self.held

    def density(
        self,
        position: NDArray[np.float64],
        standardised: tuple[NDArray[np.float64], NDArray[np.float64]],
        hyper: Hyperparameters,
        conditional: RateState,
        likelihood: WordLikelihood | None = None,
    ) -> tuple[float, NDArray[np.float64]]:
        """Return log density and gradient in ``(log nu, log sigma2)``.

        The words' likelihood may be given where it is known.
        """
        if not np.all(np.abs(position) < 20):
            return -np.inf, np.zeros(2)
        partial = np.empty((len(self.data.bin_starts) - 1, 3))
        terms = group_terms(position, hyper)
        known = likelihood is not None
        at = likelihood or WordLikelihood(np.empty(0), np.empty((0, 0)))
        word_density(
            self.data, conditional, self.own, terms, *standardised, at, known, *self.moved, partial
        )
        total = self.summed(partial)
        value, gradient = dispersion_prior(self.priors, position)
        return value + float(total[0]), gradient + total[1:]

    def refresh(self, state: State, modes: NDArray[np.float64], conditional: RateState) -> None:
        """Match the Gaussians to the words at their modes, and find the mass by differences."""
        own = self.own
        word_gaussians.match_words(self.data, conditional, modes, own.curvature, own.pulls)
        word_gaussians.match_dispersions(
            self.data, own, modes, state.dispersions, own.group_precisions, own.group_pulls
        )
        position, held = dispersion_position(state.hyper), self.standardised(state)

        def density(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
            return self.density(x, held, state.hyper, conditional)

        matrix = -np.array([slopes_along(density, position, i) for i in range(2)])
        self.lower[:] = mass_factor(0.5 * (matrix + matrix.T))

    def update(
        self,
        state: State,
        conditional: RateState,
        clock: Clock,
        likelihood: WordLikelihood | None = None,
    ) -> Move:
        """Draw ``(nu, sigma2)`` and move log rates and dispersions along.

        The likelihood is that of the words where they are, if it is known.
        """
        hyper, held = state.hyper, self.standardised(state)
        position = dispersion_position(hyper)
        move = trajectory(
            position,
            lambda x: self.density(x, held, hyper, conditional),
            self.lower,
            clock.address(Block.DISPERSION_INTERWEAVING),
            step=float(self.step.value[0]),
            n_steps=WORD_STEPS,
            start=self.density(position, held, hyper, conditional, likelihood),
        )
        if move.accepted:  # and the density was last asked for where the trajectory ended
            self.put_moved(state)
            state.hyper = with_dispersion(hyper, move.position)
        return move

    def put_moved(self, state: State) -> None:
        """Put log rates and dispersions into the state where the density was last asked for."""
        state.log_rates[:], state.dispersions[:] = self.moved


def group_terms(position: NDArray[np.float64], hyper: Hyperparameters) -> Terms:
    """Return what ``(log nu, log sigma2)`` says of ``log tau2``, with the root's prior."""
    half, log_scale = 0.5 * float(np.exp(position[0])), float(position.sum())
    variance = float(polygamma(1, half))
    return Terms(
        df=2 * half,
        log_scale=log_scale,
        mean=log_scale - np.log(2) - float(digamma(half)),
        mean_slope=1 - half * variance,
        precision=1 / variance,
        precision_slope=-half * float(polygamma(2, half)) / variance**2,
        constant=-half * np.log(2) - float(gammaln(half)),
        constant_slope=-half * (np.log(2) + float(digamma(half))),
        root_mean=float(hyper.root_mean),
        root_precision=1 / float(hyper.root_variance),
    )


def slopes_along(
    density: Density, position: NDArray[np.float64], coordinate: int, width: float = 0.01
) -> NDArray[np.float64]:
    """Return how the gradient changes along a coordinate, by a difference."""
    step = np.zeros_like(position)
    step[coordinate] = width
    return (density(position + step)[1] - density(position - step)[1]) / (2 * width)
