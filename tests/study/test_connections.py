"""A server that is there for its evaluators while others are slow, many, or talk nonsense."""

import random
import re
import signal
import socket
import sqlite3
from contextlib import ExitStack, closing, suppress

import pytest
from evaluators import encode, serving

pytest.importorskip("uvicorn")

FEW_FILES = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (96, 96))"  # so 24 connections
HURRIED = "from frex.web import connections as c; c.PATIENCE_S = 0.4"
HALF_HEADER = b"GET / HTTP/1.1\r\nHost: x\r\n"
HALF_BODY = b"POST %b/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nq1=1&"


def ended(connection):
    """Wait until the server has ended a connection, taking what it still sends."""
    try:
        while connection.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    return True


@pytest.fixture
def home(study):
    return f"/e/{study.tokens[0]}"


@pytest.mark.parametrize("start", [b"", HALF_HEADER, HALF_BODY])
def test_slow_connections_do_not_keep_evaluators_out(study, home, tmp_path, start):
    log = tmp_path / "log"
    start = start.replace(b"%b", home.encode())
    with serving(study, before=FEW_FILES, log=log) as server, ExitStack() as stack:
        held = [stack.enter_context(server.connect(start)) for _ in range(150)]
        for _ in range(20):
            assert server.get(home) == 200
        for early in held[:100]:  # those that were waited for longest gave way
            assert ended(early)
        assert server.stop()[0] == 0
    assert log.read_text() == ""


def test_each_step_has_a_deadline(study, home, tmp_path):
    request = f"GET /page.css HTTP/1.1\r\nHost: x\r\nX-Long: {'x' * 2000}\r\n\r\n".encode()
    body = HALF_BODY.replace(b"%b", home.encode())
    with serving(study, before=HURRIED, log=tmp_path / "log") as server:
        for start in (b"", HALF_HEADER, body, request, request + HALF_HEADER):
            with server.connect() as connection, suppress(ConnectionError):
                connection.sendall(start)
                assert ended(connection)
        with socket.socket() as connection, pytest.raises(ConnectionError):
            connection.settimeout(60)
            # before it connects: a window that shrinks later loses packets, the last one too
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", server.port))
            while True:  # asks and asks, and takes no answer
                connection.sendall(request)
        assert server.stop()[0] == 0
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_aborted_posts_and_nonsense_are_no_tracebacks(study, home, tmp_path):
    log, rng = tmp_path / "log", random.Random(0)
    valid = f"GET {home} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    post = HALF_BODY.replace(b"%b", home.encode())
    nonsense = [
        b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n" * 50,
        b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        post.replace(b"Content-Length: 99", b"Transfer-Encoding: chunked") + b"\r\nzz\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 70_000, post, post + b"\x00" * 300,
        b"GET / HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
    ]  # fmt: skip
    with serving(study, log=log) as server:
        for number in range(300):
            with server.connect() as connection:
                if number % 3 == 0:
                    connection.sendall(valid)
                    if number % 2:
                        connection.recv(100)
                connection.sendall(rng.choice(nonsense))
                if number % 5 == 0:  # ends it with a reset, and not in order
                    linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        assert server.get(home) == 200
        assert server.stop()[0] == 0
    said = log.read_text()
    assert "Traceback" not in said
    assert len(said.splitlines()) < 40
    with study.answers() as answers:
        assert answers.all() == []


def test_sigterm_ends_it_cleanly_whoever_is_still_there(study, home):
    with serving(study) as server, ExitStack() as stack:
        for start in (b"", HALF_HEADER, HALF_BODY.replace(b"%b", home.encode())):
            stack.enter_context(server.connect(start))
        assert server.get(home) == 200
        code, said = server.stop(signal.SIGTERM)
    assert code == 0
    assert "Ended. 0 tasks are answered." in said


def test_posts_that_wait_for_another_writer_let_readers_pass(study, home, tmp_path):
    """There are more posts than the server has threads."""
    patient = "from frex.study import answers as a; a.PATIENCE_S = 120"
    body = encode([1] * 6)
    post = f"POST {home}/1 HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n{body}"
    path = study.path / "answers.sqlite"
    with (
        serving(study, before=patient) as server,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
        ExitStack() as stack,
    ):
        other.execute("BEGIN IMMEDIATE")
        posts = [stack.enter_context(server.connect(post.encode())) for _ in range(60)]
        for _ in range(5):
            assert server.get(home) == 200
        other.execute("COMMIT")
        for connection in posts:
            assert re.match(b"HTTP/1.1 303 ", connection.recv(100))
