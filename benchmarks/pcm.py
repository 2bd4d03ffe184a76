"""Time a scan of the unsupervised sampler beside tomotopy's and scikit-learn's LDA.

All topics are in all documents. The contestants take turns in one process, with the same number of
threads; prints medians, ranges and ratios.

    frex datasets ap --data FILES --out AP
    python benchmarks/pcm.py AP [--topics 50] [--threads 1,2] [--rounds 7]

They are not the same work: an iteration of tomotopy draws one topic for every token, an epoch of
scikit-learn goes over all documents once and climbs, a scan draws all log rates, dispersions,
affinities and hyperparameters.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

import numpy as np
from claims import ratios, spread, timed

from frex import read_corpus
from frex.model import WeakPriors
from frex.model.contrasts import reduce_unlabelled, with_every_topic
from frex.sampler.scan import Sampler
from frex.sampler.start import find_map
from frex.sampler.state import Clock
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.corpus import Corpus
    from frex.sampler.state import State


def lda(corpus: Corpus, n_topics: int) -> Any:
    """Return tomotopy's model with the corpus in it."""
    import tomotopy  # noqa: PLC0415 - an extra

    model = tomotopy.LDAModel(k=n_topics, seed=1)
    words = np.array(corpus.words)
    for d in range(corpus.n_documents):
        row = slice(corpus.counts.indptr[d], corpus.counts.indptr[d + 1])
        own = np.repeat(words[corpus.counts.indices[row]], corpus.counts.data[row])
        model.add_doc(own.tolist())
    model.train(10, workers=1)
    return model


def two_scans(sampler: Sampler, state: State, scan: int) -> None:
    """Scan twice: the interweaving moves take turns."""
    for number in (scan, scan + 1):
        sampler.scan(state, Clock(0, 0, number))


def epoch(corpus: Corpus, n_topics: int, threads: int) -> Callable[[], object]:
    """Return what passes once over the corpus with scikit-learn's online LDA."""
    from sklearn.decomposition import LatentDirichletAllocation  # noqa: PLC0415 - slow to import

    model = LatentDirichletAllocation(
        n_topics, learning_method="online", n_jobs=threads, random_state=1
    )
    model.partial_fit(corpus.counts)
    return lambda: model.partial_fit(corpus.counts)


def main() -> None:
    """Let all take turns, and print a table for each number of threads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus")
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--rounds", type=int, default=7)
    args = parser.parse_args()

    corpus = read_corpus(args.corpus)
    print(
        f"{corpus.n_documents:,} documents, {corpus.n_tokens:,} tokens, {corpus.n_words:,} words, "
        f"{args.topics} topics"
    )
    sampler = Sampler(reduce_unlabelled(with_every_topic(corpus, args.topics)), WeakPriors())
    with use_threads(0):
        state = find_map(sampler)
        sampler.scan(state, Clock(0, 0, 0), refresh=True)
        two_scans(sampler, state, 1)
    gibbs = lda(corpus, args.topics)
    scan = 3
    for threads in map(int, args.threads.split(",")):
        climb = epoch(corpus, args.topics, threads)
        seconds: dict[str, list[float]] = {}
        for _ in range(args.rounds):
            with use_threads(threads):
                ours = 0.5 * timed(lambda: two_scans(sampler, state, scan))  # noqa: B023
            theirs = {
                "tomotopy, iteration of LDA": timed(lambda: gibbs.train(2, workers=threads)) / 2,  # noqa: B023
                "scikit-learn, epoch of LDA": timed(climb),
            }
            for name, taken in {"frex, scan of PCM": ours, **theirs}.items():
                seconds.setdefault(name, []).append(taken)
            scan += 2
        print(f"\n| {threads} thread{'s' * (threads > 1)} | ms | as a multiple of a scan |")
        print("|---|---:|---:|")
        first = next(iter(seconds.values()))
        for name, own in seconds.items():
            multiple = spread(ratios(own, first))
            print(f"| {name} | {spread(1000 * s for s in own)} | {multiple} |")


if __name__ == "__main__":
    main()
