"""Time what a first run compiles: `frex fit`, `frex demo` and a first fit in Python.

Each runs in a fresh process, first with an empty cache and then with what the first run kept. The
CPU-seconds that the second run saves are those of compiling; prints them kernel by kernel, too.

    python benchmarks/compiling.py [--rounds 3]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from claims import Claim, run, spread, timed

from frex.model import branching_tree, simulate

if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST_FIT = """
import warnings
from frex import HPC, Corpus, TopicTree

texts = ["tea milk tea", "milk tea", "rain wind rain", "wind rain", "tea rain", "rain milk wind"]
labels = [["drinks"], ["drinks"], ["weather"], ["weather"], *[["drinks", "weather"]] * 2]
corpus = Corpus.from_texts(texts, labels, TopicTree(["drinks", "weather"], [None, None]))
warnings.simplefilter("ignore")  # six documents say little
HPC(random_state=0).fit(corpus)
"""

KERNELS = """
import json
from frex.compiled import watch_compiling
from frex.sampler.fit import fit
from frex.sampler.compiling import toy_corpus
from frex.sampler.settings import Settings

with watch_compiling() as compiled:
    fit(toy_corpus(), Settings(warmup=12, draws=4, chains=1))
print(json.dumps(compiled.kernels))
"""


class Used(NamedTuple):
    """What a process and those that it started took."""

    seconds: float
    cpu_seconds: float


def used(command: Sequence[str], cache: Path, place: Path) -> Used:
    """Run a command in a folder, with a cache of compiled kernels."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = timed(
        lambda: subprocess.run(
            command, check=True, cwd=place, env=environment, stdout=subprocess.DEVNULL
        )
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Used(seconds, cpu)


def by_kernel(cache: Path) -> dict[str, float]:
    """Return the seconds that each kernel of a small fit takes to compile, longest first."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", KERNELS], check=True, env=environment, capture_output=True, text=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def measure(args: argparse.Namespace) -> list[Claim]:
    """Run all with an empty cache, then with a full one."""
    frex = str(Path(sys.executable).with_name("frex"))
    cold: dict[str, list[Used]] = defaultdict(list)
    warm: dict[str, list[Used]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        corpus = simulate(branching_tree((2, 2)), 200, 100, rates="zipf", drop_empty=True).corpus
        corpus.write(place / "corpus")
        few = ("--warmup", "50", "--draws", "50")
        commands = {
            "fit": (frex, "fit", "corpus", "--out", "fit", "--overwrite", *few),
            "demo": (frex, "demo", "--out", "page.html"),
            "python": (sys.executable, "-c", FIRST_FIT),
        }
        for number in range(args.rounds):
            for name, command in commands.items():
                cache = place / f"{name}-{number}"
                cold[name].append(used(command, cache, place))
                warm[name].append(used(command, cache, place))
        for kernel, seconds in by_kernel(place / "kernels").items():
            print(f"{seconds:7.2f} s  {kernel}")
    compiling = [
        first.cpu_seconds - again.cpu_seconds
        for first, again in zip(cold["fit"], warm["fit"], strict=True)
    ]
    claims = [
        Claim("compiling of a first `frex fit` with labels", "CPU-s", 40, "at most").of(
            compiling, note=f"all of it with kernels kept: {spread(_cpu(warm['fit']), 'CPU-s')}"
        )
    ]
    for name, text, bar in (
        ("demo", "a first `frex demo`", 45),
        ("python", "a first small fit in Python", 30),
    ):
        note = f"with kernels kept: {spread([each.seconds for each in warm[name]], 's')}"
        waits = [each.seconds for each in cold[name]]
        claims.append(Claim(text, "s", bar, "at most").of(waits, note=note))
    return claims


def _cpu(runs: Sequence[Used]) -> list[float]:
    return [each.cpu_seconds for each in runs]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=3)
    run(parser, measure)


if __name__ == "__main__":
    main()
