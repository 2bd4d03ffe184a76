"""The documents on the device: launches of their kernels, in the order a block needs them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.affinities import N_STEPS
from frex.sampler.cuda.memory import copied, room
from frex.sampler.cuda.sums import BinSums
from frex.sampler.formulas.interweaving_documents import DocumentGaussians
from frex.sampler.kernels.cuda import affinities as kernels
from frex.sampler.kernels.cuda import documents as document_kernels
from frex.sampler.kernels.cuda import interweaving_documents as together
from frex.sampler.kernels.cuda.options import DOCUMENT_THREADS
from frex.sampler.splitting import Splitting, splitting

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.reductions import Reduced
    from frex.sampler.cuda.corpus import DeviceCorpus
    from frex.sampler.cuda.state import DeviceState
    from frex.sampler.formulas.random import Address
    from frex.sampler.kernels.cuda.documents import Around


class DeviceDocuments:
    """What a chain has of the documents, and the work on it.

    Parameters
    ----------
    corpus
        The corpus on the device.
    reduced
        The same on the host.
    """

    def __init__(self, corpus: DeviceCorpus, reduced: Reduced) -> None:
        n_slots = len(corpus.slots)
        self.corpus = corpus
        self.curvature = room(corpus.n_squares)
        self.own = DocumentGaussians(
            room(corpus.n_squares), room(corpus.n_labels), room(corpus.n_labels)
        )
        self.done = room((2, n_slots))
        self.accepted = self.done[0]
        self.modes = room(corpus.n_labels)
        bins, label_bins, exchange = corpus.document_bins, corpus.label_bins, corpus.exchange
        self.moves = BinSums(bins, exchange, 2)
        self.exposure = room(corpus.n_nodes)  #: E by node; the root has none
        self._label_sums, self._two_label_sums = (BinSums(label_bins, exchange, n) for n in (1, 2))
        self._densities = BinSums(bins, exchange, 2)
        self._held = room(corpus.n_labels)
        self._told = room(corpus.n_squares)
        self._values = room((1, corpus.n_labels))
        self._two_values = room((2, corpus.n_labels))
        self._document_values = room((2, n_slots))
        self._single = np.append(0.0, reduced.single_exposures)
        self._mean, self._trial_mean = room(corpus.n_nodes), room(corpus.n_nodes)
        self._splitting = Splitting(*map(copied, splitting(N_STEPS)))
        self._blocks = (-(-n_slots // DOCUMENT_THREADS), DOCUMENT_THREADS)

    def place_mean(self, affinity_mean: NDArray[np.float64], *, on_trial: bool = False) -> Any:
        """Copy eta to the device, by node; the state's stays beside one that is on trial."""
        place = self._trial_mean if on_trial else self._mean
        place.copy_to_device(np.append(0.0, affinity_mean))
        return place

    def expose(self, memberships: Any) -> None:
        """Fill the exposure."""
        document_kernels.weigh[self._blocks](self.corpus.documents, memberships, self._values)
        self.exposure.copy_to_device(self._single + self._label_sums.take(self._values)[:, 0])

    def gather(self, rates: Any) -> None:
        """Copy the rates to the documents' words, for all that follows."""
        document_kernels.gather[self._blocks](self.corpus.documents, rates, self.corpus.gathered)

    def update(self, state: DeviceState, around: Around, step: Any, address: Address) -> None:
        """Draw all affinities by one trajectory; `done` says what each document did."""
        kernels.update_affinities[self._blocks](
            self.corpus.documents, around, self.curvature, step, self._splitting, address,
            self.corpus.course, state.affinities, state.memberships, self.done,
        )  # fmt: skip

    def refresh(self, state: DeviceState, around: Around) -> None:
        """Find every document's conditional mode and the curvature there."""
        self.modes.copy_to_device(state.affinities)
        kernels.find_affinity_modes[self._blocks](
            self.corpus.documents, around, 50, 1e-6, self.corpus.course, self.modes, self.curvature
        )

    def fill_memberships(self, state: DeviceState) -> None:
        """Fill the memberships from the affinities."""
        document_kernels.memberships_of[self._blocks](
            self.corpus.documents, state.affinities, state.memberships
        )

    def deviations(self, affinities: Any, affinity_mean: Any) -> NDArray[np.float64]:
        """Return sums by topic of the affinities less their means, and of squares, 2 x K."""
        document_kernels.deviate[self._blocks](
            self.corpus.documents, affinities, affinity_mean, self._two_values
        )
        return self._two_label_sums.take(self._two_values)[1:].T

    def variance_sums(self, affinity_variance: float) -> NDArray[np.float64]:
        """Return sums by topic of the affinities' variances about their modes."""
        kernels.label_variances[self._blocks](
            self.corpus.documents, self.curvature, affinity_variance, self.corpus.course,
            self._values,
        )  # fmt: skip
        return self._label_sums.take(self._values)[1:, 0]

    def match(self, affinity_mean: Any, affinity_variance: float) -> NDArray[np.float64]:
        """Match the Gaussians to the modes; return what each says of its eta, flat m x m."""
        corpus = self.corpus
        together.match[self._blocks](
            corpus.documents, self.curvature, self.modes, affinity_mean, affinity_variance,
            self.own, corpus.course, self._told,
        )  # fmt: skip
        told = corpus.squares_at.pulled(self._told)
        corpus.exchange.share_squares(told)
        return told

    def standardise(self, state: DeviceState, affinity_mean: Any) -> None:
        """Fill what the move holds fixed."""
        together.standardise[self._blocks](
            self.corpus.documents, self.own, state.affinities, affinity_mean,
            state.hyper.affinity_variance, self.corpus.course, self._held,
        )  # fmt: skip

    def density(
        self, around: Around, *, with_value: bool
    ) -> tuple[float, NDArray[np.float64], float]:
        """Return the documents' log density, and its slopes in eta and in log lambda."""
        corpus = self.corpus
        together.affinity_density[self._blocks](
            corpus.documents, around, self.own, self._held, with_value, corpus.course,
            self._values, self._document_values,
        )  # fmt: skip
        in_mean = self._label_sums.take(self._values)[1:, 0]
        in_log_sd, value = self._densities.take(self._document_values)[0]
        return float(value), in_mean, float(in_log_sd)

    def take(self, state: DeviceState, affinity_mean: Any, affinity_variance: float) -> None:
        """Move affinities and memberships to where they go with what was held fixed."""
        together.affinities_at[self._blocks](
            self.corpus.documents, self.own, self._held, affinity_mean, affinity_variance,
            self.corpus.course, state.affinities, state.memberships,
        )  # fmt: skip
