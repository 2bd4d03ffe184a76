"""What servers and a fit endure, at sizes that take minutes.

    python tests/endurance.py slow [--connections 1100] [--files 1024]
    python tests/endurance.py clients [--clients 50] [--kills 5] [--seconds 30]
    python tests/endurance.py fit [--kills 20]
    python tests/endurance.py served [--requests 10000] [--connections 1100] [--kills 20]

The tests do the same with small sizes. All traffic stays on 127.0.0.1.
"""

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import besieged
from bits import assert_same_bits, small_corpus
from evaluators import lost, make_summaries, serving, storm
from fits import make_map_fit
from servers import Server

from frex.model import branching_tree
from frex.posterior import read_posterior
from frex.sampler.checkpoint import saved_scans
from frex.study import make_study

FIT = "import sys; from frex.cli import main; main(sys.argv[1:])"


def slow(folder, asked):
    """Hold connections whose headers never end, and see who else is served."""
    study = make_study(folder / "study", make_summaries(), evaluators=2)
    limit = f"import resource as r; r.setrlimit(r.RLIMIT_NOFILE, ({asked.files}, {asked.files}))"
    log = folder / "log"
    times, statuses = [], []
    with serving(study, before=limit, log=log) as server, ExitStack() as stack:
        for _ in range(asked.connections):
            stack.enter_context(server.connect(b"GET / HTTP/1.1\r\nHost: x\r\n"))
        for _ in range(50):
            begun = time.monotonic()
            try:
                statuses.append(server.get(f"/e/{study.tokens[0]}"))
            except OSError as error:
                statuses.append(type(error).__name__)
                break
            times.append(time.monotonic() - begun)
        code, said = server.stop(signal.SIGTERM)
    print(f"{asked.connections:,} half-sent headers, {asked.files:,} files allowed")
    print(f"  pages: {len(times)} of 50 ({set(statuses)}), slowest {max(times, default=0):.2f} s")
    print(
        f"  log: {log.stat().st_size:,} bytes; SIGTERM: exit code {code}, {said.splitlines()[-1:]}"
    )


def clients(folder, asked):
    """Kill the server under clients, and look for what it had acknowledged."""
    study = make_study(folder / "study", make_summaries(), evaluators=asked.clients, seed=1)
    evaluators = storm(study, asked.seconds, kills=asked.kills)
    acknowledged = sum(evaluator.acknowledged for evaluator in evaluators)
    unanswered = sum(evaluator.unanswered for evaluator in evaluators)
    print(f"{asked.kills} kill -9 under {asked.clients} clients, {asked.seconds:g} s")
    print(f"  acknowledged {acknowledged:,}, cut off {unanswered:,}, "
          f"slowest {max(e.slowest for e in evaluators):.2f} s")  # fmt: skip
    print(f"  acknowledged and lost: {len(lost(study, evaluators))}")


def fit(folder, asked):
    """Kill a fit again and again; its bits are those of one that was left alone."""
    corpus = small_corpus(branching_tree([3, 3]), n_documents=200, n_words=100)
    corpus.write(folder / "corpus")
    rng = random.Random(0)
    out, checkpoint = folder / "killed", folder / "killed.checkpoint"

    def command(out, *more):
        options = ["--warmup=100", "--draws=1500", "--threads=1"]
        names = ["fit", folder / "corpus", "--out", out, *options, *more]
        return [sys.executable, "-c", FIT, *map(str, names)]

    killed_at = []
    for kill in range(asked.kills):
        before = saved_scans(checkpoint)
        more = ["--checkpoint-seconds=0", *(["--resume"] if before else [])]
        with subprocess.Popen(command(out, *more), stdout=subprocess.DEVNULL) as process:
            while saved_scans(checkpoint)[:1] == before[:1] and process.poll() is None:
                time.sleep(0.01)
            time.sleep(rng.random() / 2)
            process.kill()
        assert process.returncode == -signal.SIGKILL, f"the fit ended before kill {kill + 1}"
        killed_at.append(int(saved_scans(checkpoint)[0].name.removeprefix("scan-")))
    subprocess.run(command(out, "--resume"), check=True, stdout=subprocess.DEVNULL)
    subprocess.run(command(folder / "alone"), check=True, stdout=subprocess.DEVNULL)
    assert_same_bits(read_posterior(out), read_posterior(folder / "alone"))
    print(f"{asked.kills} kills of a fit, the last saved scans {killed_at}: the same bits")
    print(f"  left in the checkpoint: {sorted(path.name for path in checkpoint.iterdir())}")


def served(folder, asked):
    """Send `frex serve` what is malformed, slow, broken off or too large."""
    make_map_fit().write(folder / "small")
    limit = f"import resource as r; r.setrlimit(r.RLIMIT_NOFILE, ({asked.files}, {asked.files}))"
    log = folder / "log"
    with Server("serve", folder / "small", "--workers", 2, before=limit, log=log) as server:
        seconds = besieged.crowd(server, asked.connections)
        print(f"{asked.connections:,} slow connections, {asked.files:,} files allowed")
        print(f"  50 of 50 answers, the slowest after {max(seconds):.2f} s")
        seen, rss = besieged.gigabyte(server, 10**9)
        print(f"bodies of a gigabyte: {seen}; the server has {rss / 2**20:.0f} MiB")
        statuses = besieged.kills(server, asked.kills)
        print(
            f"{asked.kills} clients killed, a worker with each tenth; another client saw {statuses}"
        )
        begun = time.monotonic()
        statuses = besieged.malformed(server, asked.requests)
        print(
            f"{statuses.total():,} malformed requests, {time.monotonic() - begun:.0f} s: {statuses}"
        )
        print(f"  then: {server.ask('/v1/projects/small/suggest', besieged.FORM).text[:90]}")
        code, said = server.stop(signal.SIGTERM)
    print(f"SIGTERM: exit code {code}, {said.splitlines()[-1:]}; the log:")
    print(log.read_text())


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("slow", "clients", "fit", "served"))
    parser.add_argument("--connections", type=int, default=1100)
    parser.add_argument("--files", type=int, default=1024)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--kills", type=int)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=30)
    asked = parser.parse_args()
    asked.kills = asked.kills or {"clients": 5}.get(asked.what, 20)
    with tempfile.TemporaryDirectory() as folder:
        {"slow": slow, "clients": clients, "fit": fit, "served": served}[asked.what](
            Path(folder), asked
        )


if __name__ == "__main__":
    main()
