"""Scaling of (eta, lambda), and of what words do not determine of the affinities, by one factor.

`model/scaling.py` has the map. The move is a random walk in log lambda with eta / lambda fixed,
accepted by the ratio of the densities times the Jacobian; all documents are transformed together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from frex.sampler.blocks.coordinates import (
    affinity_position,
    affinity_prior,
    is_supported,
    with_affinity,
)
from frex.sampler.blocks.labels import label_density, label_terms
from frex.sampler.engines.verbs import Moves
from frex.sampler.formulas.moves import bounded_size
from frex.sampler.kernels.random import normal_array, uniform_pair
from frex.sampler.schmc import StepSize, decided
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.sampler.arrays import Floats
    from frex.sampler.blocks.coordinates import Coordinates
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import LabelledDocuments, Learned
    from frex.sampler.exchange import Exchange
    from frex.sampler.formulas.random import Address
    from frex.sampler.state import Clock

N_TRIES, MANY_LABELS = 2, 20_000
"""Number of proposals in a scan; and the number of affinities from which on it is one. A proposal
takes a pass over the documents, and the more affinities there are, the narrower is the posterior of
lambda, which the other blocks then explore nearly as well."""

TARGET = 0.6
"""Target acceptance. For a random walk in one dimension 0.44 is optimal, and 0.6 almost as good."""


class AffinityScaling:
    """``log lambda`` with ``eta / lambda`` fixed; affinities are scaled too.

    Parameters
    ----------
    n_labels
        Number of affinities: labels of documents with several.
    coordinates, exchange
        As for `AffinityHyper`.
    """

    name = "affinity_scaling"

    def __init__(
        self, n_labels: int, coordinates: Coordinates, exchange: Exchange | None = None
    ) -> None:
        self.n_tries = N_TRIES if n_labels < MANY_LABELS else 1
        self.coordinates, self.exchange = coordinates, exchange
        self.step = StepSize.create(1, 1, target=TARGET)

    def refresh(self, context: Context) -> None:
        """Do nothing: only the step size is adapted."""

    def log_density(self, position: Floats, context: Context) -> float:
        """Return the log density of the prior and of the labels that are integrated out."""
        terms = label_terms(position[:-1], float(position[-1]), self.exchange)
        of_labels, _ = label_density(terms, context.statistics())
        return affinity_prior(self.coordinates.priors, position)[0] + of_labels

    def update(self, context: Context, clock: Clock) -> Moves:
        """Propose factors one after the other."""
        address = clock.address(Stream.AFFINITY_SCALING)
        moves = [self._propose(context, address, number) for number in range(self.n_tries)]
        accepted, energy = np.mean([[move.acceptance, move.energy] for move in moves], axis=0)
        return Moves(np.array([accepted]), float(accepted), float(energy))

    def _propose(self, context: Context, address: Address, number: int) -> Moves:
        """Propose one factor."""
        # a model without labels has no such move
        documents = cast("LabelledDocuments", context.documents())
        state, item = context.state, 2 * number
        noise = normal_array(address.key, item, address.scan, address.stream, 1)[0]
        u, _ = uniform_pair(address.key, item + 1, address.scan, address.stream, 0)
        rise = float(self.step.value[0] * noise)
        position = affinity_position(state.hyper, self.coordinates)
        moved = np.append(np.exp(rise) * position[:-1], position[-1] + rise)
        change = -np.inf
        if is_supported(float(moved[-1])):
            # the Jacobian of eta, in so many coordinates, along with log lambda
            change = (len(position) - 1) * rise + documents.scale(state, float(np.exp(rise)))
            change += self.log_density(moved, context) - self.log_density(position, context)
        accepted, acceptance = decided(change, u)
        if accepted:
            state.hyper = with_affinity(state.hyper, moved, self.coordinates)
            documents.accept_scaled(state)
            context.moved("memberships")
        return Moves(None, acceptance, bounded_size(change))

    def learned(self) -> list[Learned]:
        """Return nothing."""
        return []
