"""The web application: evaluators' links, tasks, and answers that are acknowledged when committed.

A link's token is the only authentication. There are no cookies and no accounts, so another site
cannot answer in an evaluator's name. Pages need no script and load nothing from other hosts.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import sqlite3
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from frex.study import pages
from frex.study.answers import PATIENCE_S, NotSavedError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request

    from frex.study.answers import Answers
    from frex.study.design import Task
    from frex.study.folder import Study
    from frex.web.markup import Html

_LOG = logging.getLogger(__name__)
_LONGEST_BODY = 16 << 10  # bytes; a page of answers has some sixty
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "no-store",  # going back shows the saved state, and proxies do not store links
    "Referrer-Policy": "no-referrer",  # a link is a secret
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_ASSETS = {"page.css": "text/css", "page.js": "text/javascript"}
_NOT_FOUND = (
    "There is nothing here",
    "Please use the whole link that you were given. If it does not work, ask whoever sent it.",
)
_NOT_SAVED = (
    "Your answers were not saved",
    "The server cannot reach its disk. Please go back and try again, or tell who sent the link.",
)


def make_app(study: Study, answers: Answers) -> Starlette:
    """Return the application that serves a study.

    Parameters
    ----------
    study
        The study.
    answers
        The store of answers, which the caller closes.
    """
    desk = _Desk(study, answers)
    app = Starlette(
        routes=[
            *(Route(f"/{name}", _asset(name, kind)) for name, kind in _ASSETS.items()),
            Route("/e/{token}", desk.welcome),
            Route("/e/{token}/thanks", desk.thanks),
            Route("/e/{token}/{place}", desk.show),
            Route("/e/{token}/{place}", desk.save, methods=["POST"]),
        ],
        exception_handlers={
            HTTPException: _refuse,
            **dict.fromkeys((NotSavedError, sqlite3.Error, TimeoutError), _not_saved),
        },
    )
    app.router.redirect_slashes = False  # it would redirect to the host of the request's header
    return app


class _Visit(NamedTuple):
    """A request of an evaluator, with the answers so far."""

    evaluator: str
    home: str
    tasks: Sequence[Task]
    saved: Mapping[int, Sequence[int]]  #: choices by task number

    def open_places(self) -> list[int]:
        """Return the positions, from 1, of unanswered tasks."""
        return [p for p, task in enumerate(self.tasks, start=1) if task.number not in self.saved]

    def after(self, place: int) -> int | None:
        """Return the position of the task after an answer; None if all tasks are done.

        This is the next unanswered task, or any unanswered one; an evaluator who reviews answers
        goes on to the next task.
        """
        left = [p for p in self.open_places() if p != place]
        if left:
            return next((p for p in left if p > place), left[0])
        looking = self.tasks[place - 1].number in self.saved and place < len(self.tasks)
        return place + 1 if looking else None

    def page(self, place: int, chosen: Mapping[int, int], missing: Sequence[int] = ()) -> Html:
        """Return the page of a task."""
        task = self.tasks[place - 1]
        return pages.task_page(
            task,
            self.home,
            place=place,
            total=len(self.tasks),
            done=len(self.tasks) - len(self.open_places()),
            first_of_kind=all(other.kind != task.kind for other in self.tasks[: place - 1]),
            chosen=chosen,
            answered=task.number in self.saved,
            last=self.after(place) is None,
            missing=missing,
        )


class _Desk:
    """The end points."""

    def __init__(self, study: Study, answers: Answers) -> None:
        self._study, self._answers = study, answers
        # looked up by digest, so that the time of a look-up reveals nothing about a token
        self._evaluators = {_digest(token): n for n, token in enumerate(study.tokens, start=1)}
        self._tasks = {n: study.tasks_of(n) for n in self._evaluators.values()}
        self._turn = asyncio.Lock()

    async def welcome(self, request: Request) -> Response:
        visit = await self._visit(request)
        left = visit.open_places()
        if not left:
            return _go(f"{visit.home}/thanks")
        done = len(visit.tasks) - len(left)
        return _show(pages.welcome(self._study, visit.home, visit.tasks, done, left[0]))

    async def show(self, request: Request) -> Response:
        visit = await self._visit(request)
        place = _place(request, visit)
        task = visit.tasks[place - 1]
        chosen = dict(enumerate(visit.saved.get(task.number, ()), start=1))
        return _show(visit.page(place, chosen))

    async def save(self, request: Request) -> Response:
        visit = await self._visit(request)
        place = _place(request, visit)
        task = visit.tasks[place - 1]
        chosen = _choices(task, await _body(request))
        missing = [n for n in range(1, len(task.choices) + 1) if n not in chosen]
        if missing:
            return _show(visit.page(place, chosen, missing), 422)
        choices = [chosen[n] for n in sorted(chosen)]
        # waiting for another process to write does not block a thread of readers
        async with asyncio.timeout(2 * PATIENCE_S):
            await self._turn.acquire()
        try:
            await run_in_threadpool(self._answers.save, visit.evaluator, task.number, choices)
        finally:
            self._turn.release()
        return _go(f"{visit.home}/{visit.after(place) or 'thanks'}")

    async def thanks(self, request: Request) -> Response:
        visit = await self._visit(request)
        if visit.open_places():
            return _go(visit.home)
        return _show(pages.thanks(visit.home, len(visit.tasks)))

    async def _visit(self, request: Request) -> _Visit:
        token = request.path_params["token"]
        evaluator = self._evaluators.get(_digest(token))
        if evaluator is None:
            raise HTTPException(404)
        name = str(evaluator)
        saved = await run_in_threadpool(self._answers.of, name)
        return _Visit(name, f"/e/{token}", self._tasks[evaluator], saved)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def _place(request: Request, visit: _Visit) -> int:
    """Return the position of the task in a path, if the evaluator has it."""
    places = {str(place): place for place in range(1, len(visit.tasks) + 1)}
    name = request.path_params["place"]
    if name not in places:
        raise HTTPException(404)
    return places[name]


async def _body(request: Request) -> str:
    """Return the body of a form, unless it is too long."""
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LONGEST_BODY:
                raise HTTPException(413)
    except ClientDisconnect as error:
        raise HTTPException(400) from error  # the client has gone
    return body.decode("utf-8", "replace")


def _choices(task: Task, body: str) -> dict[int, int]:
    """Return the valid choices of a form by question, ignoring everything else."""
    try:
        fields = parse_qs(body, max_num_fields=100)
    except ValueError as error:
        raise HTTPException(400) from error
    chosen = {}
    for number, allowed in enumerate(task.choices, start=1):
        value = fields.get(f"q{number}", [""])[-1]
        if value in map(str, allowed):
            chosen[number] = int(value)
    return chosen


def _show(page: Html, status: int = 200) -> Response:
    return HTMLResponse(page, status, _HEADERS)


def _go(path: str) -> Response:
    return RedirectResponse(path, 303, _HEADERS)


def _asset(name: str, kind: str) -> Response:
    content = (files("frex.study") / "assets" / name).read_bytes()
    return Response(content, headers=_HEADERS, media_type=kind)  # a response is an application


def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return _show(pages.notice(*_NOT_FOUND), 404)
    return _show(pages.notice("This does not work", error.detail), error.status_code)


def _not_saved(_request: Request, error: Exception) -> Response:
    _LOG.error("answers could not be saved or read: %s", error or "others take too long")
    return _show(pages.notice(*_NOT_SAVED), 503)
