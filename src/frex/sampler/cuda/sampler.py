"""One scan on the device, block by block as in `sampler/scan.py`."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.cuda.corpus import DeviceCorpus
from frex.sampler.cuda.documents import DeviceDocuments
from frex.sampler.cuda.exchange import Alone
from frex.sampler.cuda.hyper import (
    DeviceAffinityHyper,
    DeviceAffinityInterweaving,
    DeviceDispersionHyper,
    DeviceDispersionInterweaving,
)
from frex.sampler.cuda.state import DeviceState, DeviceSteps
from frex.sampler.cuda.words import DeviceWords
from frex.sampler.hyperparameters import draw_root
from frex.sampler.kernels.cuda.documents import Around
from frex.sampler.kernels.cuda.rates import Given
from frex.sampler.scan import Sampler, ScanReport
from frex.sampler.state import Block

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

    from frex.model.priors import Priors
    from frex.model.reductions import Reduced
    from frex.sampler.cuda.memory import Places
    from frex.sampler.data import KernelData
    from frex.sampler.state import Clock, State


class CudaSampler(Sampler):
    """The blocks of a corpus on the device, and the scan that goes through them.

    The arrays of the host's blocks are where a checkpoint finds those of the device: `pull` fills
    them, `push` takes them over.

    Parameters
    ----------
    reduced, priors, interweave
        As for `Sampler`.
    data
        The kernels' form of the corpus, where it is there already, or a rank's part of it.
    exchange
        What crosses between this GPU and others, where there are some.
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
        data: KernelData | None = None,
        exchange: Alone | None = None,
        like: CudaSampler | None = None,
    ) -> None:
        super().__init__(
            reduced, priors, interweave=interweave, data=data if like is None else like.data
        )
        if like is None:
            self.corpus = DeviceCorpus.of(self.data, exchange or Alone(self.data))
        else:
            self.corpus = like.corpus
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
        corpus, among = self.corpus, self.corpus.exchange
        self.rate_steps = DeviceSteps(
            self.rates.step, corpus.words_at, corpus.n_words, among.share_words
        )
        self.affinity_steps = DeviceSteps(
            self.affinities.step, corpus.documents_at, len(corpus.slots), among.share_documents
        )

    @property
    def _precision(self) -> DTypeLike:
        """Of what stands for the words' likelihoods: that of the device, where no bit is lost."""
        return np.float64

    @property
    def steps(self) -> dict[str, Any]:
        """The step sizes, by block."""
        return super().steps | {"rates": self.rate_steps, "affinities": self.affinity_steps}

    def _of_all_words(self, own: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what the words of all GPUs have."""
        self.corpus.exchange.share_words(own)
        return own

    def given(self, state: DeviceState) -> Given:
        """Return what the log rates are conditional on; good until the documents change."""
        self.documents.expose(state.memberships)
        self.words.gather(self.corpus.exchange.memberships(state.memberships))
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
        self.words.share_rates()
        self.documents.gather(self.words.every_rate)
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
        """Return the rates of all words after a scan, and their sums."""
        return self.words.every_rate, self.words.rate_sums

    def scan(self, state: Any, clock: Clock, *, refresh: bool = False) -> ScanReport:
        """Change the state by one scan; `Sampler.scan` says more."""
        report = ScanReport()
        self._update_words(state, clock, report, refresh=refresh)
        self._update_documents(state, clock, report, refresh=refresh)
        state.hyper = draw_root(state.hyper, self.words.root_log_rates(), self.priors, clock)
        return report

    def _update_words(self, state: Any, clock: Clock, report: ScanReport, *, refresh: bool) -> None:
        words, given = self.words, self.given(state)
        if refresh:
            words.refresh(state, given)
        words.update(state, given, self.rate_steps.on_device, clock.address(Block.RATES))
        _note_all(report, "rates", words, self.corpus.exchange.n_words)

        squares = words.find_squares(state.log_rates)
        if refresh:
            self.dispersion_hyper.refresh(state.hyper, squares)
        state.hyper, move = self.dispersion_hyper.update(state.hyper, squares, clock)
        report.add("dispersion_hyper", move)
        df, scale = state.hyper.dispersion_df, state.hyper.dispersion_scale
        words.draw_dispersions(df, scale, clock.address(Block.DISPERSIONS), state.dispersions)
        if self.interweave:
            given = self.given_again(state)
            if refresh:
                self.dispersion_interweaving.refresh_on(state, given)
            move = self.dispersion_interweaving.update_on(state, given, clock)
            report.add("dispersion_interweaving", move)

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
        _note_all(report, "affinities", documents, n_documents)

        statistics = self.affinity_hyper.statistics_of(
            state.affinities, state.hyper, around.affinity_mean
        )
        if refresh:
            self.affinity_hyper.refresh(state.hyper, statistics)
        state.hyper, move = self.affinity_hyper.update(state.hyper, statistics, clock)
        report.add("affinity_hyper", move)
        if not (self.interweave and n_documents):
            return
        around = self.around_again(state)
        if refresh:
            self.affinity_interweaving.refresh_on(state, around, statistics)
        move = self.affinity_interweaving.update_on(state, around, statistics, clock)
        report.add("affinity_interweaving", move)

    def pull(self, state: DeviceState) -> State:
        """Copy what was learned to the host's blocks, and return the state there."""
        for mine, theirs, places in self._arrays():
            places.pull(theirs, mine)
        self.rate_steps.pull()
        self.affinity_steps.pull()
        return state.to_host(self.corpus)

    def push(self, state: State) -> DeviceState:
        """Take over what the host's blocks have, and return the state on the device."""
        for mine, theirs, places in self._arrays():
            places.push(mine, theirs)
        self.rate_steps.push()
        self.affinity_steps.push()
        return DeviceState.of(state, self.corpus)

    def _arrays(self) -> list[tuple[NDArray[np.float64], Any, Places]]:
        """Return what blocks learn, on the host and on the device, and where entries are."""
        corpus, own, here = self.corpus, self.documents.own, self.affinity_interweaving.own
        of_words = zip(self.dispersion_interweaving.own, self.words.own, strict=True)
        return [
            (self.rates.curvature, self.words.curvature, corpus.words_at),
            *((mine, theirs, corpus.words_at) for mine, theirs in of_words),
            (self.affinities.curvature, self.documents.curvature, corpus.squares_at),
            (here.basis, own.basis, corpus.squares_at),
            (here.precisions, own.precisions, corpus.labels_at),
            (here.pulls, own.pulls, corpus.labels_at),
        ]


def _on(kind: Any, block: Any, **device: Any) -> Any:
    """Return a block of another kind with the arrays of this one."""
    kept = {field.name: getattr(block, field.name) for field in fields(block)}
    return kind(**kept, **device)


def _note_all(
    report: ScanReport, block: str, items: DeviceWords | DeviceDocuments, n_items: int
) -> None:
    """Note means over items; each item's acceptance stays on the device."""
    report.items[block] = items.accepted
    if n_items:
        acceptance, energy = items.moves.take(items.done)[0] / n_items
        report.acceptance[block], report.energy[block] = float(acceptance), float(energy)
