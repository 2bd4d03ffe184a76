"""One scan: every block once, each given the latest of all others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.model.dispersions import group_sizes
from frex.sampler.affinities import AffinityBlock
from frex.sampler.contrasts import ContrastBlock, ContrastHyperBlock, ContrastInterweaving
from frex.sampler.data import kernel_data
from frex.sampler.formulas.moves import bounded_size
from frex.sampler.hyperparameters import (
    AffinityHyperBlock,
    DispersionHyperBlock,
    draw_root,
    statistics_about,
)
from frex.sampler.interweaving import AffinityInterweaving, DispersionInterweaving
from frex.sampler.kernels.groups import draw_dispersions, exponentiate, group_squares
from frex.sampler.kernels.sums import affinity_sums, exposure_sums, item_sums, rate_sums
from frex.sampler.rates import RateBlock
from frex.sampler.state import Block
from frex.sampler.sums import Summing

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import DTypeLike, NDArray

    from frex.model.hyperparameters import AffinityStatistics
    from frex.model.priors import Priors
    from frex.model.reductions import Reduced
    from frex.sampler.data import Bins, KernelData
    from frex.sampler.rates import Curvature
    from frex.sampler.schmc import Move, StepSize
    from frex.sampler.state import Clock, State


@dataclass
class ScanReport:
    """What a scan did: for each block that may reject, its acceptance and change of energy.

    Means over items, where a block has many; `items` keeps each item's acceptance.
    """

    acceptance: dict[str, float] = field(default_factory=dict)
    energy: dict[str, float] = field(default_factory=dict)
    items: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    sums: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    """Of acceptance and energy over the items of each bin, bins x 2."""

    def add(self, block: str, move: Move) -> None:
        """Note what a block did that makes one move."""
        self.items[block] = np.array([move.acceptance])
        self.acceptance[block] = move.acceptance
        self.energy[block] = bounded_size(move.energy)

    def add_items(
        self,
        block: str,
        bins: Bins,
        acceptance: NDArray[np.float64],
        energy: NDArray[np.float64],
    ) -> None:
        """Note what a block did with each of its items, those in the bins."""
        self.items[block] = acceptance
        if len(acceptance):
            self.acceptance[block] = self.energy[block] = np.nan  # which has its place here
            self.sums[block] = np.empty((len(bins[0]) - 1, 2))
            item_sums(*bins, acceptance, energy, self.sums[block])

    def take_means(self, summed: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> None:
        """Take the means over all items; `summed` makes sums of those of the bins."""
        for block, sums in self.sums.items():
            means = summed(sums) / len(self.items[block])
            self.acceptance[block], self.energy[block] = map(float, means)


class Sampler(Summing):
    """The blocks of a corpus, and the scan that goes through them.

    Parameters
    ----------
    reduced
        The corpus after the exact reductions.
    priors
        Of the hyperparameters.
    curvature
        Of the rate block: ``"tree"``, or ``"dense"`` as in the paper.
    interweave
        Draw hyperparameters once more together with what they govern. Off, the chain is as right
        and slower; tests of single blocks and benchmarks switch it off.
    data
        The kernels' form of the corpus, where another chain has it already.
    """

    def __init__(
        self,
        reduced: Reduced,
        priors: Priors,
        *,
        curvature: Curvature = "tree",
        interweave: bool = True,
        data: KernelData | None = None,
    ) -> None:
        self.reduced = reduced
        self.priors = priors
        self.interweave = interweave
        self.data = kernel_data(reduced) if data is None else data
        self.n_children = group_sizes(reduced.tree)
        n_topics = reduced.tree.n_topics
        self.n_active = np.bincount(reduced.labels.indices, minlength=n_topics)
        rooms = self.data.rooms
        self.rates = RateBlock.create(self.data.words, rooms, curvature, self._precision)
        self.dispersion_hyper = DispersionHyperBlock.create(
            self.data.words, self.n_children, priors
        )
        documents = self.data.documents
        self.affinities: AffinityBlock | ContrastBlock
        self.affinity_hyper: AffinityHyperBlock | ContrastHyperBlock
        self.affinity_interweaving: AffinityInterweaving | ContrastInterweaving
        if reduced.labelled:
            self.affinities = AffinityBlock.create(documents, rooms)
            self.affinity_hyper = AffinityHyperBlock.create(n_topics, priors)
            self.affinity_interweaving = AffinityInterweaving.create(
                documents, n_topics, priors, self._precision
            )
        else:
            self.affinities = ContrastBlock.create(documents)
            self.affinity_hyper = ContrastHyperBlock.create(n_topics, priors)
            self.affinity_interweaving = ContrastInterweaving.create(documents, n_topics, priors)
        self.dispersion_interweaving = DispersionInterweaving.create(
            self.data.words,
            rooms,
            self.rates.curvature
            if curvature == "tree"
            else np.zeros(rooms.moved_rates.shape, self._precision),
            priors,
        )

    @property
    def _precision(self) -> DTypeLike:
        """Of what stands for the words' likelihoods: any will do, so long as it stays as it is."""
        return self.data.rooms.precision

    @property
    def steps(self) -> dict[str, StepSize]:
        """The step sizes, by block."""
        return {
            "rates": self.rates.step,
            "affinities": self.affinities.step,
            "dispersion_hyper": self.dispersion_hyper.step,
            "affinity_hyper": self.affinity_hyper.step,
            "affinity_interweaving": self.affinity_interweaving.step,
            "dispersion_interweaving": self.dispersion_interweaving.step,
        }

    def exposure(self, state: State) -> NDArray[np.float64]:
        """Return E by node; the root has none."""
        documents, alone = self.data.documents, self.reduced.single_exposures
        partial = np.empty((len(documents.turns), len(alone) + 1))
        exposure_sums(documents, state.memberships, partial)
        return np.append(0.0, alone) + self.summed(partial)

    def statistics(self, state: State) -> AffinityStatistics:
        """Return all that eta and lambda see of the affinities."""
        if isinstance(self.affinity_hyper, ContrastHyperBlock):
            return self.affinity_hyper.statistics(self.reduced, state.affinities)
        documents, mean = self.data.documents, state.hyper.affinity_mean
        partial = np.empty((len(documents.turns), len(mean) + 1, 2))
        affinity_sums(documents, state.affinities, np.append(0.0, mean), partial)
        away, squares = self.summed(partial)[1:].T
        return statistics_about(self.reduced, self.n_active, mean, away, squares)

    def squares(self, state: State) -> NDArray[np.float64]:
        """Return the squared deviations of the groups of the words in the bins of `data`, V x P."""
        words, squares = self.data.words, np.empty_like(state.dispersions)
        group_squares(words.bin_words, state.log_rates, words.parents, words.groups, squares)
        return squares

    def every_square(self, state: State) -> NDArray[np.float64]:
        """Return the squared deviations of all groups, V x P."""
        return self.squares(state)

    def exponentiated(self, state: State) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the rates, V x N, and their sums over words; good until words move, or the next.

        The room is that of log rates which the words' move has put into the state, or has not.
        """
        rates, every_word = self.data.rooms.moved_rates, np.arange(len(state.log_rates))
        exponentiate(every_word, state.log_rates, every_word, rates)
        words = self.data.words
        partial = np.empty((len(words.turns), rates.shape[1]))
        rate_sums(words, rates, words.bin_words, partial)
        return rates, self.summed(partial)

    def root_log_rates(self, state: State) -> NDArray[np.float64]:
        """Return every word's log rate at the root."""
        return state.log_rates[:, 0]

    def word_totals(self) -> NDArray[np.float64]:
        """Return how often each word was counted."""
        words = self.data.words
        ends = np.concatenate([[0.0], np.cumsum(words.counts, dtype=np.float64)])
        totals = self._of_all_words(np.diff(ends[words.starts]))
        totals += words.single_counts.sum(axis=1, dtype=np.float64)
        return totals

    def _of_all_words(self, own: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what all words have, from what those in the bins of `data` have; the rest is 0."""
        return own

    def scan(self, state: State, clock: Clock, *, refresh: bool = False) -> ScanReport:
        """Change the state by one scan.

        Parameters
        ----------
        state
            Changed in place.
        clock
            Which scan it is.
        refresh
            Find the curvatures anew, at scheduled scans of the warm-up.
        """
        report = ScanReport()
        self._update_words(state, clock, report, refresh=refresh)
        self._update_documents(state, clock, report, refresh=refresh)
        state.hyper = draw_root(state.hyper, self.root_log_rates(state), self.priors, clock)
        report.take_means(self.summed)
        return report

    def _update_words(
        self, state: State, clock: Clock, report: ScanReport, *, refresh: bool
    ) -> None:
        """Log rates; then nu and sigma2 with the dispersions integrated out; then those."""
        total = self.exposure(state)
        if refresh:
            modes = self.rates.refresh(state, total)
        moves = self.rates.update(state, total, clock)
        words = self.data.words
        report.add_items("rates", (words.bin_starts, words.bin_words), *moves)

        squares = self.squares(state)
        if refresh:
            self.dispersion_hyper.refresh(state.hyper, squares)
        state.hyper, move = self.dispersion_hyper.update(state.hyper, squares, clock)
        report.add("dispersion_hyper", move)
        draw_dispersions(
            squares,
            self.n_children.astype(np.float64),
            state.hyper.dispersion_df,
            state.hyper.dispersion_scale,
            clock.address(Block.DISPERSIONS),
            words.bin_words,
            state.dispersions,
        )
        if self.interweave:
            conditional = self.rates.conditional_again(state, total)
            if refresh:
                self.dispersion_interweaving.refresh(state, modes, conditional)
            move = self.dispersion_interweaving.update(
                state, conditional, clock, self.rates.likelihood
            )
            report.add("dispersion_interweaving", move)

    def _update_documents(
        self, state: State, clock: Clock, report: ScanReport, *, refresh: bool
    ) -> None:
        """Active affinities; then eta and lambda with the unseen ones integrated out."""
        rates, sums = self.exponentiated(state)
        if refresh:
            modes = self.affinities.refresh(state, rates, sums)
        moves = self.affinities.update(state, rates, sums, clock)
        documents = self.data.documents
        bins = documents.bin_starts, documents.bin_documents
        report.add_items("affinities", bins, *moves)
        statistics = self.statistics(state)
        if refresh:
            self.affinity_hyper.refresh(state.hyper, statistics)
        state.hyper, move = self.affinity_hyper.update(state.hyper, statistics, clock)
        report.add("affinity_hyper", move)
        if not (self.interweave and len(state.affinities)):
            return
        conditional: Any = self.affinities.conditional_again(state, sums)
        if refresh:
            self.affinity_interweaving.refresh(state, modes, conditional, statistics)
        move = self.affinity_interweaving.update(
            state, conditional, statistics, clock, self.affinities.likelihood
        )
        report.add("affinity_interweaving", move)
