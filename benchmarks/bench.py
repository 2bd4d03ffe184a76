"""Run the benchmarks, each in a process of its own, and print the table of all claims.

Results are written to `benchmarks/results.json`, part by part, so that some can be measured again
without the others; `benchmarks/table.py` writes the table of the docs. Run nothing else on the
machine: the table says how many cores other work occupied.

    python benchmarks/bench.py [PART ...] [--rehearse]
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from machine import Watch, describe
from table import RESULTS, markdown, read_results

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).parent


class Part(NamedTuple):
    """A benchmark: its script, how long it takes on two quiet cores, and what a rehearsal is."""

    name: str
    minutes: float
    rehearsal: str  #: options that make it small


PARTS = (
    Part("startup", 0.8, "--runs 2"),
    Part("scan", 1.5, "--docs 2000 --rounds 2"),
    Part("shapes", 2.5, "--docs 1000 --acts 200 --rounds 1"),
    Part("growth", 1.2, "--docs 1000 --rounds 2"),
    Part("wide", 1.2, "--docs 300 --words 100 --topics 130 --rounds 1"),
    Part("limit", 0.4, "--docs 2000 --rounds 2"),
    Part("memory", 1.5, "--docs 2000 --warmup 3 --draws 3"),
    Part("authors", 0.3, "--rounds 3"),
    Part("nuts", 5.2, "--docs 60 --words 20 --minutes 0.05 --warmup 30 --draws 50 --fits 2"),
    Part("prepare", 2.9, "--docs 2000 --rounds 1"),
    Part("predict", 0.8, "--docs 100 --runs 1"),
    Part("simulate", 0.3, "--docs 3000 --runs 1"),
    Part("mixing", 0.8, "--docs 400 --words 100 --draws 50"),
)
LONG = (
    Part("imputed", 3.0, "--docs 1000 --warmup 20 --draws 60 --rounds 1"),
    Part("compiling", 5, "--rounds 1"),
    Part("rcv1", 21, "--docs 3000 --place {place} --fit-options '--warmup 10 --draws 20'"),
)
"""Run only where they are named."""


def run_part(part: Part, place: Path, *, rehearse: bool) -> dict[str, Any]:
    """Run a benchmark and return its claims, with when, where and how long."""
    out, watch = place / "claims.json", Watch()
    out.unlink(missing_ok=True)
    command = [sys.executable, str(HERE / f"{part.name}.py"), "--json", str(out)]
    if rehearse:
        command += shlex.split(part.rehearsal.format(place=place / part.name))
    done = subprocess.run(command, check=False)
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "machine": describe(),
        "minutes": round(watch.seconds / 60, 2),
        "others": round(watch.others, 2),
        "claims": json.loads(out.read_text()) if out.exists() and not done.returncode else [],
    }


def in_order(parts: Iterable[str], results: dict[str, Any]) -> dict[str, Any]:
    """Return the results in the order of the parts, whenever each was measured."""
    return {name: results[name] for name in parts if name in results}


def main() -> None:
    """Run the parts, keep what they measured, and print the table."""
    known = {part.name: part for part in (*PARTS, *LONG)}
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(known)}")
    parser.add_argument(
        "--rehearse", action="store_true", help="with small sizes, in five minutes; keeps nothing"
    )
    args = parser.parse_args()
    if unknown := set(args.parts) - set(known):
        parser.error(f"there is no {', '.join(sorted(unknown))}")
    parts = [known[name] for name in args.parts] or list(PARTS)
    results = {} if args.rehearse else read_results()
    failed = []
    with tempfile.TemporaryDirectory() as place:
        for number, part in enumerate(parts, start=1):
            expected = "" if args.rehearse else f", about {part.minutes:g} min"
            print(f"\n== {number} of {len(parts)}: {part.name}{expected}", flush=True)
            found = run_part(part, Path(place), rehearse=args.rehearse)
            if not found["claims"]:
                failed.append(part.name)
                continue
            results = in_order(known, results | {part.name: found})
            if not args.rehearse:
                RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    print("\n" + markdown(results))
    if failed:
        raise SystemExit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
