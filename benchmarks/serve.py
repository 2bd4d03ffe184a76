"""`frex serve` under load, and beside it Annif's own server with an Omikuji project.

Both have learned from the same documents of the bundled corpus, which has counts: a text is its
words, each as often as it comes. A short document is one of the others, a long one a hundred of
them. The servers take turns, with one, two and eight clients that each ask as fast as they are
answered; all of them share the machine. Annif is in a virtual environment of its own, with omikuji,
which `--annif` or the variable FREX_ANNIF names; without one frex is alone. Annif's tokenizer reads
a folder of NLTK's, which is given empty: no abbreviations are known, which costs it nothing.

    python benchmarks/serve.py [--annif VENV] [--seconds 5] [--rounds 3] [--workers 2]
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlencode

import psutil
from predict import as_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from frex import Corpus

LONG = 100  # documents in a long one
CLIENTS = (1, 2, 8)
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Command(NamedTuple):
    """What starts a server."""

    arguments: list[str]
    port: int
    project: str
    env: dict[str, str]


class Served(NamedTuple):
    """A server that answers."""

    name: str
    port: int
    project: str
    process: psutil.Process

    def memory(self) -> float:
        """Return MiB that the server and its processes have, what they share counted once."""
        mine = [self.process, *self.process.children(recursive=True)]
        return float(sum(one.memory_full_info().pss for one in mine)) / 2**20


class Client(threading.Thread):
    """Asks for topics of one document after the other, on one connection."""

    def __init__(self, served: Served, bodies: Sequence[str], end: float) -> None:
        super().__init__()
        self._served, self._bodies, self._end = served, bodies, end
        self.seconds: list[float] = []
        self.failed = 0

    def run(self) -> None:
        """Ask until the time is over."""
        connection = http.client.HTTPConnection("127.0.0.1", self._served.port, timeout=120)
        path = f"/v1/projects/{self._served.project}/suggest"
        begun = time.perf_counter()
        while begun < self._end:
            body = self._bodies[len(self.seconds) % len(self._bodies)]
            connection.request("POST", path, body, FORM)
            reply = connection.getresponse()
            reply.read()
            self.failed += reply.status != 200
            now = time.perf_counter()
            self.seconds.append(now - begun)
            begun = now
        connection.close()


def load(served: Served, bodies: list[str], clients: int, seconds: float) -> list[float]:
    """Return the seconds of all requests; the number of them is that of `seconds`."""
    end = time.perf_counter() + seconds
    asking = [Client(served, bodies[n:] + bodies[:n], end) for n in range(clients)]
    for client in asking:
        client.start()
    for client in asking:
        client.join()
    if any(client.failed for client in asking):
        raise SystemExit(f"{served.name} refused requests")
    return [one for client in asking for one in client.seconds]


def quantile(seconds: Sequence[float], share: float) -> float:
    """Return a quantile in milliseconds."""
    return 1000 * sorted(seconds)[min(int(share * len(seconds)), len(seconds) - 1)]


def free_port() -> int:
    """Return a port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def started(name: str, command: Command, log: Path) -> Iterator[Served]:
    """Start a server, and wait until it answers."""
    with log.open("w") as file:
        process = subprocess.Popen(
            command.arguments, env={**os.environ, **command.env}, stdout=file, stderr=file
        )
    served = Served(name, command.port, command.project, psutil.Process(process.pid))
    begun = time.monotonic()
    try:
        while not answers(served):
            if process.poll() is not None or time.monotonic() > begun + 300:
                raise SystemExit(f"{name} did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.2)
        print(f"{name}: ready after {time.monotonic() - begun:.1f} s", flush=True)
        yield served
    finally:
        process.terminate()
        process.wait(60)


def answers(served: Served) -> bool:
    """Return whether a server answers."""
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    try:
        path = f"/v1/projects/{served.project}/suggest"
        connection.request("POST", path, "text=game", FORM)
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def frex_server(folder: Path, fitted: Corpus, workers: int) -> Command:
    """Fit, calibrate, and return the command that serves the fit."""
    from frex.predict import calibrate_by_folds  # noqa: PLC0415 - after the threads are set
    from frex.predict.calibration import FOLDER  # noqa: PLC0415
    from frex.sampler.fit import fit  # noqa: PLC0415
    from frex.sampler.settings import Settings  # noqa: PLC0415

    fit(fitted, Settings(method="map")).write(folder / "frex")
    calibrate_by_folds(fitted).write(folder / "frex" / FOLDER)
    port = free_port()
    program = "import sys; from frex.cli import main; main(sys.argv[1:])"
    options = ["serve", str(folder / "frex"), "--port", str(port), "--workers", str(workers)]
    return Command([sys.executable, "-c", program, *options], port, "frex", {})


def annif_server(
    folder: Path, fitted: Corpus, texts: Sequence[str], venv: Path, workers: int
) -> Command:
    """Train, and return the command that serves the project."""
    assert fitted.tree is not None
    uris = {name: f"http://example.org/{n}" for n, name in enumerate(fitted.tree.topics)}
    lines = (f"<{uri}>\t{name}\n" for name, uri in uris.items())
    (folder / "topics.tsv").write_text("".join(lines))
    with gzip.open(folder / "training.tsv.gz", "wt") as file:
        for row, text in enumerate(texts):
            file.write(f"{text}\t{' '.join(f'<{uris[name]}>' for name in fitted.labels_of(row))}\n")
    (folder / "projects.cfg").write_text(
        "[omikuji]\nname=omikuji\nlanguage=en\nbackend=omikuji\nvocab=topics\n"
        "analyzer=snowball(english)\n"
    )
    punkt = folder / "nltk" / "tokenizers" / "punkt_tab" / "english"
    punkt.mkdir(parents=True)
    for name in ("collocations.tab", "sent_starters.txt", "abbrev_types.txt", "ortho_context.tab"):
        (punkt / name).touch()
    env = {
        "ANNIF_PROJECTS": str(folder / "projects.cfg"),
        "ANNIF_DATADIR": str(folder / "data"),
        "NLTK_DATA": str(folder / "nltk"),
    }
    for arguments in (
        ["load-vocab", "--language", "en", "topics", "topics.tsv"],
        ["train", "omikuji", "training.tsv.gz"],
    ):
        command = [str(venv / "bin" / "annif"), *arguments]
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, **env}, capture_output=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"annif {arguments[0]}:\n{done.stderr.decode()[-2000:]}")
    port = free_port()
    options = ["--factory", "annif:create_app", "--port", str(port), "--workers", str(workers)]
    command = [str(venv / "bin" / "uvicorn"), *options, "--no-access-log"]
    return Command(command, port, "omikuji", env)


