"""The blocks of a scan where each rank works on its own words and documents.

The kernels are those of one process; a rank's bins hold its items only. What is here is where
ranks exchange: sums by bins always, modes where the curvatures are found anew.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from frex.sampler.affinities import AffinityBlock
from frex.sampler.hyperparameters import (
    AffinityHyperBlock,
    DispersionHyperBlock,
    label_terms,
)
from frex.sampler.interweaving import AffinityInterweaving, DispersionInterweaving
from frex.sampler.rates import RateBlock
from frex.sampler.schmc import StepSize
from frex.sampler.sums import Summing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from frex.sampler.ranks.corpus import Part
    from frex.sampler.ranks.exchange import Dealt, Ranks
    from frex.sampler.state import State


class RankSums(Summing):
    """What adds up over the words or documents of all ranks."""

    ranks: Ranks

    def summed(self, partial: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums over the items of all ranks from those over this rank's bins."""
        return super().summed(self.ranks.all_bins(partial))


@dataclass
class RankSteps(StepSize):
    """Step sizes of which a rank learns those of its items; all know all when that has ended."""

    ranks: Ranks
    dealt: Dealt

    def learn(self, acceptance: NDArray[np.float64], *, late: bool) -> None:
        """Learn from a scan of the warm-up."""
        own = self.dealt.own
        mine = StepSize(self.value[own], self.longest, self.log_sum[own], self.seen)
        mine.learn(acceptance[own], late=late)
        self.value[own], self.log_sum[own] = mine.value, mine.log_sum

    def freeze(self) -> None:
        """End the learning."""
        super().freeze()
        self.ranks.share(self.dealt, self.value)


@dataclass
class RankRates(RateBlock):
    """Log rates of this rank's words."""

    ranks: Ranks
    part: Part

    def refresh(self, state: State, exposure: NDArray[np.float64]) -> NDArray[np.float64]:
        """Find this rank's modes and curvatures; return the modes of all words."""
        modes = super().refresh(state, exposure)
        self.ranks.share(self.part.words, modes)
        return modes


@dataclass
class RankDispersionHyper(RankSums, DispersionHyperBlock):
    """``(log nu, log sigma2)``, each rank summing over its words."""

    ranks: Ranks


@dataclass
class RankAffinities(AffinityBlock):
    """Affinities of this rank's documents."""

    ranks: Ranks
    part: Part

    def looked_up(self, rates: NDArray[np.float64]) -> NDArray[np.floating]:
        """Return the rates as they are: ranks share them, and to copy all takes each as long."""
        return rates

    def refresh(
        self, state: State, rates: NDArray[np.float64], rate_sums: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Find this rank's modes and curvatures; return the modes of all documents."""
        modes = super().refresh(state, rates, rate_sums)
        self.ranks.share(self.part.labels, modes)
        self.ranks.share(self.part.squares, self.curvature)
        return modes


class _SharedLabels:
    """A block that asks for the label probabilities of all topics; each rank finds some."""

    ranks: Ranks

    def label_terms(self, mean: NDArray[np.float64], log_sd: float) -> NDArray[np.float64]:
        """Return the label probabilities of all topics, from this rank's share of them.

        All of a hundred topics would take 1.4 ms a scan, whatever the number of ranks.
        """
        topics = self.ranks.stretch(len(mean))
        own = label_terms(mean, log_sd, topics)
        return self.ranks.all_stretches(own, len(mean))


@dataclass
class RankAffinityHyper(_SharedLabels, AffinityHyperBlock):
    """``(eta, log lambda)``, each rank finding the label probabilities of its topics."""

    ranks: Ranks


@dataclass
class RankAffinityInterweaving(RankSums, _SharedLabels, AffinityInterweaving):
    """``(eta, log lambda)``, each rank moving the affinities of its documents along."""

    ranks: Ranks


@dataclass
class RankDispersionInterweaving(RankSums, DispersionInterweaving):
    """``(log nu, log sigma2)``, each rank moving its words along."""

    ranks: Ranks
    part: Part

    def put_moved(self, state: State) -> None:
        """Put this rank's log rates and dispersions into the state."""
        own = self.part.words.own
        state.log_rates[own], state.dispersions[own] = (moved[own] for moved in self.moved)
