"""Fit a corpus of the size of RCV1, from its folder to a posterior, by one command.

806,791 documents, about 100 million tokens, 10,421 words, 103 nodes, drawn from the model and
written as a corpus folder. Then `frex fit CORPUS --out FIT` as it comes: two chains on all cores,
at least 700 draws and more until R-hat of all hyperparameters is below 1.01. Kernels are compiled
before, by a fit of a toy corpus: a machine does that once. Prints how far it is,
and at the end the time, the draws, R-hat and the peak of memory, also over the bytes of the counts
and one state (`benchmarks/memory.py`).

A run that is stopped, by Ctrl-C or by force, goes on when the same command is given again; its time
is that of all its parts. After one that came to its end the fit is begun anew.

    python benchmarks/rcv1.py [--docs 806791] [--place FOLDER] [--fit-options "--draws 700"]
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from claims import Claim, run
from machine import peak_bytes
from memory import least_bytes

if TYPE_CHECKING:
    from frex.posterior import Posterior

CLAIMS = {
    "minutes": Claim("RCV1 size: from the corpus folder to the posterior", unit="min"),
    "r_hat": Claim(
        "RCV1 size: R-hat of the worst hyperparameter", unit="", bar=1.01, sense="under"
    ),
    "peak": Claim("RCV1 size: peak memory", unit="GiB", bar=24, sense="under"),
    "share": Claim(
        "RCV1 size: peak memory, libraries included / counts and one state", bar=3, sense="under"
    ),
}
FREX = str(Path(sys.executable).with_name("frex"))
TOLD_EVERY = 60.0
"""Seconds between two lines on how far the fit is."""


def write_corpus(n_documents: int, folder: Path) -> None:
    """Draw the corpus and write its folder."""
    from corpora import describe, rcv1_sized  # noqa: PLC0415 - in a child only, for its memory

    corpus = rcv1_sized(n_documents)
    print(describe(corpus), flush=True)
    corpus.write(folder)


def compile_kernels() -> None:
    """Fit a toy corpus in a process of its own, which leaves the kernels in Numba's cache."""
    from frex.sampler.compiling import toy_corpus  # noqa: PLC0415 - only now

    with tempfile.TemporaryDirectory() as place:
        toy_corpus().write(Path(place) / "toy")
        command = [FREX, "fit", f"{place}/toy", "--out", f"{place}/fit"]
        subprocess.run([*command, "--warmup", "2", "--draws", "2"], check=True, capture_output=True)


class Ledger:
    """What the parts of a run took, in a file, so that none is forgotten."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> list[dict[str, float]]:
        """Return the parts."""
        found: list[dict[str, float]] = (
            json.loads(self.path.read_text()) if self.path.exists() else []
        )
        return found

    def write(self, before: list[dict[str, float]], seconds: float, peak: float) -> None:
        """Write the parts before, and this one as far as it is."""
        self.path.write_text(json.dumps([*before, {"seconds": seconds, "peak": peak}]))


def checkpoint_of(out: Path) -> Path:
    """Return where `frex fit` keeps what it goes on from."""
    return out.with_name(f"{out.name}.checkpoint")


def fit(corpus: Path, out: Path, options: list[str], ledger: Ledger) -> int:
    """Run `frex fit`, telling how far it is; return its exit code."""
    from frex.sampler.checkpoint import saved_scans  # noqa: PLC0415

    checkpoint, before = checkpoint_of(out), ledger.read()
    command = [FREX, "fit", str(corpus), "--out", str(out)]
    command += [*options, *(["--resume"] if saved_scans(checkpoint) else [])]
    print(shlex.join(command), flush=True)
    begun = told = time.perf_counter()
    peak = 0
    with subprocess.Popen(command) as process:
        while process.poll() is None:
            peak = max(peak, peak_bytes(process.pid))
            try:
                time.sleep(1.0)
            except KeyboardInterrupt:
                print("the fit has heard it, and ends after its scan", flush=True)
            ledger.write(before, time.perf_counter() - begun, peak)
            if time.perf_counter() - told > TOLD_EVERY:
                told = time.perf_counter()
                saved = next(iter(saved_scans(checkpoint)), None)
                print(
                    f"{(told - begun) / 60:.0f} min: {saved.name if saved else 'start'}", flush=True
                )
    ledger.write(before, time.perf_counter() - begun, peak)
    return process.returncode


def claims_of(posterior: Posterior, parts: list[dict[str, float]], least: int) -> list[Claim]:
    """Say what the fit took, and what it is worth."""
    from frex.posterior import HYPERPARAMETERS  # noqa: PLC0415
    from frex.posterior.measures import measure  # noqa: PLC0415

    rows = [row for group in measure(posterior, HYPERPARAMETERS).values() for row in group]
    worst = max(rows, key=lambda row: row.r_hat)
    fewest = min(row.ess_bulk for row in rows)
    taken = (
        f"{len(posterior.ids):,} documents, {posterior.n_chains} chains of {posterior.n_draws:,} "
        f"draws after {posterior.settings['warmup']} scans of warm-up"
    )
    minutes = sum(part["seconds"] for part in parts) / 60
    peak = max(part["peak"] for part in parts)
    return [
        CLAIMS["minutes"].of([minutes], taken),
        CLAIMS["r_hat"].of([worst.r_hat], f"{worst.name}; {fewest:,.0f} effective draws or more"),
        CLAIMS["peak"].of([peak / 2**30]),
        CLAIMS["share"].of([peak / least], f"of {least / 1e6:,.0f} MB"),
    ]


def measure_fit(args: argparse.Namespace) -> list[Claim]:
    """Draw the corpus unless it is there, fit it, and read the fit."""
    from frex.corpus import read_corpus  # noqa: PLC0415
    from frex.posterior import read_posterior  # noqa: PLC0415

    args.place.mkdir(parents=True, exist_ok=True)
    corpus, out = args.place / "corpus", args.place / "fit"
    ledger = Ledger(args.place / "parts.json")
    if not corpus.exists():
        subprocess.run([sys.executable, *sys.argv, "--write", str(corpus)], check=True)
    if out.exists() and read_posterior(out).complete:
        for folder in (out, checkpoint_of(out)):
            shutil.rmtree(folder, ignore_errors=True)
        ledger.path.unlink(missing_ok=True)
    compile_kernels()
    code = fit(corpus, out, shlex.split(args.fit_options), ledger)
    if code:
        raise SystemExit(f"the fit ended with {code}; go on by the same command")
    least = sum(least_bytes(read_corpus(corpus, verify=False)))
    return claims_of(read_posterior(out), ledger.read(), least)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=806_791)
    parser.add_argument(
        "--place",
        type=Path,
        default=Path(tempfile.gettempdir()) / "frex-rcv1",
        help="folder of corpus, fit and checkpoint: about 5 GB",
    )
    parser.add_argument("--fit-options", default="", help="for `frex fit`, in one string")
    parser.add_argument("--write", type=Path, help=argparse.SUPPRESS)
    if "--write" in sys.argv:
        args = parser.parse_known_args()[0]
        write_corpus(args.docs, args.write)
        return
    run(parser, measure_fit)


if __name__ == "__main__":
    main()
