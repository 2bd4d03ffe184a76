"""Time `frex --help` and `import frex` in fresh processes, with compiled kernels cached.

The commands take turns; prints the median of many and their range.

    python benchmarks/startup.py [--runs 15]
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from claims import Claim, run, timed

CONTESTANTS = {
    (str(Path(sys.executable).with_name("frex")), "--help"): Claim(
        "`frex --help`", unit="s", bar=0.3, sense="under"
    ),
    (sys.executable, "-c", "import frex"): Claim("`import frex`", unit="s", bar=1.5, sense="under"),
    (sys.executable, "-c", "import frex; frex.HPC, frex.Corpus, frex.read_corpus"): Claim(
        "`from frex import HPC`", unit="s", bar=1.5, sense="under"
    ),
}


def measure(args: argparse.Namespace) -> list[Claim]:
    """Let the commands take turns."""
    seconds: dict[tuple[str, ...], list[float]] = {command: [] for command in CONTESTANTS}
    for number in range(1 + args.runs):
        for command, own in seconds.items():
            taken = timed(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))  # noqa: B023
            if number:  # the first one fills the caches
                own.append(taken)
    return [claim.of(seconds[command]) for command, claim in CONTESTANTS.items()]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=15)
    run(parser, measure)


if __name__ == "__main__":
    main()
