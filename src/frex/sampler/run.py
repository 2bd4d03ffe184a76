"""A run of chains: warm-up, draws, checkpoints and interruption."""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex.errors import InputError, StoppedError
from frex.sampler.chain import Chain
from frex.sampler.checkpoint import (
    Saved,
    fingerprint,
    prepare_checkpoint,
    read_checkpoint,
    write_checkpoint,
)
from frex.sampler.models import model_of
from frex.sampler.record import Record
from frex.sampler.scan import Sampler
from frex.sampler.start import dispersed, find_map, first_state, n_steps
from frex.sampler.state import Clock
from frex.sampler.stopping import Look, look, looks
from frex.storage import tidy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from frex.corpus import Corpus
    from frex.sampler.engines.verbs import Engine
    from frex.sampler.scan import ScanReport
    from frex.sampler.settings import Settings

REFRESH_AT = (0.0, 0.03, 0.08, 0.17, 0.33, 0.5, 0.7)
"""Shares of the warm-up at which the curvatures are recomputed; then step sizes adapt again."""

SETTLE_FROM = 0.75
"""From this share of the warm-up on, step sizes enter their final average, and log rates and
exclusivity enter the means that choose the scored words."""


class Status(NamedTuple):
    """The progress of a fit."""

    phase: str  #: "start", "warm-up" or "drawing"
    done: int  #: scans so far, of all phases
    total: int  #: expected number of scans
    acceptance: Mapping[str, float]  #: acceptance of the last scan, by block


