"""The affinity block: active affinities of every multi-label document by SCHMC, in parallel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from frex.sampler.kernels import affinities as kernels
from frex.sampler.kernels.documents import AffinityState, DocumentLikelihood, gather
from frex.sampler.kernels.groups import copy_rows
from frex.sampler.schmc import StepSize
from frex.sampler.splitting import splitting
from frex.sampler.state import Block

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from frex.sampler.data import Rooms
    from frex.sampler.kernels.documents import DocumentData
    from frex.sampler.state import Clock, State

N_STEPS = 2


@dataclass
class AffinityBlock:
    """Active affinities given the rates and ``(eta, lambda2)``; memberships move along.

    The curvature of the words and labels at the modes is found at scheduled scans of the warm-up
    and stays fixed after it; that of the prior, 1 / lambda2, is the current one.
    """

    data: DocumentData
    curvature: NDArray[np.float64]  #: flat, m x m for each document
    gathered: NDArray[np.float32]  #: room for the rates that the documents meet, not its own
    table: NDArray[np.float32]  #: and for all rates, V x N
    step: StepSize
    likelihood: DocumentLikelihood  #: of the words, where the last update left the documents

    @classmethod
    def create(cls, data: DocumentData, rooms: Rooms) -> AffinityBlock:
        """Return a block whose curvature is still to be found."""
        n_documents = len(data.exposures)
        curvature = np.zeros(int(data.square_starts[-1]))
        likelihood = DocumentLikelihood(np.zeros(n_documents), np.zeros(int(data.label_starts[-1])))
        step = StepSize.create(n_documents, N_STEPS)
        return cls(data, curvature, rooms.gathered, rooms.narrow_rates, step, likelihood)

    def conditional(
        self, state: State, rates: NDArray[np.float64], rate_sums: NDArray[np.float64]
    ) -> AffinityState:
        """Return what the kernels need of the chain's state; good until the next call."""
        gather(self.data, self.looked_up(rates), self.gathered)
        return self.conditional_again(state, rate_sums)

    def looked_up(self, rates: NDArray[np.float64]) -> NDArray[np.floating]:
        """Return the rates in a table of half the size, which is quicker to look things up in."""
        copy_rows(rates, self.table)
        return self.table

    def conditional_again(self, state: State, rate_sums: NDArray[np.float64]) -> AffinityState:
        """Return the same for a state whose rates are still those of the last `conditional`."""
        return AffinityState(
            affinities=state.affinities,
            memberships=state.memberships,
            gathered=self.gathered,
            rate_sums=rate_sums,
            affinity_mean=np.concatenate([[0.0], state.hyper.affinity_mean]),
            affinity_variance=state.hyper.affinity_variance,
            curvature=self.curvature,
        )

    def refresh(
        self, state: State, rates: NDArray[np.float64], rate_sums: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Find every document's conditional mode, keep the curvature there, return the modes."""
        modes = state.affinities.copy()
        conditional = self.conditional(state, rates, rate_sums)
        kernels.find_affinity_modes(self.data, conditional, 50, 1e-6, modes, self.curvature)
        return modes

    def update(
        self, state: State, rates: NDArray[np.float64], rate_sums: NDArray[np.float64], clock: Clock
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw all affinities; return each document's acceptance and change of energy."""
        n_documents = len(self.data.exposures)
        accepted, energy = np.empty(n_documents), np.empty(n_documents)
        kernels.update_affinities(
            self.data,
            self.conditional(state, rates, rate_sums),
            clock.address(Block.AFFINITIES),
            self.step.value,
            splitting(N_STEPS),
            accepted,
            energy,
            *self.likelihood,
        )
        return accepted, energy

    def variances(self, affinity_variance: float) -> NDArray[np.float64]:
        """Return the affinities' variances in the Gaussian about their modes, flat."""
        variances = np.zeros(int(self.data.label_starts[-1]))
        for labels, _, squares in by_label_count(self.data, self.curvature):
            mass = squares + np.eye(labels.shape[1]) / affinity_variance
            variances[labels] = np.diagonal(np.linalg.inv(mass), axis1=1, axis2=2)
        return variances

    def gaussian(
        self, modes: NDArray[np.float64], affinity_variance: float
    ) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
        """Return what makes of normals a draw from the Gaussian about modes."""
        factors = [
            (labels, np.linalg.cholesky(squares + np.eye(labels.shape[1]) / affinity_variance))
            for labels, _, squares in by_label_count(self.data, self.curvature)
        ]

        def draw(noise: NDArray[np.float64]) -> NDArray[np.float64]:
            drawn = modes.copy()
            for labels, lower in factors:
                # the inverse of L' turns normals into a draw of precision L L'
                away = np.linalg.solve(lower.transpose(0, 2, 1), noise[labels][..., None])
                drawn[labels] += away[..., 0]
            return drawn

        return draw


def by_label_count(
    data: DocumentData, curvature: NDArray[np.float64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]]:
    """Yield, for documents with the same number m of labels, their labels and curvatures.

    Places in the flat arrays, documents x m of the labels and documents x m^2 of the curvatures;
    and the curvatures, documents x m x m.
    """
    n_labels = np.diff(data.label_starts)
    for m in np.unique(n_labels):
        documents = np.flatnonzero(n_labels == m)
        places = data.square_starts[documents][:, None] + np.arange(m * m)
        labels = data.label_starts[documents][:, None] + np.arange(m)
        yield labels, places, curvature[places].reshape(-1, m, m)
