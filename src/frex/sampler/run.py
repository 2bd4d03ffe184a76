"""A run of chains: warm-up, draws, checkpoints, and what to do when it is interrupted."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from frex.errors import InputError, StoppedError
from frex.sampler.checkpoint import (
    Link,
    fingerprint,
    prepare_checkpoint,
    read_checkpoint,
    write_checkpoint,
)
from frex.sampler.record import Record
from frex.sampler.scan import Sampler
from frex.sampler.start import dispersed, find_map, first_state, n_steps
from frex.sampler.state import Clock
from frex.sampler.stopping import Look, look, looks
from frex.sampler.topics import align
from frex.storage import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from frex.corpus import Corpus
    from frex.model.reductions import Reduced
    from frex.sampler.scan import ScanReport
    from frex.sampler.settings import Settings

REFRESH_AT = (0.0, 0.03, 0.08, 0.17, 0.33, 0.5, 0.7)
"""Shares of the warm-up at which the curvatures are found anew; after the last, steps settle."""

SETTLE_FROM = 0.75
"""From this share of the warm-up on, step sizes enter the average that stays, and the rates that
which chooses whose scores are kept."""


class Status(NamedTuple):
    """Where a fit is, for a progress bar."""

    phase: str  #: "start", "warm-up" or "drawing"
    done: int  #: scans, of all phases
    total: int  #: that there likely will be
    acceptance: Mapping[str, float]  #: of the last scan, by block


@dataclass
class Run:
    """Chains side by side, scan by scan, so that a run that is stopped has as much of each."""

    corpus: Corpus
    reduced: Reduced
    settings: Settings
    checkpoint: Path | None
    progress: Callable[[Status], None] | None

    def __post_init__(self) -> None:
        settings = self.settings
        self.identity = self._identity()
        self.record = self._new_record()
        self.total = settings.warmup + settings.fewest_draws
        self.looks = tuple(looks(settings.fewest_draws, settings.most_draws))
        self.scan = 0
        self.saved_scan: int | None = None
        self.complete = False
        self.refresh_scans = {int(share * settings.warmup) for share in REFRESH_AT}
        self.links: list[Link] = []

    def _identity(self) -> dict[str, Any]:
        """Return what a resumed run is to agree with."""
        return fingerprint(self.corpus, self.settings)

    def _new_record(self) -> Record:
        """Return a record of no draws."""
        return Record(self.corpus, self.reduced, self.settings)

    def _prepare(self, *, overwrite: bool) -> None:
        """Make the place for the checkpoint."""
        if self.checkpoint is not None:
            prepare_checkpoint(self.checkpoint, overwrite=overwrite)

    def _samplers(self) -> Iterator[Sampler]:
        """Yield a sampler for each chain; they share the corpus."""
        first = None
        for _ in range(self.settings.chains):
            sampler = Sampler(
                self.reduced,
                self.settings.prior_family,
                curvature=self.settings.curvature,
                interweave=self.settings.interweave,
                data=None if first is None else first.data,
            )
            first = first or sampler
            yield sampler

    def start(self, *, overwrite: bool) -> None:
        """Find the middle of the posterior, and set the chains out around it."""
        self._prepare(overwrite=overwrite)
        samplers = list(self._samplers())
        middle = find_map(
            samplers[0],
            seed=self.settings.seed,
            progress=in_phase(self.progress, "start", n_steps(self.reduced)),
        )
        self.links = [
            Link(sampler, dispersed(sampler, middle, Clock(self.settings.seed, chain, 0)))
            for chain, sampler in enumerate(samplers)
        ]
        self._forget_counts()

    def _forget_counts(self) -> None:
        """Let go of the counts, which the kernels have in a form of their own."""
        self.reduced = self.reduced.without_counts()
        for link in self.links:
            link.sampler.reduced = self.reduced
        tidy()

    def resume(self) -> None:
        """Go back to where the checkpoint was written."""
        assert self.checkpoint is not None
        self.links = [Link(sampler, first_state(sampler)) for sampler in self._samplers()]
        self._forget_counts()
        self.scan = read_checkpoint(self.checkpoint, self.identity, self.links, self.record)
        self.saved_scan = self.scan
        n_draws = self.scan - self.settings.warmup
        if n_draws > self.settings.most_draws:
            unasked = self.settings.draws is None
            limit = "without a number of draws it ends at" if unasked else "draws is"
            raise InputError(
                f"the run that was saved has {n_draws:,} draws already, and {limit} "
                f"{self.settings.most_draws:,}",
                path=self.checkpoint,
                remedy=f"Ask for as many, or more: --draws {n_draws}, draws={n_draws}.",
            )
        ends = (*self.looks, self.settings.most_draws)
        self.total = self.settings.warmup + next(draws for draws in ends if draws >= n_draws)

    def go(self, checkpoint_seconds: float) -> None:
        """Scan until the end, or until the user has had enough."""
        saved = time.monotonic()
        with _interruptible() as wish:
            stop = False
            while not (ended := self._has_ended()) and not stop:
                for chain, link in enumerate(self.links):
                    self._scan_chain(chain, link)
                self.scan += 1
                if self.scan == self.settings.warmup:
                    tidy()
                late = time.monotonic() - saved > checkpoint_seconds
                stop, late = self._agree(stop=wish.stop, late=late)
                if late:
                    self.save()
                    saved = time.monotonic()
        self.save()
        self.complete = ended
        if self.scan <= self.settings.warmup:
            kept = f" Go on with --resume: the run is in {self.checkpoint}"
            raise StoppedError(
                "stopped during the warm-up, so there are no draws yet."
                + (kept if self.saved_scan is not None else "")
            )

    def _agree(self, *, stop: bool, late: bool) -> tuple[bool, bool]:
        """Return whether to stop, and whether to save; where there are several ranks, all do so."""
        return stop, late

    def _has_ended(self) -> bool:
        """Tell whether there are as many draws as asked for, or needed if that was left open.

        Where the run goes on, its length is what it likely will be.
        """
        settings, n_draws = self.settings, self.scan - self.settings.warmup
        if n_draws not in self.looks:
            return n_draws >= settings.most_draws
        seen = self._look()
        self.total = settings.warmup + int(min(seen.likely, settings.most_draws))
        return seen.ends

    def _look(self) -> Look:
        """Look at the draws; where there are several ranks, all see the same."""
        kept = self.record.stacked(self.record.draws)
        return look(kept, self.settings.fewest_draws, self.settings.most_draws)

    def _scan_chain(self, chain: int, link: Link) -> None:
        warming = self.scan < self.settings.warmup
        begun = time.perf_counter()
        if chain and not self.reduced.labelled and self.scan == max(self.refresh_scans):
            align(link.state, self.links[0].state)  # the curvatures are found anew in this scan
        report = link.sampler.scan(
            link.state,
            Clock(self.settings.seed, chain, self.scan),
            refresh=self.scan == 0 or (warming and self.scan in self.refresh_scans),
        )
        if warming:
            self._learn(link, report)
        else:
            steps = {
                name: float(step.value.mean())
                for name, step in link.sampler.steps.items()
                if len(step.value)
            }
            self.record.add_stats(chain, report, steps, time.perf_counter() - begun)
            self.record.add(chain, link.state, link.sampler)
        if self.progress is not None and chain == len(self.links) - 1:
            phase = "warm-up" if warming else "drawing"
            self.progress(Status(phase, self.scan + 1, self.total, report.acceptance))

    def _learn(self, link: Link, report: ScanReport) -> None:
        sampler, state = link
        late = self.scan >= SETTLE_FROM * self.settings.warmup
        if late:
            self.record.foresee(state.log_rates, sampler.exponentiated(state)[0], sampler)
        for name, acceptance in report.items.items():
            sampler.steps[name].learn(acceptance, late=late)
        if self.scan == self.settings.warmup - 1:
            for step in sampler.steps.values():
                step.freeze()

    def save(self) -> None:
        """Write the checkpoint, unless it is there already; where the disk is full, later."""
        if self.checkpoint is None or self.scan == self.saved_scan:
            return
        if write_checkpoint(self.checkpoint, self.identity, self.scan, self.links, self.record):
            self.saved_scan = self.scan


def in_phase(
    progress: Callable[[Status], None] | None, phase: str, total: int
) -> Callable[[int], None] | None:
    """Return what tells the steps of a phase as a status."""
    if progress is None:
        return None
    done = 0

    def step(n: int) -> None:
        nonlocal done
        done += n
        progress(Status(phase, done, total, {}))

    return step


@dataclass
class _Wish:
    stop: bool = False


@contextmanager
def _interruptible() -> Iterator[_Wish]:
    """Turn the first Ctrl-C into a wish to stop after the scan; the second is as usual.

    So is SIGTERM, by which a cluster says that a job's time is up.
    """
    wish = _Wish()
    if threading.current_thread() is not threading.main_thread():
        yield wish  # only the main thread may handle signals
        return
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def note(number: int, frame: Any) -> None:  # noqa: ARG001 - the signature of a handler
        wish.stop = True
        give_back()

    def give_back() -> None:
        for number, handler in usual.items():
            signal.signal(number, handler)

    for number in usual:
        signal.signal(number, note)
    try:
        yield wish
    finally:
        give_back()
