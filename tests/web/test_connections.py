"""Deadlines as a connection sees them; `tests/study/test_connections.py` has them with a server."""

import asyncio
import socket

import pytest

pytest.importorskip("uvicorn")
from uvicorn import Config
from uvicorn.server import ServerState

from frex.web.connections import Connection


class Transport(asyncio.Transport):
    def __init__(self, **extra):
        super().__init__(extra)
        self.aborted = False

    def is_closing(self):
        return self.aborted

    def abort(self):
        self.aborted = True


def test_an_answer_does_not_wait_for_the_one_before_to_be_acknowledged():
    async def test():
        with socket.create_server(("127.0.0.1", 0)) as own:
            connection = Connection(Config(None, lifespan="off"), ServerState(), {})
            connection.connection_made(Transport(socket=own))
            assert own.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            connection.connection_lost(OSError())

    asyncio.run(test())


def test_a_long_answer_has_time_anew_for_each_piece_that_is_taken():
    async def test():
        config = Config(None, lifespan="off")
        connection = Connection(config, ServerState(), {})
        connection.connection_made(Transport())
        connection.pause_writing()
        before = connection.deadline
        connection.resume_writing()
        assert before.cancelled()
        assert connection.deadline.when() >= before.when()
        assert not connection.deadline.cancelled()
        connection.connection_lost(OSError())
        assert connection.deadline.cancelled()

    asyncio.run(test())
