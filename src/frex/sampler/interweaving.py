"""Interweaving: hyperparameters drawn once more, together with what they govern.

Drawn given many weakly informed variables, a hyperparameter can only creep: the variables hold it
where it is, and it them. Each move here holds the standardised variables fixed instead, so that
they move along (Yu and Meng, 2011). `model/interweaving.py` states the densities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from frex.model.hyperparameters import label_gradient, label_log_likelihood
from frex.model.labels import label_probability_derivatives
from frex.sampler.affinities import by_label_count
from frex.sampler.hyperparameters import (
    affinity_position,
    affinity_prior,
    affinity_prior_hessian,
    in_reach,
    with_affinity,
)
from frex.sampler.kernels import affinities as affinity_kernels
from frex.sampler.kernels import interweaving as kernels
from frex.sampler.schmc import Move, StepSize, mass_factor, trajectory
from frex.sampler.state import Block

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.hyperparameters import AffinityStatistics
    from frex.model.priors import Hyperparameters, Priors
    from frex.sampler.hyperparameters import DispersionHyperBlock
    from frex.sampler.kernels.affinities import AffinityState, DocumentData
    from frex.sampler.kernels.rates import RateState, WordData
    from frex.sampler.state import Clock, State

N_STEPS = 3
WEAK_BELOW = 3.0
"""A group is weak when the expected counts of the subtree below its parent are fewer."""


@dataclass
class AffinityInterweaving:
    """``(eta, log lambda)`` with the standardised active affinities held fixed."""

    data: DocumentData
    priors: Priors
    lower: NDArray[np.float64]  #: of the mass, changed in place
    step: StepSize

    @classmethod
    def create(cls, data: DocumentData, n_topics: int, priors: Priors) -> AffinityInterweaving:
        """Return a move whose mass is still to be found."""
        return cls(data, priors, np.eye(n_topics + 1), StepSize.create(1, N_STEPS))

    def density(
        self,
        position: NDArray[np.float64],
        standardised: NDArray[np.float64],
        conditional: AffinityState,
        statistics: AffinityStatistics,
    ) -> tuple[float, NDArray[np.float64]]:
        """Return log density and gradient in ``(eta_1 .. eta_K, log lambda)``."""
        mean, log_sd = position[:-1], float(position[-1])
        if not in_reach(log_sd):
            return -np.inf, np.zeros_like(position)
        n_nodes = len(mean) + 1
        partial = np.empty((len(self.data.bin_starts) - 1, n_nodes + 2))
        nodes_mean = np.concatenate([[0.0], mean])
        kernels.affinity_density(
            self.data, conditional, standardised, nodes_mean, np.exp(log_sd), partial
        )
        total = partial.sum(axis=0)
        value, gradient = affinity_prior(self.priors, position)
        unseen = (mean, log_sd, statistics.n_absent, statistics.n_single)
        value += float(total[-1]) + label_log_likelihood(*unseen)
        gradient += np.append(total[1:n_nodes], total[n_nodes]) + label_gradient(*unseen)
        return value, gradient

    def refresh(
        self,
        state: State,
        curvature: NDArray[np.float64],
        statistics: AffinityStatistics,
    ) -> None:
        """Find the mass at the current point: the documents' curvatures, carried to the move."""
        data, position = self.data, affinity_position(state.hyper)
        n_topics = len(position) - 1
        log_sd = float(position[-1])
        shift = state.affinities - state.hyper.affinity_mean[data.nodes - 1]  # lambda z
        matrix = np.zeros((n_topics + 1, n_topics + 1))
        for labels, squares in by_label_count(data, curvature):
            topics, moved = data.nodes[labels] - 1, shift[labels]
            border = np.einsum("dij,dj->di", squares, moved)
            np.add.at(matrix, (topics[:, :, None], topics[:, None, :]), squares)
            np.add.at(matrix, (topics, n_topics), border)
            np.add.at(matrix, (n_topics, topics), border)
            matrix[-1, -1] += np.einsum("di,di->", moved, border)
        parts = label_probability_derivatives(position[:-1], np.exp(log_sd))
        twice, mixed, corner = (
            statistics.n_absent * parts.hessian_p0 + statistics.n_single * parts.hessian_p1
        )
        unseen = np.diag(np.append(twice, corner.sum()))
        unseen[-1, :-1] = unseen[:-1, -1] = mixed
        self.lower[:] = mass_factor(matrix - unseen - affinity_prior_hessian(self.priors, position))

    def update(
        self,
        state: State,
        conditional: AffinityState,
        statistics: AffinityStatistics,
        clock: Clock,
    ) -> Move:
        """Draw ``(eta, lambda2)`` and move affinities and memberships along."""
        hyper, topics = state.hyper, self.data.nodes - 1
        standardised = (state.affinities - hyper.affinity_mean[topics]) / np.sqrt(
            hyper.affinity_variance
        )
        move = trajectory(
            affinity_position(hyper),
            lambda x: self.density(x, standardised, conditional, statistics),
            self.lower,
            clock.address(Block.AFFINITY_INTERWEAVING),
            step=float(self.step.value[0]),
            n_steps=N_STEPS,
        )
        state.hyper = with_affinity(hyper, move.position)
        state.affinities[:] = (
            state.hyper.affinity_mean[topics]
            + np.sqrt(state.hyper.affinity_variance) * standardised
        )
        affinity_kernels.memberships_of(self.data, state.affinities, state.memberships)
        return move