@dataclass
class Run:
    """Chains that advance together, scan by scan, so that an interrupted run has equally long ones.

    Parameters
    ----------
    corpus
        The corpus to fit.
    settings
        Settings of the fit.
    engine
        The engine with the corpus, or a process's part of it. The first process writes the files,
        which do not depend on the number of processes: a run may continue with another number.
    checkpoint
        A folder in which the run is saved.
    progress
        Called after every scan.
    """

    corpus: Corpus
    settings: Settings
    engine: Engine
    checkpoint: Path | None = None
    progress: Callable[[Status], None] | None = None

    def __post_init__(self) -> None:
        settings, exchange = self.settings, self.engine.exchange
        mine = fingerprint(self.corpus, settings) if exchange.first else {}
        self.identity: dict[str, Any] = exchange.broadcast(mine)
        self.model = model_of(settings)
        self.record = Record(self.corpus, settings, self.engine)
        self.total = settings.warmup + settings.fewest_draws
        self.looks = tuple(looks(settings.fewest_draws, settings.most_draws))
        self.scan = 0
        self.saved_scan: int | None = None
        self.complete = False
        self.refresh_scans = {int(share * settings.warmup) for share in REFRESH_AT}
        self.chains: list[Chain] = []

    def _samplers(self) -> list[Sampler]:
        """Return a sampler for each chain; they share the engine."""
        settings = self.settings
        how: dict[str, Any] = {"curvature": settings.curvature, "interweave": settings.interweave}
        priors = settings.prior_family
        return [Sampler(self.engine, priors, **how) for _ in range(settings.chains)]

    def start(self, *, overwrite: bool = False) -> None:
        """Find the approximate mode, and start the chains at dispersed points around it."""
        if self.checkpoint is not None and self.engine.exchange.first:
            prepare_checkpoint(self.checkpoint, overwrite=overwrite)
        samplers, seed = self._samplers(), self.settings.seed
        step = in_phase(self.progress, "start", n_steps(self.model))
        middle = find_map(samplers[0], seed=seed, progress=step)
        self.chains = [
            Chain(sampler, dispersed(sampler, middle, Clock(seed, number, 0)))
            for number, sampler in enumerate(samplers)
        ]
        self._forget_counts()

    def _forget_counts(self) -> None:
        """Release the counts, which the engine holds in its own layout."""
        self.engine.forget_counts()
        tidy()

    def resume(self) -> None:
        """Restore the run from the checkpoint."""
        assert self.checkpoint is not None
        adopt = self.engine.adopt
        self.chains = [Chain(sampler, adopt(first_state(sampler))) for sampler in self._samplers()]
        self._forget_counts()
        self.scan = read_checkpoint(self.checkpoint, self.identity, self.chains, self.record)
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
        """Scan until the end, or until the user interrupts."""
        saved = time.monotonic()
        with _interruptible() as wish:
            stop = False
            while not (ended := self._has_ended()) and not stop:
                for number, chain in enumerate(self.chains):
                    self._scan_chain(number, chain)
                self.scan += 1
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
        """Return whether to stop and whether to save, the same on all processes.

        Any process may receive the signal to stop; the first decides when to save.
        """
        exchange = self.engine.exchange
        wishes = np.array([stop, late and exchange.first], dtype=np.float64)
        stop, late = exchange.largest(wishes) > 0
        return bool(stop), bool(late)

    def _has_ended(self) -> bool:
        """Tell whether there are as many draws as requested, or as needed if no number was given.

        If the run continues, this updates its expected length.
        """
        settings, n_draws = self.settings, self.scan - self.settings.warmup
        if n_draws not in self.looks:
            return n_draws >= settings.most_draws
        seen = self._look()
        self.total = settings.warmup + int(min(seen.likely, settings.most_draws))
        return seen.ends

    def _look(self) -> Look:
        """Check convergence on the first process, because machines may round differently."""
        settings, exchange = self.settings, self.engine.exchange
        mine = Look(ends=False, likely=0)
        if exchange.first:
            kept = self.record.stacked(self.record.draws)
            mine = look(kept, settings.fewest_draws, settings.most_draws)
        return exchange.broadcast(mine)

    def _scan_chain(self, number: int, chain: Chain) -> None:
        warming = self.scan < self.settings.warmup
        begun = time.perf_counter()
        if number and self.model.align is not None and self.scan == max(self.refresh_scans):
            # this scan recomputes the curvatures
            self.model.align(chain.sampler, chain.state, self.chains[0].state)
        report = chain.sampler.scan(
            chain.state,
            Clock(self.settings.seed, number, self.scan),
            refresh=self.scan == 0 or (warming and self.scan in self.refresh_scans),
        )
        if warming:
            self._learn(chain, report)
        else:
            seconds = time.perf_counter() - begun
            self.record.add_stats(number, report, chain.mean_steps(), seconds)
            self.record.add(number, chain.sampler.context_after(chain.state))
        if self.progress is not None and number == len(self.chains) - 1:
            phase = "warm-up" if warming else "drawing"
            self.progress(Status(phase, self.scan + 1, self.total, report.acceptance))

    def _learn(self, chain: Chain, report: ScanReport) -> None:
        late = self.scan >= SETTLE_FROM * self.settings.warmup
        if late:
            self.record.add_warm_up(chain.sampler.context_after(chain.state))
        chain.learn(report, late=late)
        if self.scan == self.settings.warmup - 1:
            chain.freeze()

    def save(self) -> None:
        """Write the checkpoint, unless this scan is saved; if the disk is full, try again later."""
        if self.checkpoint is None or self.scan == self.saved_scan:
            return
        exchange, record = self.engine.exchange, self.record
        saved = Saved(
            self.scan,
            [chain.fetched() for chain in self.chains],
            [chain.state.hyper for chain in self.chains],
            record.whole(),
            record.draws,
            record.stats,
        )
        done = exchange.first and write_checkpoint(self.checkpoint, self.identity, saved)
        if exchange.broadcast(done):
            self.saved_scan = self.scan


def in_phase(
    progress: Callable[[Status], None] | None, phase: str, total: int
) -> Callable[[int], None] | None:
    """Return a function that reports the steps of a phase as a status."""
    if progress is None:
        return None
    done = 0

    def step(n: int) -> None:
        nonlocal done
        done += n
        progress(Status(phase, done, total, {}))

    return step


@dataclass
class _StopRequest:
    stop: bool = False


@contextmanager
def _interruptible() -> Iterator[_StopRequest]:
    """Turn the first Ctrl-C into a request to stop after the scan; the second interrupts at once.

    SIGTERM, which a cluster sends when a job's time is up, is treated in the same way.
    """
    wish = _StopRequest()
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
