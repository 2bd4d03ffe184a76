"""One scan on several ranks: `sampler/scan.py`, with what crosses from rank to rank.

A state's log rates and dispersions are good for this rank's words; memberships for all documents.
In a scan the rates of all words cross once, and once the affinities and memberships.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.kernels.groups import N_BINS, exponentiate, rate_sums
from frex.sampler.ranks.blocks import (
    RankAffinities,
    RankAffinityInterweaving,
    RankDispersionHyper,
    RankDispersionInterweaving,
    RankRates,
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


class RankSampler(Sampler):
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
        self.affinity_interweaving = _as(
            RankAffinityInterweaving, self.affinity_interweaving, ranks=ranks
        )
        self.dispersion_interweaving = _as(
            RankDispersionInterweaving, self.dispersion_interweaving, **both
        )
        n_words, n_nodes = part.data.words.single_counts.shape
        self._rates = np.empty((n_words, n_nodes))
        self._rate_sums = np.empty(n_nodes)
        self._scanned = False  # then the rates are those of the state
        self._rows = part.words.rows

    def word_totals(self) -> NDArray[np.float64]:
        """Return how often each word was counted."""
        words = self.data.words
        ends = np.concatenate([[0.0], np.cumsum(words.counts, dtype=np.float64)])
        totals: NDArray[np.float64] = self.ranks.total(np.diff(ends[words.starts]))
        totals += self.reduced.single_counts.sum(axis=1)
        return totals

    def squares(self, state: State) -> NDArray[np.float64]:
        """Return the squared deviations of every group, V x P."""
        squares = super().squares(state)
        self.ranks.share(self.part.words, squares)
        return squares

    def exponentiated(self, state: State) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the rates, a row for each word in the order of the ranks, and their sums.

        After a scan they are those that the documents met in it.
        """
        if not self._scanned:
            words, bins = self.part.words, self.ranks.stretch(N_BINS)
            rows = np.arange(words.mine.start, words.mine.stop)
            exponentiate(words.own, state.log_rates, rows, self._rates)
            self.ranks.fill_table(words, self._rates)
            partial = np.empty((bins.stop - bins.start, self._rates.shape[1]))
            rate_sums(self._rates, self._rows, bins.start, partial)
            self._rate_sums = self.ranks.join(partial, N_BINS).sum(axis=0)
        return self._rates, self._rate_sums

    def root_log_rates(self, state: State) -> NDArray[np.float64]:
        """Return every word's log rate at the root."""
        root = state.log_rates[:, 0].copy()
        self.ranks.share(self.part.words, root)
        return root

    def scan(self, state: State, clock: Clock, *, refresh: bool = False) -> ScanReport:
        """Change the state by one scan; `Sampler.scan` says more."""
        self._scanned = False
        report = super().scan(state, clock, refresh=refresh)
        self._scanned = True
        return report

    def _update_documents(
        self, state: State, clock: Clock, report: ScanReport, *, refresh: bool
    ) -> None:
        super()._update_documents(state, clock, report, refresh=refresh)
        self.ranks.share(self.part.labels, state.memberships)


def _as(kind: Any, block: Any, **more: Any) -> Any:
    """Return a block of another kind with the arrays of this one."""
    return kind(**{field.name: getattr(block, field.name) for field in fields(block)}, **more)
