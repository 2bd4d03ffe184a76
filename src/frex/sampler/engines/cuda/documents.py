"""Passes over the documents with several labels on the device: launches of kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.data import summed_by_topics
from frex.sampler.engines.cuda.memory import copied, zeros
from frex.sampler.engines.cuda.steps import DeviceSteps
from frex.sampler.engines.cuda.sums import BinSums
from frex.sampler.engines.verbs import MOST_ITERATIONS, TOLERANCE, Learned, Moves
from frex.sampler.formulas.interweaving_documents import DocumentGaussians
from frex.sampler.kernels.cuda import affinities as kernels
from frex.sampler.kernels.cuda import documents as document_kernels
from frex.sampler.kernels.cuda import interweaving_documents as along
from frex.sampler.kernels.cuda.documents import Around
from frex.sampler.kernels.cuda.options import DOCUMENT_THREADS
from frex.sampler.schmc import StepSize
from frex.sampler.splitting import Splitting, splitting

if TYPE_CHECKING:
    from frex.sampler.arrays import Floats
    from frex.sampler.data import Labels
    from frex.sampler.engines.cuda.corpus import DeviceCorpus
    from frex.sampler.exchange import RowKind
    from frex.sampler.formulas.random import Address
    from frex.sampler.state import State


class CudaDocuments:
    """A chain's passes over documents with labels.

    Parameters
    ----------
    corpus
        The corpus on the device.
    data
        The documents' labels, on the host.
    single_exposures
        Exposure of documents with one label, by topic.
    """

    def __init__(self, corpus: DeviceCorpus, data: Labels, single_exposures: Floats) -> None:
        n_slots = len(corpus.slots)
        self.corpus, self._data, self._exchange = corpus, data, corpus.exchange
        self.n_items = self._exchange.sizes["documents"]
        self.curvature = zeros(corpus.n_squares)
        self.gaussians = DocumentGaussians(
            zeros(corpus.n_squares), zeros(corpus.n_labels), zeros(corpus.n_labels)
        )
        self.done = zeros((2, n_slots))
        self.modes = zeros(corpus.n_labels)
        bins, label_bins, exchange = corpus.document_bins, corpus.label_bins, corpus.exchange
        self._moves = BinSums(bins, exchange, 2)
        self._label_sums, self._two_label_sums = (BinSums(label_bins, exchange, n) for n in (1, 2))
        self._densities = BinSums(bins, exchange, 2)
        self._held = zeros(corpus.n_labels)
        self._information = zeros(corpus.n_squares)
        self._values = zeros((1, corpus.n_labels))
        self._two_values = zeros((2, corpus.n_labels))
        self._document_values = zeros((2, n_slots))
        self._single = np.append(0.0, single_exposures)
        self._mean, self._trial_mean = zeros(corpus.n_nodes), zeros(corpus.n_nodes)
        self._rate_sums: Any = None
        self._blocks = (-(-n_slots // DOCUMENT_THREADS), DOCUMENT_THREADS)

    def new_steps(self, n_stages: int, length: float) -> DeviceSteps:
        self._splitting = Splitting(*map(copied, splitting(n_stages)))
        corpus = self.corpus
        host = StepSize.create(
            self.n_items, n_stages, length=length, kind="documents", exchange=self._exchange
        )
        return DeviceSteps(host, corpus.documents_at, len(corpus.slots))

    def _place(self, mean: Floats, *, on_trial: bool = False) -> Any:
        """Copy eta to the device, by node; a proposed eta does not replace the state's."""
        place = self._trial_mean if on_trial else self._mean
        place.copy_to_device(np.append(0.0, mean))
        return place

    def _given(self, state: State) -> Around:
        """Return what the kernels need of the chain's state."""
        mean, variance = state.hyper.affinity_mean, float(state.hyper.affinity_variance)
        return Around(self.corpus.gathered, self._rate_sums, self._place(mean), variance)

    def exposure(self, state: State) -> Floats:
        document_kernels.weigh[self._blocks](self.corpus.documents, state.memberships, self._values)
        found: Floats = self._single + self._label_sums.take(self._values)[:, 0]
        return found

    def all_memberships(self, state: State) -> Any:
        return self.corpus.tables.memberships(state.memberships)

    def set_rates(self, rates: Any, sums: Any) -> None:
        document_kernels.gather[self._blocks](self.corpus.documents, rates, self.corpus.gathered)
        self._rate_sums = sums

    def draw(self, state: State, steps: DeviceSteps, address: Address) -> Moves:
        kernels.update_affinities[self._blocks](
            self.corpus.documents, self._given(state), self.curvature, steps.on_device,
            self._splitting, address, self.corpus.course, state.affinities, state.memberships,
            self.done,
        )  # fmt: skip
        return self._outcome()

    def swap(self, state: State, address: Address) -> Moves:
        kernels.swap_affinities[self._blocks](
            self.corpus.documents, self._given(state), address, self.corpus.course,
            state.affinities, state.memberships, self.done,
        )  # fmt: skip
        return self._outcome()._replace(items=None)

    def scale(self, state: State, factor: float) -> float:
        kernels.scale_affinities[self._blocks](
            self.corpus.documents, self._given(state), factor, self.corpus.course,
            state.affinities, state.memberships, self._held, self.done,
        )  # fmt: skip
        return float(self._moves.take(self.done)[0, 0])

    def accept_scaled(self, state: State) -> None:
        self._take_over(state, self._held)

    def _take_over(self, state: State, found: Any) -> None:
        """Put affinities into the state, and memberships along."""
        affinities: Any = state.affinities
        affinities.copy_to_device(found)
        document_kernels.memberships_of[self._blocks](
            self.corpus.documents, state.affinities, state.memberships
        )

    def _outcome(self) -> Moves:
        """Return each document's acceptance probability, and the means over documents."""
        if not self.n_items:
            return Moves(self.done[0])
        return Moves(self.done[0], *map(float, self._moves.take(self.done)[0] / self.n_items))

    def find_modes(self, state: State) -> None:
        self.modes.copy_to_device(state.affinities)
        kernels.find_affinity_modes[self._blocks](
            self.corpus.documents, self._given(state), MOST_ITERATIONS, TOLERANCE,
            self.corpus.course, self.modes, self.curvature,
        )  # fmt: skip

    def move_to_modes(self, state: State) -> None:
        self._take_over(state, self.modes)

    def deviations(self, state: State, mean: Floats) -> tuple[Floats, Floats]:
        document_kernels.deviate[self._blocks](
            self.corpus.documents, state.affinities, self._place(mean), self._two_values
        )
        deviations, squares = self._two_label_sums.take(self._two_values)[1:].T
        return deviations, squares

    def variance_sums(self, affinity_variance: float) -> Floats:
        kernels.label_variances[self._blocks](
            self.corpus.documents, self.curvature, affinity_variance, self.corpus.course,
            self._values,
        )  # fmt: skip
        return self._label_sums.take(self._values)[1:, 0]

    def fit_gaussians(self, state: State) -> Floats:
        corpus, hyper = self.corpus, state.hyper
        along.fit_gaussians[self._blocks](
            corpus.documents, self.curvature, self.modes, self._place(hyper.affinity_mean),
            float(hyper.affinity_variance), self.gaussians, corpus.course,
            self._information,
        )  # fmt: skip
        information = corpus.squares_at.pulled(self._information)
        self._exchange.share("squares", information)
        return summed_by_topics(self._data, information, len(hyper.affinity_mean))

    def standardise(self, state: State, address: Address | None) -> None:  # noqa: ARG002 - nothing random
        given = self._given(state)
        along.standardise[self._blocks](
            self.corpus.documents, self.gaussians, state.affinities, given.affinity_mean,
            given.affinity_variance, self.corpus.course, self._held,
        )  # fmt: skip

    def log_density(
        self,
        mean: Floats,
        variance: float,
        *,
        with_value: bool = True,
        likelihood_known: bool = False,  # noqa: ARG002 - it is not kept
    ) -> tuple[float, Floats, float]:
        corpus, place = self.corpus, self._place(mean, on_trial=True)
        given = Around(corpus.gathered, self._rate_sums, place, variance)
        along.affinity_density[self._blocks](
            corpus.documents, given, self.gaussians, self._held, with_value, corpus.course,
            self._values, self._document_values,
        )  # fmt: skip
        in_mean = self._label_sums.take(self._values)[1:, 0]
        in_log_sd, value = self._densities.take(self._document_values)[0]
        return float(value), in_mean, float(in_log_sd)

    def accept(self, state: State) -> None:
        given = self._given(state)
        along.affinities_at[self._blocks](
            self.corpus.documents, self.gaussians, self._held, given.affinity_mean,
            given.affinity_variance, self.corpus.course, state.affinities, state.memberships,
        )  # fmt: skip

    def learned(self) -> list[Learned]:
        return [Learned("curvature", self.curvature, "squares")]

    def learned_gaussians(self) -> list[Learned]:
        kinds: dict[str, RowKind] = {"basis": "squares", "precisions": "labels", "pulls": "labels"}
        parts = self.gaussians._asdict().items()
        return [Learned(name, array, kinds[name]) for name, array in parts]
