"""Interweaving: (eta, lambda) given the standardised affinities, by SCHMC.

`model/interweaving.py` explains what the move holds fixed, and why. The Gaussian approximations of
the documents' likelihood, and the mass, are computed at scheduled scans of the warm-up and fixed
after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.model.hyperparameters import label_hessian
from frex.sampler.blocks.coordinates import (
    affinity_position,
    affinity_prior,
    affinity_prior_hessian,
    is_supported,
    with_affinity,
)
from frex.sampler.blocks.labels import label_density, label_terms
from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.schmc import StepSize, hessian_column, mass_factor, trajectory
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.sampler.arrays import Floats
    from frex.sampler.blocks.coordinates import Coordinates
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import Documents
    from frex.sampler.exchange import Exchange
    from frex.sampler.state import Clock

N_STAGES = {True: 3, False: 4}
"""Stages of a trajectory, with and without labels. With a hundred or more topics, a step is 0.4
long at an acceptance of 0.8; three steps make a fifth of a period."""


class AffinityInterweaving:
    """``(eta, log lambda)`` with the standardised affinities held fixed.

    Parameters
    ----------
    documents
        The documents, whose affinities are transformed.
    coordinates, exchange
        As for `AffinityHyper`.
    """

    name = "affinity_interweaving"

    def __init__(
        self, documents: Documents, coordinates: Coordinates, exchange: Exchange | None = None
    ) -> None:
        self.coordinates, self.exchange = coordinates, exchange
        self._learned_gaussians = documents.learned_gaussians
        self.lower = np.eye(coordinates.n + 1)  #: of the mass, changed in place
        self.step = StepSize.create(1, N_STAGES[coordinates.labelled])

    def log_density(
        self,
        position: Floats,
        context: Context,
        *,
        with_value: bool = True,
        likelihood_known: bool = False,
    ) -> tuple[float, Floats]:
        """Return log density and gradient in ``(eta, log lambda)``.

        The gradient alone costs half as much; the value is then undefined.
        """
        coordinates, log_sd = self.coordinates, float(position[-1])
        if not is_supported(log_sd):
            return -np.inf, np.zeros_like(position)
        value, gradient = affinity_prior(coordinates.priors, position, with_value=with_value)
        if coordinates.labelled:
            terms = label_terms(position[:-1], log_sd, self.exchange)
            of_labels, in_labels = label_density(terms, context.statistics(), with_value=with_value)
            value, gradient = value + of_labels, gradient + in_labels
        own, in_mean, in_log_sd = context.documents().log_density(
            coordinates.to_topics(position[:-1]),
            float(np.exp(2 * log_sd)),
            with_value=with_value,
            likelihood_known=likelihood_known,
        )
        return value + own, gradient + np.append(coordinates.to_coordinates(in_mean), in_log_sd)

    def refresh(self, context: Context) -> None:
        """Fit the Gaussians to the documents at their modes, and find the mass."""
        documents, coordinates, state = context.documents(), self.coordinates, context.state
        if not documents.n_items:
            return
        position = affinity_position(state.hyper, coordinates)
        matrix = np.zeros((len(position), len(position)))
        matrix[:-1, :-1] = coordinates.matrix(documents.fit_gaussians(state))
        if coordinates.labelled:
            statistics = context.statistics()
            matrix -= label_hessian(position[:-1], float(position[-1]), statistics)
        matrix -= affinity_prior_hessian(coordinates.priors, position)
        # the documents couple eta and lambda, so this column is computed by a finite difference
        documents.standardise(state, None)
        column = hessian_column(lambda x: self.log_density(x, context), position, len(position) - 1)
        matrix[-1] = matrix[:, -1] = -column
        self.lower[:] = mass_factor(matrix)

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw both, and transform affinities and memberships."""
        documents, state = context.documents(), context.state
        if not documents.n_items:
            return Moves()
        documents.standardise(state, clock.address(Stream.LEVELS))
        position = affinity_position(state.hyper, self.coordinates)
        known = context.knows_likelihood("documents")
        move = trajectory(
            position,
            lambda x: self.log_density(x, context),
            self.lower,
            clock.address(Stream.AFFINITY_INTERWEAVING),
            step=float(self.step.value[0]),
            n_steps=self.step.n_stages,
            gradient_only=lambda x: self.log_density(x, context, with_value=False)[1],
            start=self.log_density(position, context, likelihood_known=known),
        )
        if move.accepted:
            state.hyper = with_affinity(state.hyper, move.position, self.coordinates)
            documents.accept(state)
            context.moved("memberships")
        return move.as_moves()

    def learned(self) -> list[Learned]:
        """Return the mass and the Gaussians."""
        return [Learned("mass", self.lower), *self._learned_gaussians()]
