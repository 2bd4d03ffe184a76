"""The workers, and the requests that wait for one.

A worker has one request at a time. A worker that dies, or takes too long, is replaced; a request
that it had started when it died is tried once more. A new set of models gets workers of its own:
they start while the old ones answer, and take over when all are warm; the old ones end when they
have answered. So no request is lost in the change, and none uses a mixture of both.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from frex.serve.limits import LONGEST_WORK_S, MOST_WAITING
from frex.serve.processes import DiedError, Process

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frex.serve.frames import Frame

_LOG = logging.getLogger("frex.serve")
_TRIES = 2
_PAUSES_S = (1.0, 5.0, 15.0, 30.0)  # after so many workers that never were warm


class BusyError(Exception):
    """There is no worker, or too many requests are waiting."""


class FailedError(Exception):
    """The workers that had the request died, or took too long."""


@dataclass(eq=False)
class _Job:
    head: Mapping[str, Any]
    body: bytes
    answer: asyncio.Future[Frame]
    tries: int = 0


@dataclass(eq=False)
class _Team:
    """Workers with the same models."""

    models: Mapping[str, int]  #: the descriptor of each project's file
    in_use: bool = False
    starting: set[Process] = field(default_factory=set)
    alive: set[Process] = field(default_factory=set)  #: those that are warm
    idle: list[Process] = field(default_factory=list)
    keepers: list[asyncio.Task[None]] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    retired: asyncio.Event = field(default_factory=asyncio.Event)


class Pool:
    """Workers that answer requests.

    Parameters
    ----------
    n_workers
        How many.
    """

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers
        self.deaths = 0
        """Workers that ended without being told to."""
        self._waiting: deque[_Job] = deque()
        self._team: _Team | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def alive(self) -> int:
        """How many workers are warm."""
        return len(self._team.alive) if self._team else 0

    @property
    def idle(self) -> int:
        """How many workers are idle."""
        return len(self._team.idle) if self._team else 0

    @property
    def waiting(self) -> int:
        """How many requests wait."""
        return len(self._waiting)

    async def use(self, models: Mapping[str, int]) -> None:
        """Replace the models; return when the new ones answer.

        Parameters
        ----------
        models
            For each project the descriptor of its file, which stays open as long as it is used.
        """
        team = _Team(models)
        team.keepers = [asyncio.create_task(self._keep(team)) for _ in range(self.n_workers)]
        try:
            while len(team.alive) < self.n_workers:
                await team.changed.wait()
                team.changed.clear()
                _check_begun(team)
        except BaseException:
            await self._retire(team)
            raise
        before, self._team, team.in_use = self._team, team, True
        self._assign()
        if before is not None:
            await self._retire(before)

    async def ask(self, head: Mapping[str, Any], body: bytes) -> Frame:
        """Have a request answered.

        Parameters
        ----------
        head, body
            As for `frex.serve.work.work`.
        """
        if self._team is None or len(self._waiting) >= MOST_WAITING:
            raise BusyError
        job = _Job(head, body, asyncio.get_running_loop().create_future())
        self._waiting.append(job)
        self._assign()
        try:
            return await job.answer
        finally:  # the client has disconnected
            job.answer.cancel()
            if job in self._waiting:
                self._waiting.remove(job)

    async def close(self) -> None:
        """End all workers."""
        team, self._team = self._team, None
        if team is not None:
            await self._retire(team)

    async def _retire(self, team: _Team) -> None:
        """Let a team finish its requests, and end."""
        team.retired.set()
        for worker in team.starting:
            worker.kill()
        idle, team.idle = team.idle, []
        await asyncio.gather(*(worker.end() for worker in idle), *team.keepers)

    def _assign(self) -> None:
        """Assign waiting requests to idle workers."""
        while self._team is not None and self._team.idle and self._waiting:
            job = self._waiting.popleft()
            if not job.answer.done():
                task = asyncio.create_task(self._work(self._team, self._team.idle.pop(), job))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _work(self, team: _Team, worker: Process, job: _Job) -> None:
        try:
            answer = await worker.ask(job.head, job.body, LONGEST_WORK_S)
        except DiedError as error:
            job.tries += error.begun
            self._try_again(job)
        except TimeoutError:
            _LOG.error("a worker took longer than %g s, and was ended", LONGEST_WORK_S)
            worker.kill()
            _fail(job)
        else:
            if not job.answer.done():
                job.answer.set_result(answer)
            if team.retired.is_set():
                await worker.end()
            else:
                team.idle.append(worker)
                self._assign()

    def _try_again(self, job: _Job) -> None:
        if job.answer.done():
            return
        if job.tries < _TRIES:
            self._waiting.appendleft(job)
            self._assign()
        else:
            _fail(job)

    async def _keep(self, team: _Team) -> None:
        """Keep one worker of a team running until the team retires; give up if it never starts."""
        failures = 0
        while not team.retired.is_set():
            worker = await self._start(team)
            if worker is None:
                failures += 1
                if not team.in_use and failures == _TRIES:
                    break
                with suppress(TimeoutError):
                    await asyncio.wait_for(team.retired.wait(), _PAUSES_S[min(failures, 4) - 1])
                continue
            failures = 0
            team.alive.add(worker)
            team.idle.append(worker)
            team.changed.set()
            if team is self._team:
                self._assign()
            await worker.gone()
            team.alive.discard(worker)
            if worker in team.idle:
                team.idle.remove(worker)
            if not team.retired.is_set():
                self.deaths += 1
                _LOG.error("a worker died, and is replaced")
        team.changed.set()

    async def _start(self, team: _Team) -> Process | None:
        """Return a warm worker, or None if it failed."""
        worker = await Process.start(
            "frex.serve.worker",
            [json.dumps(dict(team.models), allow_nan=False)],
            list(team.models.values()),
        )
        team.starting.add(worker)
        try:
            await worker.hear()
        except DiedError:
            code = await worker.gone()
            if not team.retired.is_set():
                _LOG.error("a worker ended with %d before it was warm", code)
            return None
        finally:
            team.starting.discard(worker)
        if team.retired.is_set():
            await worker.end()
            return None
        return worker


def _check_begun(team: _Team) -> None:
    if any(keeper.done() for keeper in team.keepers):
        raise FailedError


def _fail(job: _Job) -> None:
    if not job.answer.done():
        job.answer.set_exception(FailedError())
