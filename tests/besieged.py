"""What `frex serve` endures, each as a function that returns what it saw."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import ExitStack, suppress

import psutil
from hypothesis import HealthCheck, Phase, given, settings
from openapi import requests, send

from frex.serve.openapi import description

PROJECT = "/v1/projects/small"
FORM = {"text": "the golfer putts for the goal"}
FORMS = "Content-Type: application/x-www-form-urlencoded"
HEADERS = f"POST {PROJECT}/suggest HTTP/1.1\r\nHost: localhost\r\n{FORMS}\r\n"


def malformed(server, n):
    """Send requests that are more or less as described; return how often each status came."""
    statuses = Counter()

    @settings(max_examples=n, database=None, phases=[Phase.generate], deadline=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(request=requests(description(), "small"))
    def sending(request):
        statuses[send(server.port, *request)] += 1

    sending()
    return statuses


def crowd(server, n):
    """Hold connections whose headers, bodies or answers never end; return seconds of 50 answers."""
    starts = [b"", b"GET / HTTP/1.1\r\nHost: localhost\r\n",
              f"{HEADERS}Content-Length: 9\r\n\r\nte".encode()]  # fmt: skip
    seconds = []
    with ExitStack() as stack:
        for number in range(n):
            stack.enter_context(server.connect(starts[number % 3]))
        for _ in range(50):
            begun = time.monotonic()
            assert server.ask(f"{PROJECT}/suggest", FORM).status == 200
            seconds.append(time.monotonic() - begun)
    return seconds


def gigabyte(server, n_bytes):
    """Post far too much, with its length and without; return what came back, and the memory."""
    piece, seen = b"a" * (1 << 20), []
    process = psutil.Process(server.process.pid)
    for head in (f"Content-Length: {n_bytes}", "Transfer-Encoding: chunked"):
        chunked = "chunked" in head
        whole = b"100000\r\n" + piece + b"\r\n" if chunked else piece
        with server.connect(f"{HEADERS}{head}\r\n\r\n".encode()) as connection:
            sent = 0
            with suppress(ConnectionError):
                while sent < n_bytes:
                    connection.sendall(whole)
                    sent += len(piece)
            with suppress(ConnectionError):
                seen.append((sent, connection.recv(12).decode()))
    return seen, process.memory_info().rss


CLIENT = """
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
while True:
    connection.request("POST", sys.argv[2], "text=" + "golf+putt+" * 50_000,
                       {"Content-Type": "application/x-www-form-urlencoded"})
    print(connection.getresponse().read()[:1], flush=True)
"""


def kills(server, n):
    """Kill clients in the middle of a request, and workers; return the statuses of another."""
    statuses, stop, rng = Counter(), threading.Event(), random.Random(0)

    def ask():
        while not stop.is_set():
            statuses[server.ask(f"{PROJECT}/suggest", FORM).status] += 1

    asking = threading.Thread(target=ask)
    asking.start()
    for number in range(n):
        command = [sys.executable, "-c", CLIENT, str(server.port), f"{PROJECT}/suggest"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as client:
            client.stdout.readline()
            time.sleep(rng.random() / 20)
            client.kill()
        if number % 10 == 9:
            workers = psutil.Process(server.process.pid).children()
            os.kill(rng.choice(workers).pid, signal.SIGKILL)
    stop.set()
    asking.join()
    return statuses
