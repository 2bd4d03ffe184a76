"""The documents' blocks of the unsupervised variant: every topic in every document, no labels.

They do what those of `affinities.py`, `hyperparameters.py` and `interweaving.py` do, for affinities
and an eta that sum to 0: `model/contrasts.py` says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from frex.model.contrasts import centred, contrast_basis, contrast_priors, contrast_statistics
from frex.sampler.hyperparameters import (
    AffinityHyperBlock,
    affinity_position,
    affinity_prior,
    affinity_prior_hessian,
    in_reach,
    with_affinity,
)
from frex.sampler.interweaving import slopes_along
from frex.sampler.kernels import contrasts as kernels
from frex.sampler.kernels import interweaving_contrasts as interweaving_kernels
from frex.sampler.kernels.interweaving_contrasts import ContrastGaussians
from frex.sampler.kernels.random import normal_array
from frex.sampler.schmc import StepSize, mass_factor, trajectory
from frex.sampler.splitting import splitting
from frex.sampler.state import Block

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from frex.model.hyperparameters import AffinityStatistics
    from frex.model.priors import Hyperparameters, Priors
    from frex.model.reductions import Reduced
    from frex.sampler.kernels.contrasts import ContrastState
    from frex.sampler.kernels.documents import DocumentData
    from frex.sampler.schmc import Move
    from frex.sampler.state import Clock, State

N_STEPS = 3
"""Of a document's trajectory. The mass knows the curvature's diagonal and its blindness to the
level, not which topics share words: steps are shorter than with the whole curvature."""

DOCUMENT_STEPS = 4
"""Of a trajectory of (eta, lambda) with the affinities."""

_MOST_ITERATIONS, _TOLERANCE = 100, 1e-3  # of the search for modes, which a mass is taken at


@dataclass
class ContrastBlock:
    """Affinities of all topics given the rates and ``(eta, lambda2)``; memberships move along."""

    data: DocumentData
    curvature: NDArray[np.float64]  #: D x K, the weights that stand for it
    rates: NDArray[np.float64]  #: of the last `conditional`
    step: StepSize
    likelihood: None = None  #: the words' where the last update left them is not kept

    @classmethod
    def create(cls, data: DocumentData) -> ContrastBlock:
        """Return a block whose curvature is still to be found."""
        n_documents = len(data.exposures)
        curvature = np.zeros((n_documents, data.most_labels))
        return cls(data, curvature, np.empty(0), StepSize.create(n_documents, N_STEPS))

    def conditional(
        self, state: State, rates: NDArray[np.float64], rate_sums: NDArray[np.float64]
    ) -> ContrastState:
        """Return what the kernels need of the chain's state."""
        self.rates = rates
        return self.conditional_again(state, rate_sums)

    def conditional_again(self, state: State, rate_sums: NDArray[np.float64]) -> ContrastState:
        """Return the same for a state whose rates are still those of the last `conditional`."""
        shape = self.curvature.shape
        return kernels.ContrastState(
            affinities=state.affinities.reshape(shape),
            memberships=state.memberships.reshape(shape),
            rates=self.rates,
            rate_sums=rate_sums,
            affinity_mean=state.hyper.affinity_mean,
            affinity_variance=state.hyper.affinity_variance,
            weights=self.curvature,
        )

    def refresh(
        self, state: State, rates: NDArray[np.float64], rate_sums: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Find every document's conditional mode, keep the curvature there, return the modes."""
        modes = state.affinities.copy()
        kernels.find_contrast_modes(
            self.data,
            self.conditional(state, rates, rate_sums),
            _MOST_ITERATIONS,
            _TOLERANCE,
            modes.reshape(self.curvature.shape),
            self.curvature,
            np.empty(len(self.curvature)),
        )
        return modes

    def update(
        self, state: State, rates: NDArray[np.float64], rate_sums: NDArray[np.float64], clock: Clock
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw all affinities; return each document's acceptance and change of energy."""
        accepted, energy = np.empty(len(self.curvature)), np.empty(len(self.curvature))
        kernels.update_contrasts(
            self.data,
            self.conditional(state, rates, rate_sums),
            clock.address(Block.AFFINITIES),
            self.step.value,
            splitting(N_STEPS),
            accepted,
            energy,
        )
        return accepted, energy

    def variances(self, affinity_variance: float) -> NDArray[np.float64]:
        """Return the affinities' variances in the Gaussian about their modes, flat."""
        scale, tilt, rest = self._mass(affinity_variance)
        level = affinity_variance / scale.shape[1]  # the mass has it, the contrasts have not
        variances: NDArray[np.float64] = 1 / scale + (tilt / scale) ** 2 / rest - level
        return variances.ravel()

    def gaussian(
        self, modes: NDArray[np.float64], affinity_variance: float
    ) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
        """Return what makes of normals a draw from the Gaussian about modes."""
        scale, tilt, rest = self._mass(affinity_variance)
        # with v = u / sqrt(q) the inverse mass is q^-1/2 (1 + c v v')^2 q^-1/2
        v, tiny = tilt / np.sqrt(scale), np.finfo(np.float64).tiny
        c = (1 / np.sqrt(rest) - 1) / np.maximum(1 - rest, tiny)  # 0 for a document without words

        def draw(noise: NDArray[np.float64]) -> NDArray[np.float64]:
            z = noise.reshape(scale.shape)
            away = (z + c * v * (v * z).sum(axis=1, keepdims=True)) / np.sqrt(scale)
            return modes + centred(away).ravel()

        return draw

    def _mass(
        self, affinity_variance: float
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return q and u, documents x topics, and 1 - sum u^2 / q of each document."""
        weights = self.curvature
        total = weights.sum(axis=1, keepdims=True)
        scale = weights + 1 / affinity_variance
        tilt = weights / np.sqrt(np.where(total > 0, total, 1.0))
        rest = (weights / scale).sum(axis=1, keepdims=True) / affinity_variance
        rest = np.where(total > 0, rest / np.where(total > 0, total, 1.0), 1.0)
        return scale, tilt, rest


@dataclass
class ContrastHyperBlock:
    """``(eta, log lambda)`` given the affinities: HPC's block for K - 1 topics without labels."""

    inner: AffinityHyperBlock
    basis: NDArray[np.float64]  #: K x (K - 1)

    @classmethod
    def create(cls, n_topics: int, priors: Priors) -> ContrastHyperBlock:
        """Return a block whose mass is still to be found."""
        inner = AffinityHyperBlock.create(n_topics - 1, contrast_priors(priors))
        return cls(inner, contrast_basis(n_topics))

    @property
    def lower(self) -> NDArray[np.float64]:
        """Cholesky factor of the mass."""
        return self.inner.lower

    @property
    def step(self) -> StepSize:
        """The step size."""
        return self.inner.step

    def statistics(self, reduced: Reduced, affinities: NDArray[np.float64]) -> AffinityStatistics:
        """Return all that the block sees of the affinities."""
        shape = reduced.labels.shape
        return contrast_statistics(affinities.reshape(shape), self.basis)

    def expected_statistics(
        self, reduced: Reduced, modes: NDArray[np.float64], variances: NDArray[np.float64]
    ) -> AffinityStatistics:
        """Return what the statistics are on average, of affinities that vary about modes."""
        statistics = self.statistics(reduced, modes)
        added = variances.sum() / self.basis.shape[1]
        return statistics._replace(active_squares=statistics.active_squares + added)

    def refresh(self, hyper: Hyperparameters, statistics: AffinityStatistics) -> Hyperparameters:
        """Find the conditional mode, keep the curvature there, and return the mode."""
        return outwards(self.inner.refresh(inwards(hyper, self.basis), statistics), self.basis)

    def update(
        self, hyper: Hyperparameters, statistics: AffinityStatistics, clock: Clock
    ) -> tuple[Hyperparameters, Move]:
        """Draw ``(eta, lambda2)``."""
        drawn, move = self.inner.update(inwards(hyper, self.basis), statistics, clock)
        return outwards(drawn, self.basis), move


def inwards(hyper: Hyperparameters, basis: NDArray[np.float64]) -> Hyperparameters:
    """Return hyperparameters with eta in the basis of the contrasts."""
    return hyper._replace(affinity_mean=basis.T @ hyper.affinity_mean)


def outwards(hyper: Hyperparameters, basis: NDArray[np.float64]) -> Hyperparameters:
    """Undo `inwards`."""
    return hyper._replace(affinity_mean=basis @ hyper.affinity_mean)


@dataclass
class ContrastInterweaving:
    """``(eta, log lambda)`` with the standardised affinities held fixed."""

    data: DocumentData
    priors: Priors
    basis: NDArray[np.float64]
    own: ContrastGaussians  #: changed in place
    lower: NDArray[np.float64]  #: of the mass, changed in place
    step: StepSize

    @classmethod
    def create(cls, data: DocumentData, n_topics: int, priors: Priors) -> ContrastInterweaving:
        """Return a move whose Gaussians and mass are still to be found."""
        shape = (len(data.exposures), n_topics)
        return cls(
            data,
            contrast_priors(priors),
            contrast_basis(n_topics),
            ContrastGaussians(np.zeros(shape), np.zeros(shape)),
            np.eye(n_topics),
            StepSize.create(1, DOCUMENT_STEPS),
        )

    def standardised(
        self, hyper: Hyperparameters, conditional: ContrastState, noise: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return what the move holds fixed: the affinities standardised, levels and all.

        A level is Normal(0, lambda2 / K) whatever the words are, and drawn anew for each move: with
        it the affinities of a document are independent a priori.
        """
        u: NDArray[np.float64] = np.empty(conditional.affinities.shape)
        levels = noise * np.sqrt(hyper.affinity_variance / u.shape[1])
        interweaving_kernels.standardise(
            self.own,
            conditional.affinities,
            levels,
            hyper.affinity_mean,
            hyper.affinity_variance,
            u,
        )
        return u

    def density(
        self,
        position: NDArray[np.float64],
        standardised: NDArray[np.float64],
        conditional: ContrastState,
        *,
        with_value: bool = True,
    ) -> tuple[float, NDArray[np.float64]]:
        """Return log density and gradient in ``(H' eta, log lambda)``.

        Without the value the gradient costs less, and what stands in its place means nothing.
        """
        log_sd = float(position[-1])
        if not in_reach(log_sd):
            return -np.inf, np.zeros_like(position)
        partial = np.empty((len(self.data.bin_starts) - 1, len(position) + 2))
        interweaving_kernels.contrast_density(
            self.data,
            conditional,
            self.own,
            standardised,
            self.basis @ position[:-1],
            float(np.exp(2 * log_sd)),
            with_value,
            partial,
        )
        total = partial.sum(axis=0)
        value, gradient = affinity_prior(self.priors, position)
        gradient += np.append(self.basis.T @ total[:-2], total[-2])
        return value + float(total[-1]), gradient

    def refresh(
        self,
        state: State,
        modes: NDArray[np.float64],
        conditional: ContrastState,
        statistics: AffinityStatistics,  # noqa: ARG002 - the labels', of which there are none
    ) -> None:
        """Match the Gaussians to the documents' modes and curvatures, and find the mass."""
        weights, eta = conditional.weights, state.hyper.affinity_mean
        prior = 1 / state.hyper.affinity_variance
        share = weights / np.maximum(weights.sum(axis=1, keepdims=True), 1e-300)
        self.own.precisions[:] = weights * (1 - share)
        self.own.pulls[:] = (self.own.precisions + prior) * modes.reshape(weights.shape)
        self.own.pulls[:] -= prior * eta
        told = self.own.precisions * prior / (self.own.precisions + prior)
        position = affinity_position(inwards(state.hyper, self.basis))
        matrix = np.zeros((len(position), len(position)))
        matrix[:-1, :-1] = (self.basis.T * told.sum(axis=0)) @ self.basis
        matrix -= affinity_prior_hessian(self.priors, position)
        # eta and lambda pull at one another through the documents: that column is found exactly
        u = self.standardised(state.hyper, conditional, np.zeros(len(weights)))
        column = slopes_along(
            lambda x: self.density(x, u, conditional), position, len(position) - 1
        )
        matrix[-1] = matrix[:, -1] = -column
        self.lower[:] = mass_factor(matrix)

    def update(
        self,
        state: State,
        conditional: ContrastState,
        statistics: AffinityStatistics,  # noqa: ARG002 - the labels', of which there are none
        clock: Clock,
        likelihood: object = None,  # noqa: ARG002 - of the words, which the block does not keep
    ) -> Move:
        """Draw ``(eta, lambda2)`` and move affinities and memberships along."""
        levels = clock.address(Block.LEVELS)
        noise = normal_array(levels.key, 0, levels.scan, levels.stream, len(conditional.affinities))
        u = self.standardised(state.hyper, conditional, noise)
        move = trajectory(
            affinity_position(inwards(state.hyper, self.basis)),
            lambda x: self.density(x, u, conditional),
            self.lower,
            clock.address(Block.AFFINITY_INTERWEAVING),
            step=float(self.step.value[0]),
            n_steps=DOCUMENT_STEPS,
            on_the_way=lambda x: self.density(x, u, conditional, with_value=False)[1],
        )
        if move.accepted:
            state.hyper = outwards(with_affinity(state.hyper, move.position), self.basis)
            interweaving_kernels.contrasts_at(
                self.own,
                u,
                state.hyper.affinity_mean,
                state.hyper.affinity_variance,
                conditional.affinities,
                conditional.memberships,
            )
        return move
