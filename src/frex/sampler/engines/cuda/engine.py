"""The corpus, or a rank's part of it, on a GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.model.dispersions import group_sizes
from frex.sampler.data import Labels, Share, word_totals
from frex.sampler.engines.cuda.corpus import DeviceCorpus
from frex.sampler.engines.cuda.documents import CudaDocuments
from frex.sampler.engines.cuda.memory import Places, cuda, zeros
from frex.sampler.engines.cuda.recording import CudaMoments, CudaScorer, CudaTracer, Exclusivity
from frex.sampler.engines.cuda.words import CudaWords
from frex.sampler.moments import RunningMoments
from frex.sampler.state import State

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.reductions import Reduced
    from frex.sampler.arrays import Ints
    from frex.sampler.engines.verbs import Learned
    from frex.sampler.exchange import RowKind
    from frex.sampler.record import ComparisonSets


class CudaEngine:
    """A corpus, or a process's part of it, with a workspace on the device.

    Parameters
    ----------
    reduced, share
        As for `CpuEngine`.
    n_chains, n_sets
        Numbers of chains and comparison sets, for the check of memory.
    """

    def __init__(
        self,
        reduced: Reduced,
        share: Share | None = None,
        *,
        n_chains: int = 1,
        n_sets: int = 1,
    ) -> None:
        self.reduced = reduced
        share = share or Share.of_one(reduced)
        self.exchange = share.exchange
        self._whole = share.whole
        self.word_totals = word_totals(share.data.words, self.exchange)
        documents = share.data.documents
        self.labels = Labels(documents.label_starts, documents.square_starts, documents.nodes)
        self.corpus = DeviceCorpus.of(share.data, self.exchange, n_chains=n_chains, n_sets=n_sets)
        self._n_children = group_sizes(reduced.tree)
        self._n_topics, self._single = reduced.tree.n_topics, reduced.single_exposures
        self._exclusivity: Exclusivity | None = None

    def words(self, curvature: str) -> CudaWords:  # noqa: ARG002 - the tree's alone
        return CudaWords(self.corpus, self._n_children)

    def documents(self) -> CudaDocuments:
        return CudaDocuments(self.corpus, self.labels, self._single)

    def whole(self) -> Reduced:
        return self.reduced if self._whole is None else self._whole()

    def forget_counts(self) -> None:
        """Release the host's counts."""
        self.reduced = self.reduced.without_counts()

    # states and what is learned

    def adopt(self, state: State) -> State:
        """Return a copy of a state on the device, with affinities in the order of its threads."""
        words, labels = self._places("words"), self._places("labels")
        parts = (state.log_rates, state.dispersions, state.affinities, state.memberships)
        laid = []
        for array, (places, n_rows) in zip(parts, (words, words, labels, labels), strict=True):
            out = zeros((n_rows, *array.shape[1:]))
            places.push(array, out)
            laid.append(out)
        log_rates, dispersions, affinities, memberships = laid
        return State(log_rates, dispersions, affinities, memberships, state.hyper)

    def copied(self, state: State) -> State:
        parts = (state.log_rates, state.dispersions, state.affinities, state.memberships)
        log_rates, dispersions, affinities, memberships = map(_copy, parts)
        return State(log_rates, dispersions, affinities, memberships, state.hyper)

    def _places(self, kind: RowKind) -> tuple[Places, int]:
        """Return the positions of rows of a kind on the device, and their number."""
        corpus = self.corpus
        return {
            "words": (corpus.words_at, corpus.n_words),
            "documents": (corpus.documents_at, len(corpus.slots)),
            "labels": (corpus.labels_at, corpus.n_labels),
            "squares": (corpus.squares_at, corpus.n_squares),
        }[kind]

    def fetch(self, learned: Learned) -> NDArray[Any]:
        if learned.kind is None:
            return np.asarray(learned.array)
        places, _ = self._places(learned.kind)
        return self.exchange.gather(learned.kind, places.pulled(learned.array))

    def put(self, learned: Learned, host: NDArray[Any]) -> None:
        """Copy this GPU's part of a complete array from the host."""
        if learned.kind is None:
            learned.array[...] = host
        else:
            self._places(learned.kind)[0].push(host, learned.array)

    def shape(self, learned: Learned) -> tuple[int, ...]:
        if learned.kind is None:
            return tuple(learned.array.shape)
        return self._places(learned.kind)[0].n_entries, *learned.array.shape[1:]

    # the record

    def moments(
        self,
        kind: RowKind,
        width: tuple[int, ...],
        precision: type[np.floating],  # noqa: ARG002 - double on the device
    ) -> CudaMoments:
        return self.moments_from(kind, RunningMoments((self.exchange.sizes[kind], *width)))

    def moments_from(self, kind: RowKind, whole: RunningMoments) -> CudaMoments:
        return CudaMoments(kind, whole, *self._places(kind), self.exchange)

    def exclusivity(self, rates: Any, sets: ComparisonSets) -> Any:
        if self._exclusivity is None:
            self._exclusivity = Exclusivity(self.corpus)
        return self._exclusivity(rates, sets)

    def scorer(self, words: NDArray[np.int32]) -> CudaScorer:
        if self._exclusivity is None:
            self._exclusivity = Exclusivity(self.corpus)
        return CudaScorer(words, self._exclusivity, self.exchange, self._n_topics)

    def tracer(self, cells: Ints, labels: Ints) -> CudaTracer:
        return CudaTracer(cells, labels, self.corpus)


def _copy(array: Any) -> Any:
    own = cuda.device_array_like(array)
    own.copy_to_device(array)
    return own
