"""The server as a whole: what it endures, how it ends, and fits that are replaced under it."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import replace

import psutil
import pytest
from fits import make_siblings_fit
from servers import Server

from frex.serve.limits import MOST_BYTES, MOST_CHARACTERS
from frex.tree import TopicTree

FORM = {"text": "the golfer putts"}
SUGGEST = "/v1/projects/small/suggest"
BATCH = f"{SUGGEST}-batch"
HEADERS = {"Content-Type": "application/json"}
FEW_FILES = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (120, 120))"  # 30 connections
FORMS = {"Content-Type": "application/x-www-form-urlencoded"}
POST = f"POST {SUGGEST} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {FORMS['Content-Type']}\r\n"


def workers(server):
    return psutil.Process(server.process.pid).children()


def figure(server, name):
    lines = server.ask("/metrics").text.splitlines()
    return next((float(line.split()[-1]) for line in lines if line.startswith(name)), 0)


def until(condition):
    """Wait, not for long, until something is so."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def renamed(title):
    """Return the small fit with another title for its first topic."""
    fit = make_siblings_fit()
    plain = fit.tree.to_dict()
    plain["titles"][0] = title
    return replace(fit, tree=TopicTree.from_dict(plain))


def labels(server):
    found = json.loads(server.ask(SUGGEST, FORM).text)["results"]
    return {one["uri"]: one["label"] for one in found}


@pytest.fixture
def place(tmp_path):
    make_siblings_fit().write(tmp_path / "small")
    return tmp_path / "small"


def test_a_fit_that_is_replaced_is_taken_without_losing_a_request(place, tmp_path):
    log, hurry = tmp_path / "log", "from frex.serve import service as s; s.LOOK_S = 0.1"
    with Server("serve", place, "--workers", 1, before=hurry, log=log) as server:
        assert labels(server)["art"] == "art"
        statuses, stop = [], threading.Event()

        def ask():
            while not stop.is_set():
                statuses.append(server.ask(SUGGEST, FORM).status)

        asking = [threading.Thread(target=ask) for _ in range(3)]
        for thread in asking:
            thread.start()
        renamed("Arts").write(place, overwrite=True)
        until(lambda: labels(server)["art"] == "Arts")
        (place / "moments_log_rates_mean.npy").write_bytes(b"damaged")
        until(lambda: figure(server, 'frex_replaced_total{project="small",result="refused"}') == 1)
        shutil.rmtree(place)  # what was taken stays
        assert labels(server)["art"] == "Arts"
        until(lambda: figure(server, "frex_ready") == 1)
        until(lambda: len(workers(server)) == 1)  # who read the fit has gone
        (worker,) = workers(server)  # one that dies is replaced by one with the fit that is served
        worker.kill()
        until(lambda: figure(server, "frex_worker_deaths_total") == 1)
        assert labels(server)["art"] == "Arts"
        stop.set()
        for thread in asking:
            thread.join()
        assert set(statuses) == {200}
        assert len(statuses) > 50
        code, said = server.stop(signal.SIGTERM)
    assert (code, said.splitlines()[-1]) == (0, "Ended.")
    refused, died = log.read_text().splitlines()
    assert "was replaced, and is not taken" in refused
    assert "moments_log_rates_mean.npy" in refused
    assert died == "a worker died, and is replaced"


def test_health_is_not_readiness_and_sigterm_finishes_what_was_begun(place, tmp_path):
    (tmp_path / "token").write_text("0123456789abcdef\n")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = "from frex.cli import main; import sys; main(sys.argv[1:])"
    options = ["serve", place, "--workers", 1, "--port", port, "--token-file", tmp_path / "token"]
    server = Server()
    server.port = port
    token = {"Authorization": "Bearer 0123456789abcdef"}
    long = json.dumps({"documents": [{"text": "golfer putts " * 70_000}] * 8})
    with subprocess.Popen(
        [sys.executable, "-c", command, *map(str, options)], stdout=subprocess.PIPE, text=True
    ) as server.process:
        until(lambda: answers(server, "/health"))
        seen = [server.ask(path) for path in ("/health", "/ready")]
        assert [answer.status for answer in seen] == [200, 503]
        assert seen[1].headers["retry-after"] == "1"
        early = server.ask(SUGGEST, FORM, token)
        assert (early.status, early.headers["retry-after"]) == (503, "1")
        until(lambda: server.get("/ready") == 200)
        assert server.ask(SUGGEST, FORM, token).status == 200
        refused = server.ask(SUGGEST, FORM)
        assert refused.status == 401
        assert refused.headers["www-authenticate"].startswith("Basic ")
        answer = []
        asking = threading.Thread(
            target=lambda: answer.append(server.ask(BATCH, long, HEADERS | token))
        )
        asking.start()
        until(lambda: not idle(server, token) or answer)
        code, said = server.stop(signal.SIGTERM)
        asking.join()
    assert answer[0].status == 200
    assert (code, said.splitlines()[-1]) == (0, "Ended.")


def answers(server, path):
    try:
        return server.get(path)
    except ConnectionError:
        return None


def idle(server, token):
    lines = server.ask("/metrics", headers=token).text.splitlines()
    return "frex_workers_idle 1" in lines


def test_it_goes_on_serving(place, tmp_path):
    """Slow and broken connections, clients that go, bodies that are too large, dead workers."""
    log = tmp_path / "log"
    half = f"{POST}Content-Length: 9\r\n\r\nt".encode()
    starts = [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n", half]
    with Server("serve", place, "--workers", 2, before=FEW_FILES, log=log) as server:
        with ExitStack() as stack:
            for number in range(150):
                stack.enter_context(server.connect(starts[number % 3]))
            assert [server.ask(SUGGEST, FORM).status for _ in range(10)] == [200] * 10
        body = b"text=" + b"a" * MOST_CHARACTERS
        for _ in range(20):  # clients that go away in the middle
            connection = server.connect(f"{POST}Content-Length: {len(body)}\r\n\r\n".encode())
            connection.sendall(body)
            linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            connection.close()
        assert server.ask(SUGGEST, FORM).status == 200
        too_large = b"text=" + b"a" * (MOST_BYTES + 1)
        assert server.ask(SUGGEST, too_large, FORMS).status == 413
        with server.connect(f"{POST}Transfer-Encoding: chunked\r\n\r\n".encode()) as connection:
            with suppress(ConnectionError):
                for _ in range(MOST_BYTES // (1 << 20) + 1):
                    connection.sendall(b"100000\r\n" + b"a" * (1 << 20) + b"\r\n")
            assert connection.recv(12) == b"HTTP/1.1 413"
        for worker in workers(server):
            os.kill(worker.pid, signal.SIGKILL)
        assert server.ask(SUGGEST, FORM).status == 200
        until(lambda: figure(server, "frex_workers_idle") == 2)
        assert figure(server, "frex_body_bytes") == 0
        assert figure(server, 'frex_requests_total{operation="suggest",status="500"}') == 0
        mine = workers(server)
        server.kill()
    for worker in mine:  # they do not outlive it
        until(lambda worker=worker: not worker.is_running() or worker.status() == "zombie")
    assert set(log.read_text().splitlines()) <= {
        "a worker died, and is replaced", "a worker died, and is replaced (2 times)",
    }  # fmt: skip


def test_a_fit_that_cannot_be_served_ends_it(frex_program, tmp_path):
    result = frex_program("serve", tmp_path, "--port", 0)
    assert result.returncode == 2
    assert result.stderr.startswith(f"error: {tmp_path}")
    assert "Traceback" not in result.stderr
