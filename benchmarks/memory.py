"""Measure a fit's peak resident memory, relative to the corpus' counts and one state.

80,000 documents, about 10 million tokens, 10,421 words, 103 nodes, in a corpus folder; the fit is
made in a fresh process with the default settings but for the number of scans. After 64 draws of
each chain all that grows with the draws, but some hundred numbers a draw, is as large as it gets.

What the interpreter, the libraries and the compiled kernels take is measured in the same process,
after a fit of a toy corpus and before the corpus is read, and subtracted; both are printed. The
measure is the bytes of the counts in one CSR matrix and of all unknowns once in double precision.

    python benchmarks/memory.py [--docs 80000] [--warmup 20] [--draws 70] [--chains 2] [--runs 1]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from claims import Claim, run
from machine import peak_bytes, resident_bytes

if TYPE_CHECKING:
    from frex import Corpus

CLAIMS = (
    Claim("peak memory of a fit / counts and one state", bar=3, sense="under"),
    Claim("peak memory of a fit, interpreter and libraries included / counts and one state"),
)


def write_corpus(n_documents: int, folder: Path) -> None:
    """Write the corpus that is fitted."""
    from corpora import describe, model_corpus  # noqa: PLC0415 - the process that fits needs none

    corpus = model_corpus(n_documents)
    print(describe(corpus), flush=True)
    corpus.write(folder)


def least_bytes(corpus: Corpus) -> tuple[int, int]:
    """Return the bytes of the counts in one CSR matrix, and of all unknowns in double precision."""
    assert corpus.tree is not None
    counts, n_labels = corpus.counts, np.diff(corpus.labels.indptr)
    nodes = corpus.tree.n_nodes + len(set(corpus.tree.parents[1:].tolist()))
    unknowns = corpus.n_words * nodes + 2 * int(n_labels[n_labels > 1].sum())
    return counts.data.nbytes + counts.indices.nbytes + counts.indptr.nbytes, 8 * unknowns


def fit_once(folder: Path, warmup: int, draws: int, chains: int) -> dict[str, int]:
    """Fit in this process and return what it took, in bytes."""
    from frex import read_corpus  # noqa: PLC0415 - in the child only
    from frex.sampler.compiling import toy_corpus  # noqa: PLC0415
    from frex.sampler.fit import fit  # noqa: PLC0415
    from frex.sampler.settings import Settings  # noqa: PLC0415

    out = folder.with_name("fit")
    fit(toy_corpus(), Settings(warmup=2, draws=2)).write(out, overwrite=True)
    before = resident_bytes()

    corpus = read_corpus(folder)
    settings = Settings(warmup=warmup, draws=draws, chains=chains)
    checkpoint = folder.with_name("checkpoint")
    fit(corpus, settings, checkpoint=checkpoint, overwrite=True).write(out, overwrite=True)
    peak = peak_bytes()

    counts, state = least_bytes(corpus)
    return {"before": before, "peak": peak, "counts": counts, "state": state}


def measure(args: argparse.Namespace) -> list[Claim]:
    """Fit in fresh processes."""
    found = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "corpus"
        write_corpus(args.docs, folder)
        command = [sys.executable, __file__, "--worker", str(folder)]
        command += ["--warmup", str(args.warmup), "--draws", str(args.draws)]
        command += ["--chains", str(args.chains)]
        for _ in range(args.runs):
            found.append(json.loads(subprocess.check_output(command)))
            megabytes = {name: f"{size / 1e6:,.1f} MB" for name, size in found[-1].items()}
            print(", ".join(f"{name} {size}" for name, size in megabytes.items()), flush=True)
    least = found[0]["counts"] + found[0]["state"]
    note = f"of {least / 1e6:,.0f} MB; {args.chains} chains"
    return [
        CLAIMS[0].of([(run["peak"] - run["before"]) / least for run in found], note=note),
        CLAIMS[1].of([run["peak"] / least for run in found]),
    ]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=80_000)
    parser.add_argument("--warmup", type=int, default=20)
    parser.add_argument("--draws", type=int, default=70)
    parser.add_argument("--chains", type=int, default=2)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--worker", type=Path, help=argparse.SUPPRESS)
    if "--worker" in sys.argv:
        args = parser.parse_args()
        print(json.dumps(fit_once(args.worker, args.warmup, args.draws, args.chains)))
        return
    run(parser, measure)


if __name__ == "__main__":
    main()
