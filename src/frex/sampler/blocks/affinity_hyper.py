"""(eta, lambda) given the affinities of multi-label documents, all others integrated out: by SCHMC.

`model/hyperparameters.py` has the density, in eta and ``log lambda``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.model.hyperparameters import active_gradient, active_log_density, affinity_hyper_hessian
from frex.sampler.blocks.coordinates import (
    affinity_position,
    affinity_prior,
    affinity_prior_hessian,
    is_supported,
    with_affinity,
)
from frex.sampler.blocks.labels import label_density, label_terms
from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.schmc import StepSize, find_mode, mass_factor, trajectory
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.model.hyperparameters import AffinityStatistics
    from frex.model.priors import Hyperparameters
    from frex.sampler.arrays import Floats
    from frex.sampler.blocks.coordinates import Coordinates
    from frex.sampler.context import Context
    from frex.sampler.exchange import Exchange
    from frex.sampler.state import Clock

N_STAGES = 6
"""Stages of a trajectory. With a hundred or more topics a step is 0.3 long; six steps make a
quarter of a period."""


class AffinityHyper:
    """``(eta, log lambda)``.

    Parameters
    ----------
    coordinates
        Coordinates of eta.
    exchange
        Communication between processes, which compute label probabilities together.
    """

    name = "affinity_hyper"

    def __init__(self, coordinates: Coordinates, exchange: Exchange | None = None) -> None:
        self.coordinates, self.exchange = coordinates, exchange
        self.lower = np.eye(coordinates.n + 1)  #: of the mass, changed in place
        self.step = StepSize.create(1, N_STAGES)

    def log_density(
        self, position: Floats, statistics: AffinityStatistics, *, with_value: bool = True
    ) -> tuple[float, Floats]:
        """Return log density and gradient in ``(eta, log lambda)``, prior included.

        With few topics the value takes a third of the time; without it, NaN stands for it.
        """
        mean, log_sd = position[:-1], float(position[-1])
        if not is_supported(log_sd):
            return -np.inf, np.full_like(position, np.nan)
        priors = self.coordinates.priors
        value, gradient = affinity_prior(priors, position, with_value=with_value)
        if with_value:
            value += active_log_density(mean, log_sd, statistics)
        gradient += active_gradient(mean, log_sd, statistics)
        if self.coordinates.labelled:
            terms = label_terms(mean, log_sd, self.exchange)
            of_labels, in_labels = label_density(terms, statistics, with_value=with_value)
            value, gradient = value + of_labels, gradient + in_labels
        return value, gradient

    def hessian(self, position: Floats, statistics: AffinityStatistics) -> Floats:
        """Return the Hessian of `log_density`."""
        hessian = affinity_hyper_hessian(position[:-1], float(position[-1]), statistics)
        return hessian + affinity_prior_hessian(self.coordinates.priors, position)

    def refresh(self, context: Context) -> None:
        """Find the conditional mode, and store the curvature there."""
        self.fit_mode(context.state.hyper, context.statistics())

    def fit_mode(self, hyper: Hyperparameters, statistics: AffinityStatistics) -> Hyperparameters:
        """Find the mode given the statistics, store the curvature there, and return the mode."""
        mode = find_mode(
            affinity_position(hyper, self.coordinates),
            lambda x: self.log_density(x, statistics),
            lambda x: self.hessian(x, statistics),
        )
        self.lower[:] = mass_factor(-self.hessian(mode, statistics))
        return with_affinity(hyper, mode, self.coordinates)

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw both."""
        state, statistics = context.state, context.statistics()
        move = trajectory(
            affinity_position(state.hyper, self.coordinates),
            lambda x: self.log_density(x, statistics),
            self.lower,
            clock.address(Stream.AFFINITY_HYPER),
            step=float(self.step.value[0]),
            n_steps=N_STAGES,
            gradient_only=lambda x: self.log_density(x, statistics, with_value=False)[1],
        )
        state.hyper = with_affinity(state.hyper, move.position, self.coordinates)
        return move.as_moves()

    def learned(self) -> list[Learned]:
        """Return the mass."""
        return [Learned("mass", self.lower)]
