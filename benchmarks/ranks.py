"""Time a scan on several ranks and on one process, and measure the memory of a rank's counts.

80,000 documents, about 10 million tokens, 10,421 words, 103 nodes, as in `benchmarks/scan.py`. The
contestants, ranks x threads, are launched in turn; prints each one's median scan, what of it a rank
spends in kernels (the least and the most that any does: they should be close), in exchange (waiting
for the slowest rank included) and in what every rank does alike, and the memory of its counts.

    python benchmarks/ranks.py [--docs 80000] [--contestants 1x1,1x2,2x1] [--rounds 3] [--scans 6]

On a machine of 16 cores: --contestants 1x1,2x1,4x1,8x1,16x1,1x16 --copies 16
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from corpora import model_corpus, rcv1_sized
from numba.core.dispatcher import Dispatcher

from frex.corpus import read_corpus
from frex.model import WeakPriors
from frex.model.reductions import reduce
from frex.sampler.data import Share
from frex.sampler.engines.cpu.engine import CpuEngine
from frex.sampler.ranks.among import RankExchange
from frex.sampler.ranks.corpus import divide
from frex.sampler.ranks.exchange import started_ranks
from frex.sampler.ranks.tables import Table
from frex.sampler.scan import Sampler
from frex.sampler.start import first_state
from frex.sampler.state import Clock
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from collections.abc import Callable


MOST_SIMULATED = 100_000
"""Beyond it documents are drawn by kernels; the sizes are the same."""

ALIKE = ("frex.sampler.kernels.random", "frex.sampler.kernels.labels")
"""Kernels that work on neither words nor documents."""


def counts_bytes(engine: CpuEngine) -> int:
    """Return the memory of a rank's counts, and of the rates that its documents meet."""
    words, documents = engine.data
    space = engine.workspace
    arrays = [words.firsts, words.sizes, words.nodes, words.counts]
    arrays += [
        documents.words,
        documents.eights,
        max(space.token_memberships, space.gathered_rates, key=np.size),
    ]
    return int(sum(array.nbytes for array in arrays))


class Watch:
    """Adds up the seconds of functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, timed."""

        def timed(*given: Any) -> Any:
            begun = time.perf_counter()
            try:
                return function(*given)
            finally:
                self.seconds += time.perf_counter() - begun

        return timed


def watched() -> dict[str, Watch]:
    """Time kernels that divide words or documents, and exchange; all are compiled by now."""
    watches = {"kernels": Watch(), "exchange": Watch()}
    for name, module in list(sys.modules.items()):
        for key, found in list(vars(module).items()) if name.startswith("frex.sampler") else []:
            if isinstance(found, Dispatcher) and found.py_func.__module__ not in ALIKE:
                setattr(module, key, watches["kernels"].around(found))
    Table.fill = watches["exchange"].around(Table.fill)  # type: ignore[method-assign]
    return watches


def work(folder: Path, threads: int, n_scans: int, result: Path) -> None:
    """Scan as one rank; the first writes what it measured."""
    corpus = read_corpus(folder, verify=False)
    with started_ranks() as ranks, use_threads(threads):
        if ranks is None:
            engine = CpuEngine(reduce(corpus))
        else:
            part = divide(corpus, ranks)
            among = RankExchange(ranks, part.partitions)
            engine = CpuEngine(part.reduced, Share(part.data, among))
        sampler = Sampler(engine, WeakPriors())
        state = first_state(sampler)
        for scan in range(2):
            sampler.scan(state, Clock(0, 0, scan), refresh=scan == 0)
        scans, watches = [], watched()
        for scan in range(2, 2 + 2 * n_scans, 2):
            begun = time.perf_counter()
            for number in (scan, scan + 1):
                sampler.scan(state, Clock(0, 0, number))
            scans.append((time.perf_counter() - begun) / 2)
        own = {name: watch.seconds / (2 * n_scans) for name, watch in watches.items()}
        own["alike"] = statistics.mean(scans) - sum(own.values())
        own["bytes"] = counts_bytes(engine)
        every = [own] if ranks is None else (ranks.gather(own) or [])
        if ranks is None or ranks.first:
            result.write_text(json.dumps({"scans": scans, "ranks": every}))


