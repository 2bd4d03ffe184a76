"""The endpoints: Annif's REST API, additions to it, and pages.

Nothing is computed here: bodies are forwarded to the workers unchanged, and so are their answers.
So a large document does not delay other requests.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from frex import __version__
from frex.serve import metrics, pages
from frex.serve.bodies import read_body
from frex.serve.limits import RETRY_AFTER_S
from frex.serve.openapi import description
from frex.serve.pool import BusyError
from frex.serve.requests import FORM, JSON, RefusedError
from frex.serve.work import as_json

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from starlette.requests import Request

    from frex.serve.fits import Loaded
    from frex.serve.frames import Frame
    from frex.serve.service import Service

PROBLEM = "application/problem+json"
_PROJECT = "/v1/projects/{project}"


class Api:
    """The endpoints.

    Parameters
    ----------
    service
        What is served.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    def routes(self) -> list[Route]:
        """Return all of them."""
        return [
            *(Route(path, self.info) for path in ("/v1", "/v1/")),
            Route("/v1/vocabs", self.vocabs),
            Route("/v1/projects", self.projects),
            Route(_PROJECT, self.project),
            Route(f"{_PROJECT}/suggest", self.suggest, methods=["POST"]),
            Route(f"{_PROJECT}/suggest-batch", self.suggest_batch, methods=["POST"]),
            Route(f"{_PROJECT}/explain", self.explain, methods=["POST"]),
            Route(f"{_PROJECT}/learn", self.learn, methods=["POST"]),
            Route("/v1/detect-language", self.detect_language, methods=["POST"]),
            Route("/openapi.json", self.openapi),
            Route("/health", self.health),
            Route("/ready", self.ready),
            Route("/metrics", self.metrics),
            Route("/", self.home),
            Route("/docs", self.docs),
            Route("/fits/{project}", self.explorer),
            *(Route(f"/{name}", self.asset) for name in pages.ASSETS),
        ]

    async def info(self, _request: Request) -> Response:
        """Tell what this is."""
        return _json({"title": "frex, with Annif's REST API", "version": __version__})

    async def vocabs(self, _request: Request) -> Response:
        """List the fits' topics, as vocabularies."""
        return _json({"vocabs": [one.vocabulary for one in self._service.loaded.values()]})

    async def projects(self, _request: Request) -> Response:
        """List the fits, as projects."""
        return _json({"projects": [one.project for one in self._service.loaded.values()]})

    async def project(self, request: Request) -> Response:
        """Describe a fit."""
        return _json(self._loaded(request).project)

    async def suggest(self, request: Request) -> Response:
        """Suggest topics of a document."""
        return await self._work(request, "suggest", FORM)

    async def suggest_batch(self, request: Request) -> Response:
        """Suggest topics of several documents."""
        return await self._work(request, "suggest-batch", JSON)

    async def explain(self, request: Request) -> Response:
        """Suggest topics of a document, with the words for and against each."""
        return await self._work(request, "explain", FORM)

    async def learn(self, request: Request) -> Response:
        """Refuse to learn, with Annif's message."""
        name = self._loaded(request).fit.name
        reason = f"Project '{name}' is not configured to allow learning via API"
        raise RefusedError(reason, 403, "Learning not allowed")

    async def detect_language(self, _request: Request) -> Response:
        """Refuse to detect the language."""
        raise RefusedError("language detection is not supported")

    async def openapi(self, _request: Request) -> Response:
        """Describe the API for programs."""
        return _json(description())

    async def docs(self, _request: Request) -> Response:
        """Describe the API for people."""
        return pages.response(pages.docs(description()))

    async def health(self, _request: Request) -> Response:
        """Report that the server is alive."""
        return _json({"status": "ok"})

    async def ready(self, _request: Request) -> Response:
        """Report whether a document would be answered now."""
        if not self._service.ready:
            raise BusyError
        return _json({"status": "ready"})

    async def metrics(self, _request: Request) -> Response:
        """Return the metrics."""
        return Response(self._service.figures(), media_type=metrics.MEDIA_TYPE)

    async def home(self, _request: Request) -> Response:
        """Show the page on which to paste a document."""
        return pages.response(pages.home(list(self._service.loaded.values())))

    async def asset(self, request: Request) -> Response:
        """Return a part of a page."""
        return pages.asset(request.url.path.removeprefix("/"))

    async def explorer(self, request: Request) -> Response:
        """Show the explorer of a fit."""
        loaded = self._loaded(request)
        if loaded.n_page is None:
            raise RefusedError("the page of this fit could not be made", 404, "Not Found")
        if not loaded.n_page:
            again = {"Retry-After": str(RETRY_AFTER_S)}
            return pages.response(pages.not_yet(), 503, **again)
        headers = {"Content-Length": str(loaded.n_page), "Content-Security-Policy": pages.FRAMED}
        return StreamingResponse(loaded.pieces(), headers=headers, media_type="text/html")

    async def _work(self, request: Request, operation: str, media_type: str) -> Response:
        service, name = self._service, self._loaded(request).fit.name
        query = request.scope["query_string"].decode("latin-1")
        head = {"operation": operation, "project": name, "query": query}
        with service.held.share() as share:
            body = await read_body(request, share, media_type)
            answer = await _unless_gone(request, service.pool.ask(head, body))
        status = answer.head["status"]
        service.metrics.count("frex_documents_total", answer.head["documents"], project=name)
        return Response(answer.body, status, media_type=JSON if status == 200 else PROBLEM)

    def _loaded(self, request: Request) -> Loaded:
        name = request.path_params["project"]
        if name in self._service.loaded:
            return self._service.loaded[name]
        if any(fit.name == name for fit in self._service.fits):
            raise BusyError  # it is being read
        raise RefusedError("there is no such project", 404, "Project not found")


async def _unless_gone(request: Request, answer: Coroutine[Any, Any, Frame]) -> Frame:
    """Wait for an answer until the client disconnects."""
    answered = asyncio.ensure_future(answer)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((answered, gone), return_when=asyncio.FIRST_COMPLETED)
        if not answered.done():
            raise ClientDisconnect
        return answered.result()
    finally:
        answered.cancel()
        gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _json(value: Any) -> Response:
    return Response(as_json(value), media_type=JSON)
