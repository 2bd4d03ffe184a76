"""Time a scan of the sampler beside an iteration of tomotopy's Labeled-LDA on the same corpus.

80,000 documents, about 10 million tokens, 10,421 words, 103 nodes, 32 % of the documents with
several labels, drawn from the model. The contestants take turns in one process, with the same
number of threads; prints medians, ranges and the ratio.

    python benchmarks/scan.py [--docs 80000] [--threads 1,2] [--rounds 7]

They are not the same work: Labeled-LDA redraws one topic for every token, a scan draws all log
rates, dispersions, affinities and hyperparameters, and each has its own number of steps to an
independent draw. `benchmarks/mixing.py` has that number for frex.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.model import WeakPriors, branching_tree, simulate
from frex.model.reductions import reduce
from frex.sampler.chain import use_threads
from frex.sampler.scan import Sampler
from frex.sampler.start import find_map
from frex.sampler.state import Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.corpus import Corpus

LABELS_PER_DOCUMENT = 0.72
"""With it 32 % of the documents that have a label have several."""


def make_corpus(n_documents: int) -> Corpus:
    """Draw the corpus; documents without a label are left out."""
    n_drawn = int(n_documents / 0.5)
    corpus, _ = simulate(
        branching_tree((6, 16)),
        n_drawn,
        10_421,
        rates="zipf",
        mean_length=125,
        labels_per_document=LABELS_PER_DOCUMENT,
        drop_empty=True,
        seed=1,
    )
    return corpus.take(np.arange(min(n_documents, corpus.n_documents)))


def labelled_lda(corpus: Corpus) -> Any:
    """Return tomotopy's model with the corpus in it."""
    import tomotopy  # noqa: PLC0415 - an extra

    model = tomotopy.LLDAModel(seed=1)
    words, topics = np.array(corpus.words), np.array(corpus.tree.topics)  # type: ignore[union-attr]
    for d in range(corpus.n_documents):
        row = slice(corpus.counts.indptr[d], corpus.counts.indptr[d + 1])
        own = np.repeat(words[corpus.counts.indices[row]], corpus.counts.data[row])
        labels = corpus.labels.indices[corpus.labels.indptr[d] : corpus.labels.indptr[d + 1]]
        model.add_doc(own.tolist(), labels=topics[labels].tolist())
    return model


def timed(work: Callable[[], object]) -> float:
    """Return the seconds that some work takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def row(name: str, seconds: list[float]) -> str:
    """Return a table row: median and range in milliseconds."""
    low, middle, high = (1000 * f(seconds) for f in (min, statistics.median, max))
    return f"| {name} | {middle:,.0f} ({low:,.0f}-{high:,.0f}) |"


def main() -> None:
    """Let both take turns, and print a table for each number of threads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=80_000)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()

    corpus = make_corpus(args.docs)
    several = float((np.diff(corpus.labels.indptr) > 1).mean())
    assert corpus.tree is not None
    print(
        f"{corpus.n_documents:,} documents, {corpus.n_tokens:,} tokens, {corpus.n_words:,} words, "
        f"{corpus.tree.n_nodes} nodes, {several:.0%} with several labels"
    )
    sampler = Sampler(reduce(corpus), WeakPriors())
    with use_threads(0):
        state = find_map(sampler)
        sampler.scan(state, Clock(0, 0, 0), refresh=True)
    baseline = labelled_lda(corpus)
    baseline.train(1, workers=1)
    scan = 1
    for threads in map(int, args.threads.split(",")):
        ours: list[float] = []
        theirs: list[float] = []
        for _ in range(args.rounds):
            with use_threads(threads):
                ours.append(timed(lambda: sampler.scan(state, Clock(0, 0, scan))))  # noqa: B023
            theirs.append(timed(lambda: baseline.train(1, workers=threads)))  # noqa: B023
            scan += 1
        print(f"\n| {threads} thread{'s' * (threads > 1)} | ms (median, range) |\n|---|---:|")
        print(row("frex, scan", ours))
        print(row("tomotopy, iteration of Labeled-LDA", theirs))
        ratios = [b / a for a, b in zip(ours, theirs, strict=True)]
        low, middle, high = min(ratios), statistics.median(ratios), max(ratios)
        print(f"\ntomotopy / frex: {middle:.2f} ({low:.2f}-{high:.2f})")


if __name__ == "__main__":
    main()
