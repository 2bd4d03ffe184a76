"""Time the reading of a corpus folder of the size of RCV1: all checks, and the checksums alone.

A folder is read through once, and what it holds is checked in the same pass. What that costs is
held against a pass that does nothing but compare checksums. Seconds are those of the processor, of
all threads; memory is the peak of a fresh process.

    python benchmarks/reading.py [--docs 8000] [--copies 100] [--rounds 5]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from claims import Claim, run
from machine import peak_bytes

CLAIM = Claim("reading a corpus folder / its checksums alone", bar=1.2, sense="under")


def write_corpus(n_documents: int, n_copies: int, folder: Path) -> None:
    """Write a corpus whose documents are there several times, under names of their own."""
    from corpora import describe, model_corpus  # noqa: PLC0415 - a process that reads needs none

    from frex.corpus import CorpusWriter  # noqa: PLC0415

    corpus = model_corpus(n_documents)
    print(f"{n_copies} copies of {describe(corpus)}", flush=True)
    with CorpusWriter(folder, words=corpus.words, tree=corpus.tree) as writer:
        for copy in range(n_copies):
            ids = [f"{copy}-{name}" for name in corpus.ids]
            writer.append(corpus.counts, corpus.labels, ids)


def checksums(folder: Path) -> None:
    """Compare the checksums of all files, and nothing else."""
    files = json.loads((folder / "manifest.json").read_text())["files"]

    def digest(name: str) -> str:
        with (folder / name).open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()

    with ThreadPoolExecutor() as pool:
        for name, found in zip(files, pool.map(digest, files), strict=True):
            assert found == files[name]["sha256"]


def one_pass(folder: Path, what: str) -> dict[str, float]:
    """Read in this process; what is imported is not counted."""
    from frex.corpus import read_corpus  # noqa: PLC0415 - in the child only

    begun = time.process_time()
    if what == "read":
        read_corpus(folder)
    else:
        checksums(folder)
    return {"seconds": time.process_time() - begun, "mib": peak_bytes() / 2**20}


def measure(args: argparse.Namespace) -> list[Claim]:
    """Read in fresh processes, in turns."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "corpus"
        write_corpus(args.docs, args.copies, folder)
        found: dict[str, list[dict[str, float]]] = {"read": [], "checksums": []}
        for _ in range(args.rounds):
            for what, passes in found.items():
                command = [sys.executable, __file__, "--one", what, str(folder)]
                passes.append(json.loads(subprocess.check_output(command)))
    pairs = zip(found["read"], found["checksums"], strict=True)
    read, alone = (min(one["seconds"] for one in found[what]) for what in found)
    mib = [max(one["mib"] for one in found[what]) for what in found]
    note = f"{read:.2f} s and {alone:.2f} s; peak memory {mib[0]:.0f} MiB and {mib[1]:.0f} MiB"
    return [CLAIM.of([whole["seconds"] / sums["seconds"] for whole, sums in pairs], note)]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=8_000)
    parser.add_argument("--copies", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--one", nargs=2, metavar=("WHAT", "FOLDER"), help=argparse.SUPPRESS)
    if "--one" in sys.argv:
        args = parser.parse_args()
        print(json.dumps(one_pass(Path(args.one[1]), args.one[0])))
        return
    run(parser, measure)


if __name__ == "__main__":
    main()
