"""Cost of `frex audit`: processor time of each step, and peak memory, by corpus.

    python benchmarks/audit_cost.py [--corpora cwe,mdn,swisslaw,boe,eurlex-2000,arxiv]
        [--papers 2000,10000,40000] [--threads 1]

The corpora are those of `taxonomies.py`, and arXiv at several sizes. Each is audited in a process
of its own, whose peak is the memory. The steps are those of the command: a fit by the mode, the
out-of-fold fits of five folds, findings about labels, findings about topics.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import numpy as np
from machine import DATA
from taxonomies import TAXONOMIES, frex

from frex.audit import audit_labels, audit_topics
from frex.corpus import read_corpus
from frex.datasets import arxiv
from frex.predict import out_of_fold
from frex.sampler.fit import fit
from frex.sampler.settings import Settings
from frex.text import prepare_documents

HEAD = "| corpus | documents | topics | fit | judges | labels | topics | together | memory |"


def prepare(name: str, place: Path) -> None:
    """Write a corpus into a folder."""
    if name.startswith("arxiv"):
        papers = arxiv.documents([DATA / "arxiv" / "arxiv_150k.jsonl.xz"])
        prepare_documents(islice(papers, int(name[5:])), arxiv.topic_tree(), place)
        return
    taxonomy, documents = TAXONOMIES[name], place.with_suffix(".jsonl")
    documents.write_text("".join(taxonomy.lines()), encoding="utf-8")
    frex("prepare", documents, "--tree", taxonomy.tree, "--out", place, "--unlabelled", "drop")


def measure(name: str, threads: int) -> None:
    """Audit a corpus step by step, and print its row."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "corpus"
        prepare(name, place)
        corpus = read_corpus(place)
        corpus = corpus.take(np.arange(len(corpus)))
    seconds = [time.process_time()]

    def done() -> None:
        seconds.append(time.process_time())

    posterior = fit(corpus, Settings(method="map"), threads=threads)
    done()
    judged = out_of_fold(corpus, threads=threads, near=posterior)
    done()
    audit_labels(posterior, corpus, judged=judged, limit=1000)
    done()
    audit_topics(posterior, corpus)
    done()
    steps = " | ".join(f"{step:.1f}" for step in np.diff(seconds))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(
        f"| {name} | {len(corpus):,} | {posterior.tree.n_topics:,} | {steps} "
        f"| {seconds[-1] - seconds[0]:.0f} s | {memory:.1f} GB |",
        flush=True,
    )


def main() -> None:
    """Run the corpora, each in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpora", default="cwe,mdn,swisslaw,boe,eurlex-2000,arxiv")
    parser.add_argument("--papers", default="2000,10000,40000")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        measure(given.one, given.threads)
        return
    print(f"{HEAD}\n|{'---|' * (HEAD.count('|') - 1)}", flush=True)
    for name in given.corpora.split(","):
        sizes = given.papers.split(",") if name == "arxiv" else [""]
        for size in sizes:
            command = [sys.executable, __file__, "--one", f"{name}{size}"]
            subprocess.run([*command, "--threads", str(given.threads)], check=True)


if __name__ == "__main__":
    main()
