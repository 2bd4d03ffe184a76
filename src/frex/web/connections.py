"""Protection of a server against clients that are slow, numerous, or send invalid requests.

A request must arrive within `PATIENCE_S`, then its body, and the client must read the answer, or
the next piece of a long one, within the same time. At most `most_open` connections are open, well
below the system's limit of files: the next one replaces the connection that the server has waited
for longest. A request that is being answered is never dropped for another.
"""

from __future__ import annotations

import socket
import sys
from typing import TYPE_CHECKING, Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from frex.web.logs import log_seldom

if sys.platform != "win32":
    import resource

if TYPE_CHECKING:
    import asyncio

PATIENCE_S = 10.0
"""Time that a client has for its next step."""

_MOST = 1024
_QUEUE = 1024  # connections that the system holds until they are accepted


def most_open() -> int:
    """Return how many connections may be open: a quarter of the files that a process may have."""
    if sys.platform == "win32":
        return _MOST
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _MOST if files == resource.RLIM_INFINITY else min(max(files // 4, 4), _MOST)


class Server(uvicorn.Server):
    """uvicorn's, with a queue of its own length.

    What uvicorn calls backlog is also how many connections asyncio accepts before it looks at any,
    which has to be few.

    Parameters
    ----------
    app
        The application.
    logger
        The name of its logger.
    has_lifespan
        Whether it receives the start and the end of the server.
    grace_s
        Time for current requests when the server is told to end.
    """

    def __init__(
        self, app: Any, logger: str, *, has_lifespan: bool = False, grace_s: int = 3
    ) -> None:
        config = uvicorn.Config(
            app,
            http=Connection,
            ws="none",
            lifespan="on" if has_lifespan else "off",
            access_log=False,  # it would hold what only a user and the server are to know
            log_level="warning",
            server_header=False,
            proxy_headers=False,
            backlog=max(most_open() // 8, 1),
            timeout_graceful_shutdown=grace_s,
        )
        super().__init__(config)
        log_seldom("uvicorn.error", "asyncio", logger)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections."""
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_QUEUE)


class Connection(H11Protocol):
    """A connection with a deadline."""

    connections: set[Connection]  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin; if there are too many, end the one that the server has waited for longest."""
        super().connection_made(transport)
        own = transport.get_extra_info("socket")
        if own is not None:  # asyncio does this only for sockets that were declared to be TCP's
            own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._phase = self._now_at()
        self._wait()
        alive = [other for other in self.connections if not other.transport.is_closing()]
        if len(alive) > most_open():
            waited_for = [other for other in alive if not other.is_being_answered]
            longest = min(waited_for, key=lambda other: other.deadline.when())
            longest.transport.abort()

    @property
    def is_being_answered(self) -> bool:
        """Whether the next step is the server's, and not the client's."""
        cycle = self.cycle
        if cycle is None or cycle.more_body or cycle.response_complete:
            return False
        return not self.flow.write_paused  # the client does not read

    def _now_at(self) -> tuple[object, bool, bool]:
        cycle = self.cycle
        return (cycle, cycle.more_body, cycle.response_complete) if cycle else (None, True, False)

    def _wait(self) -> None:
        self.deadline = self.loop.call_later(PATIENCE_S, self._end)

    def _end(self) -> None:
        if self.is_being_answered:
            self._wait()
        else:
            self.transport.abort()

    def _note_progress(self) -> None:
        """Restart the deadline when a request, its body or its answer is complete."""
        if self._phase != self._now_at():
            self._phase = self._now_at()
            self.deadline.cancel()
            self._wait()

    def handle_events(self) -> None:
        """Process received data."""
        super().handle_events()
        self._note_progress()

    def on_response_complete(self) -> None:
        """Go on to the next request."""
        super().on_response_complete()
        self._note_progress()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP; if an answer has already begun, just end."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def resume_writing(self) -> None:
        """Go on with an answer that does not fit into one packet: the client has read some."""
        super().resume_writing()
        self.deadline.cancel()
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        self.deadline.cancel()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """End with the server; current requests are finished."""
        if self.cycle is None or self.is_being_answered:
            super().shutdown()
        else:
            self.transport.abort()
