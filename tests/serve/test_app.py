"""The application without a server: what it answers when something is wrong."""

import asyncio
import json

import pytest

from frex.serve import bodies
from frex.serve.app import Application
from frex.serve.fits import named_fits
from frex.serve.frames import Frame
from frex.serve.guards import Guard
from frex.serve.pool import FailedError
from frex.serve.service import Service

SECRET = "patient zero"
FORM = [(b"content-type", b"application/x-www-form-urlencoded")]


class FakeLoaded:
    """A fit that was read."""

    def __init__(self, fit):
        self.fit = fit


@pytest.fixture
def service():
    fits = named_fits(["FIT", "LATE"])
    service = Service(fits, 1, lambda _: None)
    service.loaded["FIT"] = FakeLoaded(fits[0])
    return service


@pytest.fixture
def ask(service):
    """Return a function that returns status, headers and text; `messages` is what is received."""
    app = Application(service, Guard("127.0.0.1", [], None), None)

    def ask(path, *messages, method="GET", headers=()):
        sent, left = [], list(messages)
        scope = {
            "type": "http", "http_version": "1.1", "method": method, "path": path, "root_path": "",
            "raw_path": path.encode(), "query_string": b"", "scheme": "http",
            "headers": [(b"host", b"localhost"), *headers],
        }  # fmt: skip

        async def receive():
            if not left:
                await asyncio.Event().wait()
            return left.pop(0)

        async def send(message):
            sent.append(message)

        asyncio.run(app(scope, receive, send))
        start, *parts = sent
        names = {name.decode(): value.decode() for name, value in start["headers"]}
        return start["status"], names, b"".join(part.get("body", b"") for part in parts).decode()

    return ask


def body(*pieces):
    last = len(pieces) - 1
    return [{"type": "http.request", "body": piece, "more_body": number < last}
            for number, piece in enumerate(pieces)]  # fmt: skip


SUGGEST = "/v1/projects/FIT/suggest"


def test_a_fault_of_ours_is_no_traceback_and_quotes_nothing(ask, monkeypatch, caplog):
    def fault(*_):
        raise ValueError(SECRET)

    monkeypatch.setattr("frex.serve.api.pages.home", fault)
    status, headers, text = ask("/")
    assert (status, headers["content-type"]) == (500, "application/problem+json")
    assert json.loads(text)["status"] == 500
    assert SECRET not in text + caplog.text
    (record,) = caplog.records
    assert record.getMessage().startswith("ValueError in ")
    assert record.exc_info is None


def test_while_fits_are_read_clients_are_told_to_come_again(ask):
    for path in (SUGGEST, "/v1/projects/LATE/suggest"):
        status, headers, _ = ask(path, *body(b"text=a"), method="POST", headers=FORM)
        assert (status, headers["retry-after"]) == (503, "1")
    assert ask("/ready")[0] == 503
    assert ask("/health")[0] == 200
    assert ask("/v1/projects/NONE")[0] == 404


def test_who_goes_away_is_counted_and_no_fault(ask, service, caplog):
    asked = []

    class Pool:
        alive = idle = deaths = waiting = 0

        async def ask(self, _head, posted):
            asked.append(posted)
            await asyncio.Event().wait()

    service.pool = Pool()
    gone = {"type": "http.disconnect"}
    half, whole = [*body(b"text=", b"")[:1], gone], [*body(b"text=", b"a"), gone]
    for messages in (half, whole):
        assert ask(SUGGEST, *messages, method="POST", headers=FORM)[0] == 499
    assert asked == [b"text=a"]
    assert 'frex_requests_total{operation="suggest",status="499"} 2' in service.figures()
    assert service.held.n_bytes == 0
    assert caplog.records == []


def test_bodies_are_bounded_alone_and_together(ask, service, monkeypatch):
    monkeypatch.setattr(bodies, "MOST_BYTES", 10)
    monkeypatch.setattr(bodies, "MOST_BYTES_HELD", 15)
    posted = body(b"text=", b"12345", b"6")
    assert ask(SUGGEST, *posted, method="POST", headers=FORM)[0] == 413
    declared = [*FORM, (b"content-length", b"11")]
    assert ask(SUGGEST, method="POST", headers=declared)[0] == 413  # nothing of it was read
    service.held.n_bytes = 8
    assert ask(SUGGEST, *posted[:2], method="POST", headers=FORM)[0] == 503
    assert service.held.n_bytes == 8


@pytest.mark.parametrize(
    ("name", "value"),
    [("content-type", "text/plain"), ("content-type", "application/json"), ("content-type", ""),
     ("content-type", FORM[0][1].decode() + "; charset=latin-1"), ("content-encoding", "gzip")],
)  # fmt: skip
def test_other_media_are_refused(ask, name, value):
    headers = [*(FORM if name == "content-encoding" else ()), (name.encode(), value.encode())]
    assert ask(SUGGEST, *body(b"text=a"), method="POST", headers=headers)[0] == 415


def test_what_no_worker_can_answer_is_told(ask, service, monkeypatch):
    async def fail(*_):
        raise FailedError

    monkeypatch.setattr(service.pool, "ask", fail)
    status, _, text = ask(SUGGEST, *body(b"text=a"), method="POST", headers=FORM)
    assert (status, json.loads(text)["detail"]) == (500, "no worker could answer this")


def test_answers_are_passed_on_as_they_are(ask, service, monkeypatch):
    async def answer(head, posted):
        assert head == {"operation": "suggest", "project": "FIT", "query": ""}
        return Frame({"status": 200, "documents": 1}, posted)

    monkeypatch.setattr(service.pool, "ask", answer)
    status, headers, text = ask(SUGGEST, *body(b"te", b"xt"), method="POST", headers=FORM)
    assert (status, headers["content-type"], text) == (200, "application/json", "text")
    assert 'frex_documents_total{project="FIT"} 1' in service.figures()


def test_methods_are_checked(ask):
    status, headers, _ = ask(SUGGEST)
    assert (status, headers["allow"]) == (405, "POST")
    assert ask("/v1/projects", method="POST")[0] == 405