def start(
    ranks: int, threads: int, folder: Path, n_scans: int, result: Path
) -> subprocess.Popen[bytes]:
    """Start a contestant, who leaves its figures in a file: what mpirun prints is mpirun's."""
    command = [sys.executable, __file__, "--worker", str(folder), "--result", str(result)]
    command += ["--threads", str(threads), "--scans", str(n_scans)]
    if ranks > 1:
        mpirun = shutil.which("mpirun", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
        assert mpirun is not None, "there is no mpirun"
        binding = ["--bind-to", "none", "--oversubscribe"]
        command = [mpirun, "-n", str(ranks), *binding, *command]
    environment = os.environ | {
        "NUMBA_NUM_THREADS": str(threads),
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_mpi_yield_when_idle": "1",  # a rank that waits leaves its core to others
    }
    return subprocess.Popen(command, env=environment)


def launch(
    ranks: int, threads: int, folder: Path, n_scans: int, copies: int = 1
) -> list[dict[str, Any]]:
    """Run one contestant, or several copies of it at once."""
    results = [folder.with_name(f"result-{copy}.json") for copy in range(copies)]
    running = [start(ranks, threads, folder, n_scans, result) for result in results]
    for process in running:
        if process.wait():
            raise SystemExit(process.returncode)
    return [json.loads(result.read_text()) for result in results]


def most(copies: int, folder: Path, n_scans: int) -> None:
    """Print how much of so many cores the machine has for processes that exchange nothing."""
    alone, together = (
        statistics.median(s for one in launch(1, 1, folder, n_scans, n) for s in one["scans"])
        for n in (1, copies)
    )
    print(
        f"\n{copies} processes that each scan all of it, and exchange nothing, take "
        f"{1000 * together:,.1f} ms where one takes {1000 * alone:,.1f}: this machine has "
        f"{copies * alone / together:.1f} cores for them."
    )


def main() -> None:
    """Let the contestants take turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=80_000)
    parser.add_argument("--contestants", default="1x1,1x2,2x1", help="ranks x threads")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scans", type=int, default=6, help="pairs of scans of a round")
    parser.add_argument("--threads", type=int, default=1, help=argparse.SUPPRESS)
    parser.add_argument("--copies", type=int, default=0, help="also run so many that share nothing")
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker is not None:
        work(args.worker, args.threads, args.scans, args.result)
        return

    contestants = [tuple(map(int, pair.split("x"))) for pair in args.contestants.split(",")]
    found: dict[tuple[int, ...], list[dict[str, Any]]] = {pair: [] for pair in contestants}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "corpus"
        corpus = (model_corpus if args.docs <= MOST_SIMULATED else rcv1_sized)(args.docs)
        corpus.write(folder)
        print(f"{corpus}, {int((np.diff(corpus.labels.indptr) > 1).sum()):,} with several labels")
        for _ in range(args.rounds):
            for ranks, threads in contestants:
                found[ranks, threads] += launch(ranks, threads, folder, args.scans)
        if args.copies:
            most(args.copies, folder, args.scans)
    print(
        "\n| ranks x threads | scan, ms | range | against the first | kernels | exchange | alike |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|")
    first = None
    for pair, rounds in found.items():
        scans = [1000 * scan for one in rounds for scan in one["scans"]]
        middle = statistics.median(scans)
        first = first or middle
        every = [rank for one in rounds for rank in one["ranks"]]
        mean = {name: 1000 * statistics.mean(rank[name] for rank in every) for name in every[0]}
        kernels = [1000 * rank["kernels"] for rank in every]
        print(
            f"| {pair[0]} x {pair[1]} | {middle:,.1f} | {min(scans):,.1f}-{max(scans):,.1f} "
            f"| {first / middle:.2f} | {min(kernels):.1f}-{max(kernels):.1f} "
            f"| {mean['exchange']:.1f} | {mean['alike']:.1f} |"
        )
    print("\n| ranks | counts of a rank, MB |\n|---|---:|")
    for pair, rounds in found.items():
        print(f"| {pair[0]} | {max(rank['bytes'] for rank in rounds[0]['ranks']) / 1e6:,.1f} |")


if __name__ == "__main__":
    main()