@dataclass
class DispersionInterweaving:
    """``log sigma`` with the weak groups' standardised deviations held fixed, ``nu`` too.

    The set of weak groups is chosen during the warm-up and fixed after it.
    """

    data: WordData
    hyper_block: DispersionHyperBlock
    weak: NDArray[np.bool_]  #: V x P
    lower: NDArray[np.float64]  #: of the mass, 1 x 1, changed in place
    step: StepSize

    @classmethod
    def create(cls, data: WordData, hyper_block: DispersionHyperBlock) -> DispersionInterweaving:
        """Return a move whose mass and weak groups are still to be found."""
        weak = np.zeros((len(data.single_counts), len(hyper_block.n_children)), dtype=np.bool_)
        return cls(data, hyper_block, weak, np.eye(1), StepSize.create(1, N_STEPS))

    def density(
        self,
        log_factor: NDArray[np.float64],
        hyper: Hyperparameters,
        conditional: RateState,
        squares: NDArray[np.float64],
    ) -> tuple[float, NDArray[np.float64]]:
        """Return log density and slope in ``log c``, which takes sigma2 to c^2 sigma2."""
        shift = float(log_factor[0])
        if not abs(shift) < 20:
            return -np.inf, np.zeros(1)
        partial = np.empty((len(self.data.bin_starts) - 1, 2))
        kernels.scaled_likelihood(self.data, conditional, self.weak, np.exp(shift), partial)
        words, slope = partial.sum(axis=0)
        position = np.log([hyper.dispersion_df, hyper.dispersion_scale * np.exp(2 * shift)])
        strong, gradient, _ = self.hyper_block.derivatives(position, squares, ~self.weak)
        return float(words + strong), np.array([slope + 2 * gradient[1]])

    def refresh(
        self,
        hyper: Hyperparameters,
        conditional: RateState,
        rates: NDArray[np.float64],
        squares: NDArray[np.float64],
    ) -> None:
        """Choose the weak groups, and find the mass by a difference of slopes."""
        kernels.weak_groups(self.data, rates, conditional.exposure, WEAK_BELOW, self.weak)
        width = 0.01
        up, down = (
            self.density(np.array([sign * width]), hyper, conditional, squares)[1][0]
            for sign in (1, -1)
        )
        self.lower[:] = mass_factor(np.array([[-(up - down) / (2 * width)]]))

    def update(
        self, state: State, conditional: RateState, squares: NDArray[np.float64], clock: Clock
    ) -> Move:
        """Draw ``sigma2`` and move the weak groups' log rates along."""
        hyper = state.hyper
        move = trajectory(
            np.zeros(1),
            lambda x: self.density(x, hyper, conditional, squares),
            self.lower,
            clock.address(Block.DISPERSION_INTERWEAVING),
            step=float(self.step.value[0]),
            n_steps=N_STEPS,
        )
        factor = float(np.exp(move.position[0]))
        if factor != 1.0:
            kernels.apply_scaling(self.data, state.log_rates, self.weak, factor)
            state.hyper = hyper._replace(dispersion_scale=hyper.dispersion_scale * factor**2)
        return move