def measure(args: argparse.Namespace) -> None:
    """Let the servers take turns."""
    import numpy as np  # noqa: PLC0415 - after the threads are set

    from frex.datasets.debtags import load_debtags  # noqa: PLC0415

    corpus = load_debtags()
    order = np.random.default_rng(0).permutation(len(corpus))
    fitted, new = corpus.take(order[: args.training]), corpus.take(order[args.training :])
    texts = [" ".join(words) for words in as_words(new)]
    bodies = {
        "short": [urlencode({"text": text, "limit": 10}) for text in texts],
        "long": [
            urlencode({"text": " ".join(texts[n : n + LONG]), "limit": 10})
            for n in range(0, len(texts) - LONG, LONG)
        ],
    }
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        begin = stack.enter_context
        command = frex_server(folder, fitted, args.workers)
        servers = [begin(started("frex serve", command, folder / "frex.log"))]
        if args.annif:
            training = [" ".join(words) for words in as_words(fitted)]
            command = annif_server(folder, fitted, training, args.annif, args.workers)
            servers.append(begin(started("Annif, Omikuji", command, folder / "annif.log")))
        compare(servers, bodies, args)


def compare(
    servers: Sequence[Served], bodies: dict[str, list[str]], args: argparse.Namespace
) -> None:
    """Print a row for each kind of document, number of clients and server."""
    print("| documents | clients | server | requests/s | p50, ms | p99, ms |")
    print("|---|---:|---|---:|---:|---:|")
    for kind, asked in bodies.items():
        for clients in CLIENTS:
            found: dict[str, list[list[float]]] = {served.name: [] for served in servers}
            for _ in range(args.rounds):
                for served in servers:
                    found[served.name].append(load(served, asked, clients, args.seconds))
            for name, rounds in found.items():
                rates = [len(one) / args.seconds for one in rounds]
                all_of_them = [seconds for one in rounds for seconds in one]
                print(
                    f"| {kind} | {clients} | {name} | {statistics.median(rates):,.0f} "
                    f"({min(rates):,.0f}-{max(rates):,.0f}) | {quantile(all_of_them, 0.5):.1f} | "
                    f"{quantile(all_of_them, 0.99):.1f} |",
                    flush=True,
                )
    for served in servers:
        print(f"{served.name}: {served.memory():,.0f} MiB with {args.workers} workers")
    sizes = {kind: statistics.mean(map(len, asked)) for kind, asked in bodies.items()}
    print(", ".join(f"{kind}: {size:,.0f} bytes" for kind, size in sizes.items()))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    default = os.environ.get("FREX_ANNIF")
    parser.add_argument("--annif", type=Path, default=Path(default) if default else None)
    parser.add_argument("--training", type=int, default=8000, help="documents to learn from")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    measure(parser.parse_args())


if __name__ == "__main__":
    main()
