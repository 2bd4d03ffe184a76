"""Time a scan on a sample of RCV1 beside the published time of the authors' R scripts.

2,316 documents of RCV1-v2 with their 2,000 most frequent words, one thread. The scripts of the
paper's authors, with their own functions, took 27 s for an ordinary scan of these documents on one
core; that time is published, not measured here. The sample cannot be distributed: it is read from
`../shared/data/rcv1_sample`, or below the folder that `FREX_TEST_DATA` names.

    python benchmarks/authors.py [--words 2000] [--rounds 31]
"""

from __future__ import annotations

import argparse
import csv
from typing import TYPE_CHECKING

import numpy as np
from claims import Claim, run, spread, timed
from corpora import describe
from machine import DATA
from scipy import sparse

from frex.corpus import Corpus
from frex.model import WeakPriors
from frex.model.reductions import reduce
from frex.sampler.scan import Sampler
from frex.sampler.start import find_map
from frex.sampler.state import Clock
from frex.sampler.threads import use_threads
from frex.tree import read_tree

if TYPE_CHECKING:
    from pathlib import Path

AUTHORS_SECONDS = 27.0
"""Of an ordinary scan, one at which they do not find Hessians anew; on one core."""

CLAIM = Claim("the authors' R scripts, 27 s as published / a scan, RCV1 sample, 1 thread", bar=1000)


def read_sample(folder: Path, n_words: int) -> Corpus:
    """Read the sample with its most frequent words."""
    counts = sparse.csc_array(sparse.load_npz(folder / "counts.npz"))
    totals = np.asarray(counts.sum(axis=0)).ravel()
    kept = np.sort(np.argsort(-totals, kind="stable")[:n_words])
    with (folder / "labels.tsv").open() as file:
        labels = [row["labels_minimal"].split() for row in csv.DictReader(file, delimiter="\t")]
    words = np.array((folder / "vocab.txt").read_text().splitlines())
    return Corpus.from_matrices(
        counts[:, kept].tocsr(),
        labels,
        tree=read_tree(folder / "tree.tsv"),
        words=words[kept].tolist(),
        empty="drop",
        unlabelled="drop",
    )


def measure(args: argparse.Namespace) -> list[Claim]:
    """Scan."""
    folder = DATA / "rcv1_sample"
    if not folder.is_dir():
        return [CLAIM.missing("no sample of RCV1: FREX_TEST_DATA names its folder")]
    corpus = read_sample(folder, args.words)
    print(describe(corpus), flush=True)
    sampler = Sampler(reduce(corpus), WeakPriors())
    with use_threads(1):
        state = find_map(sampler)
        sampler.scan(state, Clock(0, 0, 0), refresh=True)
        seconds = [
            timed(lambda: sampler.scan(state, Clock(0, 0, scan)))  # noqa: B023
            for scan in range(1, 1 + args.rounds)
        ]
    taken = spread([1000 * s for s in seconds], "ms")
    return [CLAIM.of([AUTHORS_SECONDS / s for s in seconds], note=f"a scan: {taken}")]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--words", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=31)
    run(parser, measure)


if __name__ == "__main__":
    main()
