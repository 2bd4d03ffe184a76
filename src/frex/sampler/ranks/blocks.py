"""The blocks of a scan where each rank works on its own words and documents.

The kernels are those of one process; a rank's bins hold its items only. What is here is where
ranks exchange: each item's acceptance, the affinities, and sums by bins.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from frex.sampler.affinities import AffinityBlock
from frex.sampler.hyperparameters import (
    DispersionHyperBlock,
)
from frex.sampler.interweaving import (
    AffinityInterweaving,
    DispersionInterweaving,
)
from frex.sampler.kernels.groups import N_BINS, dispersion_sums
from frex.sampler.rates import RateBlock

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.ranks.corpus import Part
    from frex.sampler.ranks.exchange import Ranks
    from frex.sampler.state import Clock, State


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

    def update(
        self, state: State, exposure: NDArray[np.float64], clock: Clock
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw this rank's log rates; return every word's acceptance and change of energy."""
        done = super().update(state, exposure, clock)
        self.ranks.share(self.part.words, *done)
        return done


@dataclass
class RankDispersionHyper(DispersionHyperBlock):
    """``(log nu, log sigma2)``, each rank summing over its stretches of the words."""

    ranks: Ranks

    def sums(self, squares: NDArray[np.float64], scale: float) -> NDArray[np.float64]:
        """Return the sums over words that the density needs, parents x 3."""
        bins = self.ranks.stretch(N_BINS)
        partial = np.empty((bins.stop - bins.start, len(self.n_children), 3))
        dispersion_sums(squares, scale, bins.start, partial)
        total: NDArray[np.float64] = self.ranks.join(partial, N_BINS).sum(axis=0)
        return total


@dataclass
class RankAffinities(AffinityBlock):
    """Affinities of this rank's documents; a document's memberships are not exchanged here."""

    ranks: Ranks
    part: Part

    def refresh(
        self, state: State, rates: NDArray[np.float64], rate_sums: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Find this rank's modes and curvatures; return the modes of all documents."""
        modes = super().refresh(state, rates, rate_sums)
        self.ranks.share(self.part.labels, modes)
        self.ranks.share(self.part.squares, self.curvature)
        return modes

    def update(
        self, state: State, rates: NDArray[np.float64], rate_sums: NDArray[np.float64], clock: Clock
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Draw this rank's affinities; return every document's acceptance and change of energy."""
        done = super().update(state, rates, rate_sums, clock)
        self.ranks.share(self.part.documents, *done)
        self.ranks.share(self.part.labels, state.affinities)
        return done


@dataclass
class RankAffinityInterweaving(AffinityInterweaving):
    """``(eta, log lambda)``, each rank moving the affinities of its documents along."""

    ranks: Ranks

    def summed(self, partial: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums over the documents of all ranks."""
        return super().summed(self.ranks.all_bins(partial))


@dataclass
class RankDispersionInterweaving(DispersionInterweaving):
    """``(log nu, log sigma2)``, each rank moving its words along."""

    ranks: Ranks
    part: Part

    def summed(self, partial: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sums over the words of all ranks."""
        return super().summed(self.ranks.all_bins(partial))

    def put_moved(self, state: State) -> None:
        """Put this rank's log rates and dispersions into the state."""
        own = self.part.words.own
        state.log_rates[own], state.dispersions[own] = (moved[own] for moved in self.moved)
