"""Workers that die, hang and are replaced: here they are only spoken of, not processes."""

import asyncio
import logging
from contextlib import suppress
from typing import ClassVar

import pytest

from frex.serve import pool as module
from frex.serve.frames import Frame
from frex.serve.limits import MOST_WAITING
from frex.serve.pool import BusyError, FailedError, Pool
from frex.serve.processes import DiedError


class FakeProcess:
    """Answers a body with the models that it was started with; dies or hangs when it is told to."""

    started: ClassVar = []
    stillborn = 0

    def __init__(self, arguments):
        self.models, self.ended, self.had = arguments[0], asyncio.Event(), []
        self.open, self.dead = asyncio.Event(), False
        FakeProcess.started.append(self)

    @classmethod
    async def start(cls, _module, arguments, _descriptors):
        return cls(arguments)

    async def hear(self):
        if FakeProcess.stillborn:
            FakeProcess.stillborn -= 1
            self.kill()
            raise DiedError
        return Frame({"ready": True})

    async def ask(self, _head, body, _patience_s):
        if self.dead:
            raise DiedError
        self.had.append(body)
        if body.startswith(b"wait"):
            await self.open.wait()
        if body == b"hang":
            raise TimeoutError
        if body == b"die" or (body == b"die once" and len(FakeProcess.started) == 1):
            self.kill()
            raise DiedError(begun=True)
        return Frame({"status": 200}, self.models.encode())

    async def gone(self):
        await self.ended.wait()
        return -9

    def kill(self):
        self.ended.set()

    async def end(self):
        self.ended.set()


@pytest.fixture
def run(monkeypatch):
    """Return a function that runs a test with a pool, and ends it."""
    monkeypatch.setattr(module, "Process", FakeProcess)
    monkeypatch.setattr(module, "_PAUSES_S", (0.0, 0.0, 0.0, 0.0))
    monkeypatch.setattr(FakeProcess, "started", [])
    monkeypatch.setattr(FakeProcess, "stillborn", 0)

    def run(test, n_workers=1):
        async def running():
            pool = Pool(n_workers)
            async with asyncio.timeout(20):
                await test(pool)
                await pool.close()
            assert all(process.ended.is_set() for process in FakeProcess.started)
            assert not pool.waiting

        asyncio.run(running())

    return run


async def settled():
    for _ in range(10):
        await asyncio.sleep(0)


def test_requests_are_answered_in_turn(run):
    async def test(pool):
        with pytest.raises(BusyError):
            await pool.ask({}, b"early")
        await pool.use({"a": 3})
        answers = await asyncio.gather(*(pool.ask({}, b"%d" % n) for n in range(20)))
        assert {answer.body for answer in answers} == {b'{"a": 3}'}
        assert sorted(b for p in FakeProcess.started for b in p.had) == sorted(
            b"%d" % n for n in range(20)
        )
        assert (pool.alive, pool.idle, pool.deaths) == (2, 2, 0)

    run(test, n_workers=2)


def test_a_request_whose_worker_died_is_tried_once_more(run):
    async def test(pool):
        await pool.use({"a": 3})
        assert (await pool.ask({}, b"die once")).head == {"status": 200}
        assert pool.deaths == 1
        with pytest.raises(FailedError):
            await pool.ask({}, b"die")
        await settled()
        assert (pool.deaths, pool.alive, pool.idle) == (3, 1, 1)
        assert (await pool.ask({}, b"other")).head == {"status": 200}

    run(test)


def test_a_worker_that_takes_too_long_is_replaced_and_its_request_is_not_tried_again(run, caplog):
    async def test(pool):
        await pool.use({"a": 3})
        with pytest.raises(FailedError):
            await pool.ask({}, b"hang")
        await settled()
        assert [process.had for process in FakeProcess.started] == [[b"hang"], []]
        assert pool.alive == 1

    with caplog.at_level(logging.ERROR):
        run(test)
    assert "took longer than 60 s" in caplog.text


def test_workers_that_died_before_they_had_the_request_are_no_try(run):
    async def test(pool):
        await pool.use({"a": 3})
        first = FakeProcess.started[:]
        for process in first:
            process.dead = True  # and nobody has noticed it yet
        answer = asyncio.create_task(pool.ask({}, b"x"))
        await settled()
        for process in first:
            process.kill()
        assert (await answer).head == {"status": 200}
        assert [process.had for process in first] == [[], [], []]
        assert pool.deaths == 3

    run(test, n_workers=3)


def test_too_many_are_refused_and_whoever_goes_makes_room(run):
    async def test(pool):
        await pool.use({"a": 3})
        asked = [asyncio.create_task(pool.ask({}, b"wait %d" % n)) for n in range(MOST_WAITING + 1)]
        await settled()
        assert pool.waiting == MOST_WAITING
        with pytest.raises(BusyError):
            await pool.ask({}, b"one more")
        for task in asked[50:]:
            task.cancel()
        await settled()
        assert pool.waiting == 49
        FakeProcess.started[0].open.set()
        await asyncio.gather(*asked[:50])
        assert len(FakeProcess.started[0].had) == 50  # nothing was done for those that had gone

    run(test)


def test_other_models_take_over_without_losing_a_request(run):
    async def test(pool):
        await pool.use({"a": 3})
        old = [asyncio.create_task(pool.ask({}, b"wait %d" % n)) for n in range(6)]
        await settled()
        change = asyncio.create_task(pool.use({"a": 4}))
        await settled()
        before, after = FakeProcess.started[:2], FakeProcess.started[2:]
        for process in before + after:
            process.open.set()
        answers = [(await task).body for task in old]
        await change
        assert sorted(answers) == [b'{"a": 3}'] * 2 + [b'{"a": 4}'] * 4
        assert all(process.ended.is_set() for process in before)
        assert not any(process.ended.is_set() for process in after)
        assert pool.deaths == 0

    run(test, n_workers=2)


def test_models_that_no_worker_can_hold_are_not_taken(run):
    async def test(pool):
        await pool.use({"a": 3})
        FakeProcess.stillborn = 10
        with pytest.raises(FailedError):
            await pool.use({"a": 4})
        FakeProcess.stillborn = 0
        assert (await pool.ask({}, b"x")).body == b'{"a": 3}'

    run(test)


def test_a_start_that_is_given_up_leaves_no_process(run):
    async def test(pool):
        FakeProcess.stillborn = 1
        starting = asyncio.create_task(pool.use({"a": 3}))
        starting.cancel()
        with suppress(asyncio.CancelledError):
            await starting

    run(test)
