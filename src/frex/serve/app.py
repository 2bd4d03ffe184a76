"""The web application: every request is checked and counted, and no error shows a traceback."""

from __future__ import annotations

import time
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from frex.serve.api import PROBLEM, Api
from frex.serve.limits import RETRY_AFTER_S
from frex.serve.pool import BusyError, FailedError
from frex.serve.requests import RefusedError
from frex.serve.work import problem
from frex.serve.worker import FAULT, complain

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from starlette.types import Message, Receive, Scope, Send

    from frex.serve.guards import Guard
    from frex.serve.service import Service

_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_GONE = 499  # in the metrics only: the client has disconnected


class Application:
    """The application, as a server calls it.

    Parameters
    ----------
    service
        What is served.
    guard
        Checks of every request.
    run
        Runs from the start of the server to its end.
    """

    def __init__(
        self, service: Service, guard: Guard, run: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        self._metrics, self._guard = service.metrics, guard

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            async with service.running(run()):
                yield

        self._routes = Starlette(
            routes=Api(service).routes(),
            exception_handlers={
                HTTPException: _not_found,
                RefusedError: _refuse,
                BusyError: _busy,
                FailedError: _failed,
                ClientDisconnect: _gone,
                Exception: _fault,
            },
            lifespan=lifespan,
        )
        self._routes.router.redirect_slashes = False  # it would redirect to any host in the request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._routes(scope, receive, send)
            return
        status, begun = _GONE, time.monotonic()

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._guard.check(scope["method"], scope["path"], Headers(scope=scope))
            await self._routes(scope, receive, noting)
        except RefusedError as refused:
            await _refuse(Request(scope), refused)(scope, receive, noting)
        except Exception as error:  # noqa: BLE001 - it was answered with 500 already
            complain(error)
        finally:
            operation = getattr(scope.get("endpoint"), "__name__", "other")
            self._metrics.count("frex_requests_total", operation=operation, status=str(status))
            self._metrics.time(operation, time.monotonic() - begun)


def _answer(status: int, title: str, detail: str, headers: dict[str, str]) -> Response:
    return Response(problem(status, title, detail), status, headers, PROBLEM)


def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    challenge = 'Basic realm="frex", charset="UTF-8"'
    headers = {"WWW-Authenticate": challenge} if error.status == 401 else {}
    return _answer(error.status, error.title, error.detail, headers)


def _not_found(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    title = HTTPStatus(error.status_code).phrase
    return _answer(error.status_code, title, "see /docs", dict(error.headers or {}))


def _busy(_request: Request, _error: Exception) -> Response:
    headers = {"Retry-After": str(RETRY_AFTER_S)}
    return _answer(503, "Service Unavailable", "the server is busy; try again", headers)


def _failed(_request: Request, _error: Exception) -> Response:
    return _answer(500, FAULT[0], "no worker could answer this", {})


def _gone(_request: Request, _error: Exception) -> Response:
    return Response(status_code=_GONE)


def _fault(_request: Request, _error: Exception) -> Response:
    return _answer(500, *FAULT, {})
