"""Time the simulator: 100,000 documents, 10,000 words, a tree of 103 nodes.

Every run is a process of its own, so that each has its own peak memory.

    python benchmarks/simulate.py [--docs 100000] [--words 10000] [--branching 6,16] [--runs 3]
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time

from claims import Claim, run
from machine import peak_bytes

CLAIM = Claim("`frex simulate`: 100,000 documents x 10,000 words x 103 nodes", unit="s")


def one_run(docs: int, words: int, branching: tuple[int, ...], seed: int) -> dict[str, float]:
    """Simulate once and return what it took; the clock does not count the imports."""
    from frex.model import branching_tree, simulate  # noqa: PLC0415 - the parent process needs none

    tree = branching_tree(branching)
    start = time.perf_counter()
    corpus, _ = simulate(tree, docs, words, rates="zipf", seed=seed)
    seconds = time.perf_counter() - start
    return {
        "seconds": seconds,
        "mib": peak_bytes() / 2**20,
        "tokens": corpus.n_tokens,
        "nodes": tree.n_nodes,
    }


def measure(args: argparse.Namespace) -> list[Claim]:
    """Run in fresh processes."""
    command = [sys.executable, __file__, "--docs", str(args.docs), "--words", str(args.words)]
    command += ["--branching", args.branching]
    runs = [
        json.loads(subprocess.check_output([*command, "--one", str(seed)]))
        for seed in range(args.runs)
    ]
    tokens, mib = (statistics.median(run[name] for run in runs) for name in ("tokens", "mib"))
    note = f"{tokens:,.0f} tokens; peak memory {mib:,.0f} MiB"
    return [CLAIM.of([run["seconds"] for run in runs], note)]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--branching", default="6,16")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--one", type=int, metavar="SEED", help=argparse.SUPPRESS)
    if "--one" in sys.argv:
        args = parser.parse_args()
        branching = tuple(int(width) for width in args.branching.split(","))
        print(json.dumps(one_run(args.docs, args.words, branching, args.one)))
        return
    run(parser, measure)


if __name__ == "__main__":
    main()
