"""The corpus, or a rank's part of it, on the CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.data import Labels, Share, word_totals
from frex.sampler.engines.cpu.contrasts import CpuContrasts
from frex.sampler.engines.cpu.documents import CpuDocuments
from frex.sampler.engines.cpu.recording import CpuMoments, CpuScorer, CpuTracer
from frex.sampler.engines.cpu.words import CpuWords
from frex.sampler.kernels.exclusivity import exclusivity
from frex.sampler.moments import RunningMoments
from frex.sampler.state import State
from frex.sampler.workspace import Workspace

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from frex.model.reductions import Reduced
    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.engines.verbs import Learned
    from frex.sampler.exchange import RowKind
    from frex.sampler.record import ComparisonSets


class CpuEngine:
    """A corpus, or a process's part of it, and the workspace that all chains share.

    Parameters
    ----------
    reduced
        The corpus after the exact reductions.
    share
        For one process among several: its part of the corpus.
    precision
        Precision of the memberships and rates that words and documents gather.
    """

    def __init__(
        self,
        reduced: Reduced,
        share: Share | None = None,
        *,
        precision: DTypeLike = np.float32,
    ) -> None:
        self.reduced = reduced
        share = share or Share.of_one(reduced)
        self.data, self.exchange = share.data, share.exchange
        words, documents = self.data
        self._whole = share.whole
        self.workspace = Workspace.create(words, documents, precision)
        self.n_topics = reduced.tree.n_topics
        self.n_children, self.known = reduced.n_children, reduced.known
        self.labels = Labels(documents.label_starts, documents.square_starts, documents.nodes)
        self.single_exposures = reduced.single_exposures
        self.word_totals = word_totals(words, self.exchange)

    def words(self, curvature: str) -> CpuWords:
        return CpuWords(self, curvature)

    def documents(self) -> CpuDocuments | CpuContrasts:
        return CpuDocuments(self) if self.reduced.labelled else CpuContrasts(self)

    def whole(self) -> Reduced:
        return self.reduced if self._whole is None else self._whole()

    def forget_counts(self) -> None:
        """Release the counts, which the kernels hold in their own layout."""
        self.reduced = self.reduced.without_counts()

    # states and what is learned

    def adopt(self, state: State) -> State:
        """Return the state itself, which the engine changes in place."""
        return state

    def copied(self, state: State) -> State:
        parts = (state.log_rates, state.dispersions, state.affinities, state.memberships)
        log_rates, dispersions, affinities, memberships = (part.copy() for part in parts)
        return State(log_rates, dispersions, affinities, memberships, state.hyper)

    def fetch(self, learned: Learned) -> NDArray[Any]:
        """Return an array that is complete on the first process."""
        if learned.kind is None:
            return np.asarray(learned.array)
        return self.exchange.gather(learned.kind, learned.array)

    def put(self, learned: Learned, host: NDArray[Any]) -> None:
        learned.array[...] = host

    def shape(self, learned: Learned) -> tuple[int, ...]:
        return tuple(learned.array.shape)

    # the record

    def moments(
        self, kind: RowKind, width: tuple[int, ...], precision: type[np.floating]
    ) -> CpuMoments:
        mine = self.exchange.mine(kind)
        shape = mine.stop - mine.start, *width
        return CpuMoments(kind, RunningMoments(shape, precision), self.exchange)

    def moments_from(self, kind: RowKind, whole: RunningMoments) -> CpuMoments:
        arrays = whole.to_arrays()
        if self.exchange.size > 1:
            own = self.exchange.own(kind)
            arrays = {"count": arrays["count"]} | {
                part: arrays[part][own] for part in ("mean", "squares")
            }
            whole = RunningMoments.from_arrays(arrays)
        return CpuMoments(kind, whole, self.exchange)

    def exclusivity(self, rates: Floats, sets: ComparisonSets) -> Floats:
        mine = self.exchange.mine("words")
        values: Floats = self.workspace.take("exclusivity")
        own = values[: mine.stop - mine.start]
        exclusivity(rates[mine], *sets, own)
        return own

    def scorer(self, words: NDArray[np.int32]) -> CpuScorer:
        return CpuScorer(words, self.n_topics, self.exchange)

    def tracer(self, cells: Ints, labels: Ints) -> CpuTracer:
        return CpuTracer(cells, labels, len(self.word_totals), self.exchange)
