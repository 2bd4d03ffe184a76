"""One scan: every block once, each given the latest of all others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.model.dispersions import group_sizes
from frex.model.reductions import exposure
from frex.sampler.affinities import AffinityBlock
from frex.sampler.contrasts import ContrastBlock, ContrastHyperBlock, ContrastInterweaving
from frex.sampler.data import kernel_data
from frex.sampler.hyperparameters import AffinityHyperBlock, DispersionHyperBlock, draw_root
from frex.sampler.interweaving import AffinityInterweaving, DispersionInterweaving
from frex.sampler.kernels.groups import (
    N_BINS,
    draw_dispersions,
    exponentiate,
    group_squares,
    rate_sums,
)
from frex.sampler.rates import RateBlock
from frex.sampler.state import Block

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.priors import Priors
    from frex.model.reductions import Reduced
    from frex.sampler.data import KernelData
    from frex.sampler.rates import Curvature
    from frex.sampler.schmc import StepSize
    from frex.sampler.state import Clock, State


@dataclass
class ScanReport:
    """What a scan did: for each block that may reject, its acceptance and change of energy.

    Means over items, where a block has many; `items` keeps each item's acceptance.
    """

    acceptance: dict[str, float] = field(default_factory=dict)
    energy: dict[str, float] = field(default_factory=dict)
    items: dict[str, NDArray[np.float64]] = field(default_factory=dict)

    def add(self, block: str, acceptance: NDArray[np.float64], energy: NDArray[np.float64]) -> None:
        """Note what a block did."""
        self.items[block] = acceptance
        if len(acceptance):
            self.acceptance[block] = float(acceptance.mean())
            self.energy[block] = float(np.abs(np.clip(energy, -1e3, 1e3)).mean())


class Sampler:
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
        self.rates = RateBlock.create(self.data.words, curvature)
        self.dispersion_hyper = DispersionHyperBlock.create(self.n_children, priors)
        documents = self.data.documents
        self.affinities: AffinityBlock | ContrastBlock
        self.affinity_hyper: AffinityHyperBlock | ContrastHyperBlock
        self.affinity_interweaving: AffinityInterweaving | ContrastInterweaving
        if reduced.labelled:
            self.affinities = AffinityBlock.create(documents, self.data.gathered)
            self.affinity_hyper = AffinityHyperBlock.create(n_topics, priors)
            self.affinity_interweaving = AffinityInterweaving.create(documents, n_topics, priors)
        else:
            self.affinities = ContrastBlock.create(documents)
            self.affinity_hyper = ContrastHyperBlock.create(n_topics, priors)
            self.affinity_interweaving = ContrastInterweaving.create(documents, n_topics, priors)
        self.dispersion_interweaving = DispersionInterweaving.create(
            self.data.words, len(self.n_children), priors
        )

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
        return np.concatenate([[0.0], exposure(self.reduced, state.memberships)])

    def squares(self, state: State) -> NDArray[np.float64]:
        """Return the squared deviations of every group, V x P."""
        words, squares = self.data.words, np.empty_like(state.dispersions)
        group_squares(words.bin_words, state.log_rates, words.parents, words.groups, squares)
        return squares

    def exponentiated(self, state: State) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the rates, V x N, and their sums over words."""
        rates, every_word = np.empty_like(state.log_rates), np.arange(len(state.log_rates))
        exponentiate(every_word, state.log_rates, every_word, rates)
        partial = np.empty((N_BINS, rates.shape[1]))
        rate_sums(rates, every_word, 0, partial)
        return rates, partial.sum(axis=0)

    def root_log_rates(self, state: State) -> NDArray[np.float64]:
        """Return every word's log rate at the root."""
        return state.log_rates[:, 0]

    def word_totals(self) -> NDArray[np.float64]:
        """Return how often each word was counted."""
        totals: NDArray[np.float64] = self.reduced.single_counts.sum(axis=1)
        return totals + self.reduced.counts.sum(axis=0)

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
        return report

    def _update_words(
        self, state: State, clock: Clock, report: ScanReport, *, refresh: bool
    ) -> None:
        """Log rates; then nu and sigma2 with the dispersions integrated out; then those."""
        total = self.exposure(state)
        if refresh:
            modes = self.rates.refresh(state, total)
        report.add("rates", *self.rates.update(state, total, clock))

        squares = self.squares(state)
        if refresh:
            self.dispersion_hyper.refresh(state.hyper, squares)
        state.hyper, move = self.dispersion_hyper.update(state.hyper, squares, clock)
        report.add("dispersion_hyper", np.array([move.acceptance]), np.array([move.energy]))
        draw_dispersions(
            squares,
            self.n_children.astype(np.float64),
            state.hyper.dispersion_df,
            state.hyper.dispersion_scale,
            clock.address(Block.DISPERSIONS),
            self.data.words.bin_words,
            state.dispersions,
        )
        if self.interweave:
            conditional = self.rates.conditional_again(state, total)
            if refresh:
                self.dispersion_interweaving.refresh(state, modes, conditional)
            move = self.dispersion_interweaving.update(
                state, conditional, clock, self.rates.likelihood
            )
            report.add(
                "dispersion_interweaving", np.array([move.acceptance]), np.array([move.energy])
            )

    def _update_documents(
        self, state: State, clock: Clock, report: ScanReport, *, refresh: bool
    ) -> None:
        """Active affinities; then eta and lambda with the unseen ones integrated out."""
        rates, sums = self.exponentiated(state)
        if refresh:
            modes = self.affinities.refresh(state, rates, sums)
        report.add("affinities", *self.affinities.update(state, rates, sums, clock))

        statistics = self.affinity_hyper.statistics(self.reduced, state.affinities)
        if refresh:
            self.affinity_hyper.refresh(state.hyper, statistics)
        state.hyper, move = self.affinity_hyper.update(state.hyper, statistics, clock)
        report.add("affinity_hyper", np.array([move.acceptance]), np.array([move.energy]))
        if not (self.interweave and len(state.affinities)):
            return
        conditional: Any = self.affinities.conditional_again(state, sums)
        if refresh:
            self.affinity_interweaving.refresh(state, modes, conditional, statistics)
        move = self.affinity_interweaving.update(
            state, conditional, statistics, clock, self.affinities.likelihood
        )
        report.add("affinity_interweaving", np.array([move.acceptance]), np.array([move.energy]))
