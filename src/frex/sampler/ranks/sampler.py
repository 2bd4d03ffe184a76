"""One scan on several ranks: `sampler/scan.py`, with what crosses from rank to rank.

A state's log rates and dispersions are good for this rank's words, its affinities for this rank's
documents. The rates of all words and the memberships of all documents are in tables that the ranks
of a machine share; between machines each crosses once in a scan.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.kernels.groups import exponentiate
from frex.sampler.kernels.sums import rate_sums
from frex.sampler.ranks.blocks import (
    RankAffinities,
    RankAffinityHyper,
    RankAffinityInterweaving,
    RankDispersionHyper,
    RankDispersionInterweaving,
    RankRates,
    RankSteps,
    RankSums,
)
from frex.sampler.scan import Sampler

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.priors import Priors
    from frex.sampler.ranks.corpus import Part
    from frex.sampler.ranks.exchange import Ranks
    from frex.sampler.rates import Curvature
    from frex.sampler.scan import ScanReport
    from frex.sampler.state import Clock, State


class RankSampler(RankSums, Sampler):
    """The blocks of this rank's part of a corpus, and the scan that goes through them.

    Parameters
    ----------
    part
        Of the corpus.
    ranks
        All of them.
    priors, curvature, interweave
        As for `Sampler`.
    """

    def __init__(
        self,
        part: Part,
        ranks: Ranks,
        priors: Priors,
        *,
        curvature: Curvature = "tree",
        interweave: bool = True,
    ) -> None:
        super().__init__(
            part.reduced, priors, curvature=curvature, interweave=interweave, data=part.data
        )
        self.part = part
        self.ranks = ranks
        both = {"ranks": ranks, "part": part}
        self.rates = _as(RankRates, self.rates, **both)
        self.affinities = _as(RankAffinities, self.affinities, **both)
        self.dispersion_hyper = _as(RankDispersionHyper, self.dispersion_hyper, ranks=ranks)
        self.affinity_hyper = _as(RankAffinityHyper, self.affinity_hyper, ranks=ranks)
        self.affinity_interweaving = _as(
            RankAffinityInterweaving, self.affinity_interweaving, ranks=ranks
        )
        self.dispersion_interweaving = _as(
            RankDispersionInterweaving, self.dispersion_interweaving, **both
        )
        for block, dealt in ((self.rates, part.words), (self.affinities, part.documents)):
            block.step = _as(RankSteps, block.step, ranks=ranks, dealt=dealt)
        self._rates = ranks.table(part.words, (part.reduced.tree.n_nodes,), in_order=True)
        self._roots = ranks.table(part.words)
        self._memberships = ranks.table(part.labels)
        self._rate_sums = np.empty(0)
        self._scanned = False  # then the rates are those of the state

    def _of_all_words(self, own: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the words of all ranks have; whole numbers."""
        return self.ranks.total(own)

    def every_square(self, state: State) -> NDArray[np.float64]:
        """Return the squared deviations of all groups, V x P."""
        squares = self.squares(state)
        self.ranks.share(self.part.words, squares)
        return squares

    def exponentiated(self, state: State) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the rates, a row for each word in the order of the ranks, and their sums.

        After a scan they are those that the documents met in it.
        """
        rates, words = self._rates.array, self.data.words
        if not self._scanned:
            mine = self.part.words.mine
            rows = np.arange(mine.start, mine.stop)
            exponentiate(words.bin_words, state.log_rates, rows, rates)
            partial = np.empty((len(words.turns), rates.shape[1]))
            rate_sums(words, rates, rows, partial)
            self._rate_sums = self.summed(partial)
            self.ranks.fill(self._rates)
        return rates, self._rate_sums

    def root_log_rates(self, state: State) -> NDArray[np.float64]:
        """Return every word's log rate at the root."""
        own = self.part.words.own
        self._roots.array[own] = state.log_rates[own, 0]
        self.ranks.fill(self._roots)
        return self._roots.array

    def scan(self, state: State, clock: Clock, *, refresh: bool = False) -> ScanReport:
        """Change the state by one scan; `Sampler.scan` says more.

        From the first on its memberships are in the table.
        """
        table = self._memberships
        if state.memberships is not table.array:
            own = self.part.labels.own
            table.array[own] = state.memberships[own]
            self.ranks.fill(table)
            state.memberships = table.array
        self._scanned = False
        report = super().scan(state, clock, refresh=refresh)
        self._scanned = True
        return report

    def _update_documents(
        self, state: State, clock: Clock, report: ScanReport, *, refresh: bool
    ) -> None:
        super()._update_documents(state, clock, report, refresh=refresh)
        self.ranks.fill(self._memberships)


def _as(kind: Any, block: Any, **more: Any) -> Any:
    """Return a block of another kind with the arrays of this one."""
    return kind(**{field.name: getattr(block, field.name) for field in fields(block)}, **more)
