"""A fit on several ranks: the chains of `sampler/run.py`, whose words and documents are shared.

Files are written by the first rank. A checkpoint is that of one process, so a run may go on with
any other number of ranks.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.sampler.chain import (
    among_topics_with_documents,
    check_exposures,
    posterior_of,
)
from frex.sampler.checkpoint import kept_from_others, write_checkpoint
from frex.sampler.device import check_device
from frex.sampler.ranks.corpus import divide
from frex.sampler.ranks.record import RankRecord
from frex.sampler.ranks.sampler import RankSampler
from frex.sampler.run import Run
from frex.sampler.stopping import Look
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.sampler.checkpoint import Link
    from frex.sampler.ranks.corpus import Part
    from frex.sampler.ranks.exchange import Dealt, Ranks
    from frex.sampler.run import Status
    from frex.sampler.settings import Settings


def fit_on_ranks(
    corpus: Corpus,
    settings: Settings,
    ranks: Ranks,
    *,
    threads: int = 0,
    say: Callable[[str], None] | None = None,
    progress: Callable[[Status], None] | None = None,
    checkpoint: Path | None = None,
    checkpoint_seconds: float = 60.0,
    resume: bool = False,
    overwrite: bool = False,
) -> Posterior | None:
    """Fit the model to a corpus on all ranks together; the first has the posterior.

    Parameters
    ----------
    corpus
        A corpus with labels, best read from a folder: its counts stay on disk.
    settings
        How.
    ranks
        All of them.
    threads
        Of each rank; 0 shares a node's cores among its ranks.
    say
        Called on the first rank with what the user may want to know before the work begins.
    progress, checkpoint, checkpoint_seconds, resume, overwrite
        As for `frex.sampler.chain.fit`.
    """
    check_settings(settings)
    kind = _run_on(settings, ranks, say)
    taxonomy = corpus.tree
    corpus, settings = among_topics_with_documents(corpus, settings)
    part = divide(corpus, ranks)
    check_exposures(corpus)
    place = checkpoint if ranks.first else None
    with kept_from_others(place, resume=resume), use_threads(threads or ranks.threads()):
        run = kind(
            corpus, part.reduced, settings, checkpoint, progress if ranks.first else None, part,
            ranks,
        )  # fmt: skip
        if resume:
            run.resume()
        else:
            run.start(overwrite=overwrite)
        run.go(checkpoint_seconds)
    record = run.record.whole()
    if not ranks.first:
        return None
    return posterior_of(corpus, settings, record, complete=run.complete, taxonomy=taxonomy)


def check_settings(settings: Settings) -> None:
    """Refuse what several ranks cannot do."""
    refused = {
        "method='map'": settings.method == "map",
        "a fit without labels": settings.n_topics is not None,
    }
    for what, asked_for in refused.items():
        if asked_for:
            raise InputError(f"several ranks do not do {what}", remedy="Run it without mpirun.")


def _run_on(settings: Settings, ranks: Ranks, say: Callable[[str], None] | None) -> type[RankRun]:
    """Return the class of a run; on GPUs, once this rank has one of its node."""
    check_device(settings, ranks.on_node(), f" on {socket.gethostname()}")
    if settings.device == "cpu":
        return RankRun
    from frex.sampler.ranks.cuda import RankCudaRun  # noqa: PLC0415 - an extra
    from frex.sampler.ranks.gpus import gpus_of  # noqa: PLC0415

    n_gpus = len(set(gpus_of(ranks)))
    if say is not None and ranks.first and n_gpus < ranks.size:
        say(f"{ranks.size} ranks share {n_gpus} GPU{'s' if n_gpus > 1 else ''}.")
    return RankCudaRun


@dataclass
class RankRun(Run):
    """Chains side by side, scan by scan, on all ranks."""

    part: Part
    ranks: Ranks

    record: RankRecord = field(init=False)

    def _identity(self) -> dict[str, Any]:
        mine = super()._identity() if self.ranks.first else {}
        return self.ranks.tell(mine)

    def _new_record(self) -> RankRecord:
        return RankRecord(self.corpus, self.settings, self.part, self.ranks)

    def _samplers(self) -> Iterator[RankSampler]:
        for _ in range(self.settings.chains):
            yield RankSampler(
                self.part,
                self.ranks,
                self.settings.prior_family,
                curvature=self.settings.curvature,
                interweave=self.settings.interweave,
            )

    def _prepare(self, *, overwrite: bool) -> None:
        if self.ranks.first:
            super()._prepare(overwrite=overwrite)

    def resume(self) -> None:
        """Go back to where the checkpoint was written."""
        super().resume()
        self.record.keep_own()

    def _agree(self, *, stop: bool, late: bool) -> tuple[bool, bool]:
        # a signal may reach any rank; the time to save is the first rank's
        wishes = np.array([stop, late and self.ranks.first], dtype=np.float64)
        stop, late = self.ranks.largest(wishes) > 0
        return bool(stop), bool(late)

    def _look(self) -> Look:
        # ranks on unlike machines may round differently, so the first decides
        mine = super()._look() if self.ranks.first else Look(ends=False, likely=0)
        return self.ranks.tell(mine)

    def save(self) -> None:
        """Write the checkpoint, unless it is there already; where the disk is full, later."""
        if self.checkpoint is None or self.scan == self.saved_scan:
            return
        for link in self.links:
            for dealt, array in self._apart(link):
                self.ranks.send_first(dealt, array)
        record = self.record.whole()
        done = self.ranks.first and write_checkpoint(
            self.checkpoint, self.identity, self.scan, self.links, record
        )
        if self.ranks.tell(done):
            self.saved_scan = self.scan

    def _apart(self, link: Link) -> Iterator[tuple[Dealt, NDArray[Any]]]:
        """Yield the arrays of a chain of which each rank has its part, and which."""
        sampler, state = link
        for rows in (
            state.log_rates,
            state.dispersions,
            sampler.rates.curvature,
            *sampler.dispersion_interweaving.own,
        ):
            yield self.part.words, rows
        yield self.part.labels, state.affinities
        for block, dealt in (("rates", self.part.words), ("affinities", self.part.documents)):
            step = sampler.steps[block]
            yield dealt, step.value
            yield dealt, step.log_sum
