"""Passes over the multi-label documents on the CPU; each rank has its own documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.sampler.data import summed_by_topics
from frex.sampler.engines.verbs import MOST_ITERATIONS, TOLERANCE, Learned, Moves
from frex.sampler.formulas.affinities import CURVATURE_SHARE
from frex.sampler.formulas.interweaving_documents import DocumentGaussians
from frex.sampler.kernels import affinities as kernels
from frex.sampler.kernels import interweaving_documents as along
from frex.sampler.kernels.documents import AffinityState, DocumentLikelihood, gather, memberships_of
from frex.sampler.kernels.groups import copy_rows
from frex.sampler.kernels.sums import affinity_sums, exposure_sums, item_sums
from frex.sampler.schmc import StepSize
from frex.sampler.splitting import splitting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.engines.cpu.engine import CpuEngine
    from frex.sampler.formulas.random import Address
    from frex.sampler.kernels.documents import DocumentData
    from frex.sampler.state import State


class DocumentSums:
    """Sums over documents, and memberships, common to HPC and PCM.

    Parameters
    ----------
    engine
        The engine with the corpus.

    Attributes
    ----------
    n_items
        Number of documents with several labels, over all processes.
    """

    def __init__(self, engine: CpuEngine) -> None:
        self._engine, self._data = engine, engine.data.documents
        self._exchange = engine.exchange
        self._table = self._exchange.table("labels", (), None)
        self.n_items = len(self._data.exposures)
        self._modes = np.empty(0)

    def new_steps(self, n_stages: int, length: float) -> StepSize:
        return StepSize.create(
            self.n_items, n_stages, length=length, kind="documents", exchange=self._exchange
        )

    def exposure(self, state: State) -> Floats:
        alone = self._engine.single_exposures
        partial = np.empty((len(self._data.bin_order), len(alone) + 1))
        exposure_sums(self._data, state.memberships, partial)
        return np.append(0.0, alone) + self._exchange.sum(partial)

    def all_memberships(self, state: State) -> Floats:
        """Return the memberships of all documents; ranks fill a common table.

        After the first call the memberships of the state are stored in this table.
        """
        table = self._table.array
        if table is not None:
            if state.memberships is not table:
                own = self._exchange.own("labels")
                table[own] = state.memberships[own]
                state.memberships = table
            self._table.fill()
        return state.memberships

    def fill_memberships(self, state: State) -> None:
        """Fill the memberships from the affinities."""
        memberships_of(self._data, state.affinities, state.memberships)

    def move_to_modes(self, state: State) -> None:
        state.affinities[:] = self._modes
        self.fill_memberships(state)

    def label_sums(self, values: Floats, centre: Floats) -> Floats:
        """Return sums by topic of labels' values less a centre, and of their squares, 2 x K."""
        partial = np.empty((len(self._data.bin_order), len(centre) + 1, 2))
        affinity_sums(self._data, values, np.append(0.0, centre), partial)
        return self._exchange.sum(partial)[1:].T

    def deviations(self, state: State, mean: Floats) -> tuple[Floats, Floats]:
        deviations, squares = self.label_sums(state.affinities, mean)
        return deviations, squares

    def moves(self, accepted: Floats, energy: Floats) -> Moves:
        """Return the outcome of the documents' trajectories."""
        if not self.n_items:
            return Moves(accepted)
        data = self._data
        partial = np.empty((len(data.bin_order), 2))
        item_sums(data.bin_starts, data.bin_documents, accepted, energy, partial)
        return Moves(accepted, *map(float, self._exchange.sum(partial) / self.n_items))


