"""Time the simulator: 100,000 documents, 10,000 words, a tree of 103 nodes.

Every run is a process of its own, so that each has its own peak memory. Prints a Markdown table
row: the median of the runs and their spread.

    python benchmarks/simulate.py [--docs 100000] [--words 10000] [--branching 6,16] [--runs 3]
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time


def one_run(docs: int, words: int, branching: tuple[int, ...], seed: int) -> dict[str, float]:
    """Simulate once and return what it took; the clock does not count the imports."""
    from frex.model import branching_tree, simulate  # noqa: PLC0415 - the parent process needs none

    tree = branching_tree(branching)
    start = time.perf_counter()
    corpus, _ = simulate(tree, docs, words, rates="zipf", seed=seed)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "seconds": seconds,
        "mib": peak / (1024 if sys.platform == "darwin" else 1),  # bytes there, kibibytes elsewhere
        "tokens": corpus.n_tokens,
        "nodes": tree.n_nodes,
    }


def main() -> None:
    """Run in fresh processes and print the row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=10_000)
    parser.add_argument("--branching", default="6,16")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--one", type=int, metavar="SEED", help="run once, print JSON")
    args = parser.parse_args()
    if args.one is not None:
        branching = tuple(int(width) for width in args.branching.split(","))
        print(json.dumps(one_run(args.docs, args.words, branching, args.one)))
        return
    command = [sys.executable, __file__, "--docs", str(args.docs), "--words", str(args.words)]
    command += ["--branching", args.branching]
    runs = [
        json.loads(subprocess.check_output([*command, "--one", str(seed)]))
        for seed in range(args.runs)
    ]
    seconds = [run["seconds"] for run in runs]
    tokens, mib = (statistics.median(run[name] for run in runs) for name in ("tokens", "mib"))
    print("| documents | words | nodes | tokens | seconds (median, range) | peak memory |")
    print("|---:|---:|---:|---:|---:|---:|")
    print(
        f"| {args.docs:,} | {args.words:,} | {runs[0]['nodes']} | {tokens:,.0f} "
        f"| {statistics.median(seconds):.1f} ({min(seconds):.1f} to {max(seconds):.1f}) "
        f"| {mib:,.0f} MiB |"
    )


if __name__ == "__main__":
    main()
