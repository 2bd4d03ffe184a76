"""One scan on the device, block by block as in `sampler/scan.py`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.cuda.corpus import DeviceCorpus
from frex.sampler.cuda.documents import DeviceDocuments
from frex.sampler.cuda.hyper import (
    DeviceAffinityHyper,
    DeviceAffinityInterweaving,
    DeviceDispersionHyper,
    DeviceDispersionInterweaving,
)
from frex.sampler.cuda.memory import room, spread
from frex.sampler.cuda.state import DeviceState, DeviceSteps
from frex.sampler.cuda.words import DeviceWords
from frex.sampler.hyperparameters import draw_root
from frex.sampler.kernels.cuda.affinities import Around
from frex.sampler.kernels.cuda.options import SUM_THREADS
from frex.sampler.kernels.cuda.rates import Given
from frex.sampler.kernels.cuda.sums import sum_moves
from frex.sampler.scan import Sampler, ScanReport
from frex.sampler.state import Block

if TYPE_CHECKING:
    from frex.model.priors import Priors
    from frex.model.reductions import Reduced
    from frex.sampler.schmc import Move
    from frex.sampler.state import Clock, State

SUMMED_ITEMS = 4096
"""Items whose acceptances a block sums."""


class CudaSampler(Sampler):
    """The blocks of a corpus on the device, and the scan that goes through them.

    The arrays of the host's blocks are where a checkpoint finds those of the device: `pull` fills
    them, `push` takes them over.

    Parameters
    ----------
    reduced, priors, interweave
        As for `Sampler`.
    like
        Another chain's sampler of the same corpus, which is shared.
    """

    dispersion_hyper: DeviceDispersionHyper
    affinity_hyper: DeviceAffinityHyper
    affinity_interweaving: DeviceAffinityInterweaving
    dispersion_interweaving: DeviceDispersionInterweaving

    def __init__(
        self,
        reduced: Reduced,
        priors: Priors,
        *,
        interweave: bool = True,
        like: CudaSampler | None = None,
    ) -> None:
        super().__init__(
            reduced, priors, interweave=interweave, data=None if like is None else like.data
        )
        self.corpus: DeviceCorpus = DeviceCorpus.of(self.data) if like is None else like.corpus
        self.words = DeviceWords(self.corpus, self.n_children)
        self.documents = DeviceDocuments(self.corpus, reduced)
        self.dispersion_hyper = _on(DeviceDispersionHyper, self.dispersion_hyper, words=self.words)
        self.affinity_hyper = _on(
            DeviceAffinityHyper, self.affinity_hyper, documents=self.documents, reduced=reduced
        )
        self.affinity_interweaving = _on(
            DeviceAffinityInterweaving, self.affinity_interweaving, documents=self.documents
        )
        self.dispersion_interweaving = _on(
            DeviceDispersionInterweaving, self.dispersion_interweaving, words=self.words
        )
        taken = np.flatnonzero(self.corpus.slots >= 0)
        slot_of = np.empty(len(taken), np.int64)
        slot_of[self.corpus.slots[taken]] = taken
        every_word = np.arange(self.corpus.n_words)
        self.rate_steps = DeviceSteps(self.rates.step, every_word, len(every_word))
        self.affinity_steps = DeviceSteps(self.affinities.step, slot_of, len(self.corpus.slots))
        self._partials = {
            "rates": room((2, -(-self.corpus.n_words // SUMMED_ITEMS))),
            "affinities": room((2, -(-len(self.corpus.slots) // SUMMED_ITEMS))),
        }

    @property
    def steps(self) -> dict[str, Any]:
        """The step sizes, by block."""
        return super().steps | {"rates": self.rate_steps, "affinities": self.affinity_steps}

    def given(self, state: DeviceState) -> Given:
        """Return what the log rates are conditional on; good until the documents change."""
        self.documents.expose(state.memberships)
        self.words.gather(state.memberships)
        return self.given_again(state)

    def given_again(self, state: DeviceState) -> Given:
        """Return the same for a state whose memberships are those of the last `given`."""
        return Given(
            state.dispersions,
            self.documents.exposure,
            self.corpus.theta,
            float(state.hyper.root_mean),
            float(state.hyper.root_variance),
        )

    def around(self, state: DeviceState) -> Around:
        """Return what the affinities are conditional on; good until the words change."""
        self.words.exponentiate(state.log_rates)
        self.documents.gather(self.words.rates)
        return self.around_again(state)

    def around_again(self, state: DeviceState) -> Around:
        """Return the same for a state whose rates are those of the last `around`."""
        return Around(
            self.corpus.gathered,
            self.words.rate_sums,
            self.documents.place_mean(state.hyper.affinity_mean),
            float(state.hyper.affinity_variance),
        )

    def exponentiated(self, state: Any) -> tuple[Any, Any]:  # noqa: ARG002 - as of the last scan
        """Return the rates after a scan, and their sums over words."""
        return self.words.rates, self.words.rate_sums

    def scan(self, state: Any, clock: Clock, *, refresh: bool = False) -> ScanReport:
        """Change the state by one scan; `Sampler.scan` says more."""
        report = ScanReport()
        self._update_words(state, clock, report, refresh=refresh)
        self._update_documents(state, clock, report, refresh=refresh)
        root = self.words.root.copy_to_host()
        state.hyper = draw_root(state.hyper, root, self.priors, clock)
        return report

    def _update_words(self, state: Any, clock: Clock, report: ScanReport, *, refresh: bool) -> None:
        words, given = self.words, self.given(state)
        if refresh:
            words.refresh(state, given)
        words.update(state, given, self.rate_steps.on_device, clock.address(Block.RATES))
        self._note_all(report, "rates", words, self.corpus.n_words)

        squares = words.find_squares(state.log_rates)
        if refresh:
            self.dispersion_hyper.refresh(state.hyper, squares)
        state.hyper, move = self.dispersion_hyper.update(state.hyper, squares, clock)
        _note(report, "dispersion_hyper", move)
        df, scale = state.hyper.dispersion_df, state.hyper.dispersion_scale
        words.draw_dispersions(df, scale, clock.address(Block.DISPERSIONS), state.dispersions)
        if self.interweave:
            given = self.given_again(state)
            if refresh:
                self.dispersion_interweaving.refresh_on(state, given)
            move = self.dispersion_interweaving.update_on(state, given, clock)
            _note(report, "dispersion_interweaving", move)

    def _update_documents(
        self, state: Any, clock: Clock, report: ScanReport, *, refresh: bool
    ) -> None:
        documents, around = self.documents, self.around(state)
        n_documents = len(self.data.documents.exposures)
        if refresh:
            documents.refresh(state, around)
        documents.update(
            state, around, self.affinity_steps.on_device, clock.address(Block.AFFINITIES)
        )
        self._note_all(report, "affinities", documents, n_documents)

        statistics = self.affinity_hyper.statistics_of(
            state.affinities, state.hyper, around.affinity_mean
        )
        if refresh:
            self.affinity_hyper.refresh(state.hyper, statistics)
        state.hyper, move = self.affinity_hyper.update(state.hyper, statistics, clock)
        _note(report, "affinity_hyper", move)
        if not (self.interweave and n_documents):
            return
        around = self.around_again(state)
        if refresh:
            self.affinity_interweaving.refresh_on(state, around, statistics)
        move = self.affinity_interweaving.update_on(state, around, statistics, clock)
        _note(report, "affinity_interweaving", move)

    def _note_all(
        self, report: ScanReport, block: str, items: DeviceWords | DeviceDocuments, n_items: int
    ) -> None:
        """Note means over items; each item's acceptance stays on the device."""
        report.items[block] = items.accepted
        if n_items:
            partial = self._partials[block]
            sum_moves[partial.shape[1], SUM_THREADS](items.done, partial)
            acceptance, energy = partial.copy_to_host().sum(axis=1) / n_items
            report.acceptance[block], report.energy[block] = float(acceptance), float(energy)

    def pull(self, state: DeviceState) -> State:
        """Copy what was learned to the host's blocks, and return the state there."""
        words = self.words
        self.rates.curvature[:] = words.curvature.copy_to_host()
        for mine, theirs in zip(self.dispersion_interweaving.own, words.own, strict=True):
            mine[:] = theirs.copy_to_host()
        for mine, theirs, places in self._document_arrays():
            mine[:] = theirs.copy_to_host()[places]
        self.rate_steps.pull()
        self.affinity_steps.pull()
        return state.to_host(self.corpus)

    def push(self, state: State) -> DeviceState:
        """Take over what the host's blocks have, and return the state on the device."""
        self.words.curvature.copy_to_device(self.rates.curvature)
        for mine, theirs in zip(self.dispersion_interweaving.own, self.words.own, strict=True):
            theirs.copy_to_device(mine)
        for mine, theirs, places in self._document_arrays():
            spread(mine, places, theirs)
        self.rate_steps.push()
        self.affinity_steps.push()
        return DeviceState.of(state, self.corpus)

    def _document_arrays(self) -> list[tuple[Any, Any, Any]]:
        """Return the documents' arrays on the host and on the device, and where entries are."""
        corpus, own, here = self.corpus, self.documents.own, self.affinity_interweaving.own
        return [
            (self.affinities.curvature, self.documents.curvature, corpus.square_places),
            (here.basis, own.basis, corpus.square_places),
            (here.precisions, own.precisions, corpus.label_places),
            (here.pulls, own.pulls, corpus.label_places),
        ]


def _on(kind: Any, block: Any, **device: Any) -> Any:
    """Return a block of another kind with the arrays of this one."""
    kept = {field.name: getattr(block, field.name) for field in fields(block)}
    return kind(**kept, **device)


def _note(report: ScanReport, block: str, move: Move) -> None:
    report.add(block, np.array([move.acceptance]), np.array([move.energy]))
