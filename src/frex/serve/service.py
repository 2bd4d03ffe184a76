"""The fits that are served, their workers, and the detection of replaced fits."""

from __future__ import annotations

import asyncio
import logging
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from frex.errors import FrexError
from frex.serve.bodies import Held
from frex.serve.fits import load, stamp
from frex.serve.metrics import Metrics
from frex.serve.pool import FailedError, Pool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Sequence

    from frex.serve.fits import Fit, Loaded, Stamp

_LOG = logging.getLogger("frex.serve")

LOOK_S = 2.0
"""Interval of the checks of folders. A changed folder is read when it no longer changes."""


class Service:
    """Fits that are served.

    Parameters
    ----------
    fits
        Which.
    n_workers
        How many processes answer.
    say
        Called with messages while fits are read.
    """

    def __init__(self, fits: Sequence[Fit], n_workers: int, say: Callable[[str], object]) -> None:
        self.fits = fits
        self.loaded: dict[str, Loaded] = {}
        self.pool = Pool(n_workers)
        self.held = Held()
        self.metrics = Metrics()
        self._say = say
        self._tried: dict[str, Stamp] = {}  #: state of the folder that was read last, valid or not
        self._seen: dict[str, Stamp] = {}

    @property
    def ready(self) -> bool:
        """Whether requests are answered."""
        return bool(self.pool.alive)

    def figures(self) -> str:
        """Return all metrics, for Prometheus."""
        gauges = {
            "frex_ready": float(self.ready),
            "frex_workers": self.pool.alive,
            "frex_workers_idle": self.pool.idle,
            "frex_worker_deaths_total": self.pool.deaths,
            "frex_requests_waiting": self.pool.waiting,
            "frex_body_bytes": self.held.n_bytes,
        }
        return self.metrics.text(gauges)

    @asynccontextmanager
    async def running(self, run: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
        """Run something beside the block, and end all processes after it."""
        task = asyncio.create_task(run)
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            await self.close()

    async def start(self) -> None:
        """Read all fits, and have workers warm."""
        for fit in self.fits:
            self._say(f"Reading {fit.path} ...")
            loaded = await load(fit, self._say)
            self._tried[fit.name] = loaded.stamp
            self.loaded[fit.name] = loaded
        await self._use()

    async def watch(self) -> None:
        """Check for replaced fits, in an endless loop."""
        while True:
            await asyncio.sleep(LOOK_S)
            for fit in self.fits:
                found = await asyncio.to_thread(stamp, fit.path)
                if found is None or found == self._tried[fit.name]:
                    continue
                if found == self._seen.get(fit.name):
                    await self._replace(fit, found)
                else:
                    self._seen[fit.name] = found

    async def close(self) -> None:
        """End all processes."""
        for loaded in self.loaded.values():
            if loaded.rest is not None:
                loaded.rest.cancel()
        await self.pool.close()

    async def _replace(self, fit: Fit, found: Stamp) -> None:
        """Read a replaced fit, and serve it if it is valid."""
        self._tried[fit.name] = found
        before = self.loaded[fit.name]
        try:
            loaded = await load(fit, self._say)
            self._tried[fit.name] = loaded.stamp
            self.loaded[fit.name] = loaded
            await self._use()
        except (FrexError, FailedError, OSError) as error:
            self.loaded[fit.name] = before
            self.metrics.count("frex_replaced_total", project=fit.name, result="refused")
            _LOG.error("%s was replaced, and is not taken: %s", fit.path, error or "workers died")
        else:
            self.metrics.count("frex_replaced_total", project=fit.name, result="taken")
            self._say(f"{fit.path} was replaced, and is taken")
            before.model.close()

    async def _use(self) -> None:
        await self.pool.use({name: one.model.fileno() for name, one in self.loaded.items()})