class CpuDocuments(DocumentSums):
    """A chain's passes over documents with labels.

    Attributes
    ----------
    curvature
        Curvature of words and labels at the modes: flat, m x m for each document.
    gaussians
        Gaussian approximations of the likelihood, for the interweaving of eta and lambda.
    likelihood
        Likelihood of the words after the last `draw`.
    """

    def __init__(self, engine: CpuEngine) -> None:
        super().__init__(engine)
        data = self._data
        self._workspace = engine.workspace
        n_labels, n_squares = int(data.label_starts[-1]), int(data.square_starts[-1])
        self.curvature = np.zeros(n_squares)
        # bases are in double precision, because documents are rotated into them and back
        self.gaussians = DocumentGaussians(
            np.zeros(n_squares), *np.zeros((2, n_labels), self._workspace.precision)
        )
        self.likelihood = DocumentLikelihood(np.zeros(self.n_items), np.zeros(n_labels))
        self._rate_sums = np.empty(0)

    def set_rates(self, rates: Floats, sums: Floats) -> None:
        """Store the sums of the rates, and gather the rates of the documents' words.

        A single process gathers from a table in half the precision, which is faster. Ranks gather
        from the shared table of all rates, because a copy would cost each rank as much as a single
        process.
        """
        table: NDArray[np.floating] = rates
        if self._exchange.size == 1:
            table = self._workspace.take("narrow_rates")
            copy_rows(rates, table)
        gather(self._data, table, self._workspace.take("gathered_rates"))
        self._rate_sums = sums

    def given(self, state: State) -> AffinityState:
        """Return what the kernels need of the chain's state."""
        return AffinityState(
            affinities=state.affinities,
            memberships=state.memberships,
            gathered=self._workspace.read("gathered_rates"),
            rate_sums=self._rate_sums,
            affinity_mean=np.append(0.0, state.hyper.affinity_mean),
            affinity_variance=state.hyper.affinity_variance,
            curvature=self.curvature,
        )

    def find_modes(self, state: State) -> None:
        self._modes = state.affinities.copy()
        kernels.find_affinity_modes(
            self._data, self.given(state), MOST_ITERATIONS, TOLERANCE, self._modes, self.curvature
        )

    def draw(self, state: State, steps: StepSize, address: Address) -> Moves:
        accepted, energy = np.empty(self.n_items), np.empty(self.n_items)
        kernels.update_affinities(
            self._data, self.given(state), address, steps.value, splitting(steps.n_stages),
            accepted, energy, *self.likelihood,
        )  # fmt: skip
        return self.moves(accepted, energy)

    def swap(self, state: State, address: Address) -> Moves:
        accepted, energy = np.empty(self.n_items), np.empty(self.n_items)
        kernels.swap_affinities(self._data, self.given(state), address, accepted, energy)
        return self.moves(accepted, energy)._replace(items=None)

    def scale(self, state: State, factor: float) -> float:
        partial = np.empty((len(self._data.bin_order), 1))
        proposed = self._workspace.take("scaled_affinities")
        kernels.scale_affinities(self._data, self.given(state), factor, proposed, partial)
        return float(self._exchange.sum(partial)[0])

    def accept_scaled(self, state: State) -> None:
        own = self._exchange.own("labels")  # proposed is what this process has
        state.affinities[own] = self._workspace.read("scaled_affinities")[own]
        self.fill_memberships(state)

    def variance_sums(self, affinity_variance: float) -> Floats:
        variances = np.zeros(int(self._data.label_starts[-1]))
        for labels, _, squares in by_label_count(self._data, self.curvature):
            mass = squares + np.eye(labels.shape[1]) / affinity_variance
            variances[labels] = np.diagonal(np.linalg.inv(mass), axis1=1, axis2=2)
        sums: Floats = self.label_sums(variances, np.zeros(self._engine.n_topics))[0]
        return sums

    def fit_gaussians(self, state: State) -> Floats:
        data, own, modes = self._data, self.gaussians, self._modes
        mean = state.hyper.affinity_mean[data.nodes - 1]
        prior = 1 / state.hyper.affinity_variance
        information = np.zeros(int(data.square_starts[-1]))
        for labels, places, squares in by_label_count(data, self.curvature):
            precisions, basis = np.linalg.eigh(CURVATURE_SHARE * squares)
            precisions = np.maximum(precisions, 0.0)  # rounding
            own.basis[places] = basis.reshape(places.shape)
            own.precisions[labels] = precisions
            mode, eta = (np.einsum("dkj,dk->dj", basis, x[labels]) for x in (modes, mean))
            own.pulls[labels] = (precisions + prior) * mode - prior * eta
            of_eta = prior * precisions / (precisions + prior)
            found = np.einsum("dkj,dj,dlj->dkl", basis, of_eta, basis)
            information[places] = found.reshape(places.shape)
        self._modes = np.empty(0)
        self._exchange.share("squares", information)
        return summed_by_topics(data, information, self._engine.n_topics)

    def standardise(self, state: State, address: Address | None) -> None:  # noqa: ARG002 - nothing random
        mean = np.append(0.0, state.hyper.affinity_mean)
        variance = state.hyper.affinity_variance
        held = self._workspace.take("held_affinities")
        along.standardise(self._data, self.gaussians, state.affinities, mean, variance, held)
        self._given = self.given(state)

    def log_density(
        self,
        mean: Floats,
        variance: float,
        *,
        with_value: bool = True,
        likelihood_known: bool = False,
    ) -> tuple[float, Floats, float]:
        n_nodes = len(mean) + 1
        partial = np.empty((len(self._data.bin_order), n_nodes + 2))
        none = DocumentLikelihood(np.empty(0), np.empty(0))
        along.affinity_density(
            self._data, self._given, self.gaussians, self._workspace.read("held_affinities"),
            np.append(0.0, mean), variance,
            self.likelihood if likelihood_known else none, likelihood_known, with_value, partial,
        )  # fmt: skip
        total = self._exchange.sum(partial)
        return float(total[-1]), total[1:n_nodes], float(total[n_nodes])

    def accept(self, state: State) -> None:
        mean = np.append(0.0, state.hyper.affinity_mean)
        along.affinities_at(
            self._data, self.gaussians, self._workspace.read("held_affinities"), mean,
            state.hyper.affinity_variance,
            state.affinities, state.memberships,
        )  # fmt: skip

    def learned(self) -> list[Learned]:
        return [Learned("curvature", self.curvature, "squares")]

    def learned_gaussians(self) -> list[Learned]:
        kinds = {"basis": "squares", "precisions": "labels", "pulls": "labels"}
        return [
            Learned(name, array, kinds[name])  # type: ignore[arg-type]
            for name, array in self.gaussians._asdict().items()
        ]

    def gaussian(self, modes: Floats, affinity_variance: float) -> Callable[[Floats], Floats]:
        """Return a function that turns standard normals into a draw from the Gaussian at modes."""
        factors = [
            (labels, np.linalg.cholesky(squares + np.eye(labels.shape[1]) / affinity_variance))
            for labels, _, squares in by_label_count(self._data, self.curvature)
        ]

        def draw(noise: Floats) -> Floats:
            drawn = modes.copy()
            for labels, lower in factors:
                # the inverse of L' turns normals into a draw of precision L L'
                deviations = np.linalg.solve(lower.transpose(0, 2, 1), noise[labels][..., None])
                drawn[labels] += deviations[..., 0]
            return drawn

        return draw


def by_label_count(data: DocumentData, curvature: Floats) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Yield labels and curvatures of the bins' documents, grouped by their number m of labels.

    The three arrays are the positions of labels in the flat array, documents x m; those of the
    curvatures, documents x m^2; and the curvatures, documents x m x m.
    """
    n_labels = np.diff(data.label_starts)[data.bin_documents]
    for m in np.unique(n_labels):
        documents = data.bin_documents[n_labels == m]
        places = data.square_starts[documents][:, None] + np.arange(m * m)
        labels = data.label_starts[documents][:, None] + np.arange(m)
        yield labels, places, curvature[places].reshape(-1, m, m)
