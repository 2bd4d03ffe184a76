"""A fit on several ranks with a GPU each: the run of one GPU, on a rank's part of the corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from frex.sampler.cuda.record import CudaRecord
from frex.sampler.cuda.run import CudaRun
from frex.sampler.ranks.gpus import AmongRanks
from frex.sampler.ranks.record import gather_record
from frex.sampler.ranks.run import RankRun

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.sampler.checkpoint import Link
    from frex.sampler.cuda.corpus import DeviceCorpus
    from frex.sampler.cuda.sampler import CudaSampler
    from frex.sampler.ranks.corpus import Part
    from frex.sampler.ranks.exchange import Dealt, Ranks
    from frex.sampler.record import Record
    from frex.sampler.settings import Settings


class RankCudaRecord(CudaRecord):
    """Moments and scores of this rank's words, labels and topics; and draws of each chain.

    Parameters
    ----------
    corpus, settings
        As for `Record`.
    on_device
        What this rank's GPU has of the corpus.
    part
        Of the corpus.
    ranks
        All of them.
    """

    def __init__(
        self,
        corpus: Corpus,
        settings: Settings,
        on_device: DeviceCorpus,
        part: Part,
        ranks: Ranks,
    ) -> None:
        super().__init__(corpus, part.reduced, settings, on_device)
        self._part, self._ranks = part, ranks

    def keep_own(self) -> None:
        """Keep this rank's part of moments and scores that are whole, as those on disk are."""
        self.push()

    def whole(self) -> Record:
        """Bring moments and scores together on the first rank; all ranks ask for it."""
        return gather_record(self, self._part, self._ranks)


@dataclass
class RankCudaRun(CudaRun, RankRun):
    """Chains side by side, scan by scan, on the GPUs of all ranks.

    What is saved goes from the GPUs to their hosts, and from these to the first rank.
    """

    def _record_on(self, corpus: DeviceCorpus) -> RankCudaRecord:
        return RankCudaRecord(self.corpus, self.settings, corpus, self.part, self.ranks)

    def _sampler(self, **how: Any) -> CudaSampler:
        among = {} if how else {"exchange": AmongRanks(self.part, self.ranks)}
        return super()._sampler(data=self.part.data, **how, **among)

    def _apart(self, link: Link) -> Iterator[tuple[Dealt, NDArray[Any]]]:
        """Yield also what ranks without a GPU have of all documents."""
        yield from super()._apart(link)
        sampler, state, part = *link, self.part
        gaussians: Any = sampler.affinity_interweaving.own
        yield part.labels, state.memberships
        yield part.labels, gaussians.precisions
        yield part.labels, gaussians.pulls
        yield part.squares, gaussians.basis
        yield part.squares, sampler.affinities.curvature
