"""Evaluators made of threads, for the tests of the human study; and what they are asked."""

import asyncio
import http.client
import random
import threading
import time
from contextlib import closing, suppress
from typing import NamedTuple
from urllib.parse import urlencode

import servers

from frex.study import Summary

HOSTILE = (
    "<script>alert(1)</script>",
    '"quo\'tes"',
    "שלום",
    "🦊 fox",
    "&lt;b&gt;",
    "${task}",
    "{words}",
    "</label><input name=q1 value=1>",
)
STRATEGIES = ("PCM FREX", "LDA FREX", "LDA FREQ")


def make_summaries(strategies=STRATEGIES, n_topics=6, n_words=20, groups=("",)):
    """Return summaries whose words name strategy, topic and rank; those of topic 1 are hostile."""
    return [
        Summary(
            strategy,
            str(topic),
            tuple(
                HOSTILE[rank]
                if topic == 1 and rank < len(HOSTILE)
                else f"{strategy}-{topic}-{rank}"
                for rank in range(n_words)
            ),
            group,
        )
        for group in groups
        for strategy in strategies
        for topic in range(1, n_topics + 1)
    ]


def choose(task, rng):
    """Return an answer to each question of a task."""
    return [rng.choice(allowed) for allowed in task.choices]


def encode(choices):
    """Return choices as a form sends them."""
    return urlencode({f"q{number}": choice for number, choice in enumerate(choices, start=1)})


class Server(servers.Server):
    """`frex study serve` in a process of its own."""

    def __init__(self, study, **options):
        super().__init__("study", "serve", study.path, **options)


def serving(study, **options):
    return Server(study, **options)


class Evaluator(threading.Thread):
    """Sends its tasks again and again, and remembers what may be in the answers.

    `allowed` has for each task the last acknowledged choices, and any sent since then that were
    not: those may have been committed before the server died, or not.
    """

    def __init__(self, study, number, port, until):
        super().__init__(daemon=True)
        self.tasks, self.token = study.tasks_of(number), study.tokens[number - 1]
        self.port, self.until, self.rng = port, until, random.Random(number)
        self.allowed, self.acknowledged, self.unanswered, self.slowest = {}, 0, 0, 0.0

    def run(self):
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)) as connection:
            self._answer(connection)

    def _answer(self, connection):
        while not self.until.is_set():
            place = self.rng.randrange(len(self.tasks))
            task = self.tasks[place]
            choices = choose(task, self.rng)
            begun = time.monotonic()
            try:
                connection.request("POST", f"/e/{self.token}/{place + 1}", encode(choices))
                response = connection.getresponse()
                response.read()
            except (OSError, http.client.HTTPException):
                self.unanswered += 1
                self.allowed.setdefault(task.number, [None]).append(choices)
                connection.close()
                time.sleep(0.05)
                continue
            assert response.status == 303, response.status
            self.slowest = max(self.slowest, time.monotonic() - begun)
            self.allowed[task.number] = [choices]
            self.acknowledged += 1


def storm(study, seconds, *, kills=1):
    """Let all evaluators answer at once while the server is killed; return them afterwards."""
    until, server = threading.Event(), Server(study)
    server.start()
    evaluators = [
        Evaluator(study, number + 1, server.port, until) for number in range(len(study.tokens))
    ]
    try:
        for evaluator in evaluators:
            evaluator.start()
        for _ in range(kills):
            time.sleep(seconds / (kills + 1))
            server.kill()
            server.start()
        time.sleep(seconds / (kills + 1))
        until.set()
        for evaluator in evaluators:
            evaluator.join()
    finally:
        with suppress(ProcessLookupError):
            server.kill()
    return evaluators


def lost(study, evaluators):
    """Return the tasks whose acknowledged answers are not in the study, with their evaluators."""
    with study.answers(read_only=True) as answers:
        found = {number: answers.of(str(number)) for number in range(1, len(evaluators) + 1)}
    return [
        (number, task)
        for number, evaluator in enumerate(evaluators, start=1)
        for task, allowed in evaluator.allowed.items()
        if found[number].get(task) not in allowed
    ]


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    text: str


def ask(app, path, body=None):
    """Return what the application replies to a request, without a server; a body is posted."""
    sent = []
    scope = {
        "type": "http", "http_version": "1.1", "method": "GET" if body is None else "POST",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "",
        "scheme": "http", "server": ("127.0.0.1", 80), "headers": [],
    }  # fmt: skip

    async def receive():
        return {"type": "http.request", "body": (body or "").encode(), "more_body": False}

    async def send(message):
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    start, *parts = sent
    headers = {name.decode(): value.decode() for name, value in start["headers"]}
    return Reply(start["status"], headers, b"".join(p["body"] for p in parts).decode())
