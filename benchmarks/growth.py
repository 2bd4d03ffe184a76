"""Growth of the time of a scan: twice the documents of either kind, the words, or the topics.

A corpus drawn from the model, and four that differ from it in one thing:

- twice the documents with a single label: more of them, drawn from the model
- twice the documents with several labels: the same
- twice the words: every document's counts once more, of words of their own
- twice the topics: a twin tree beside the tree, in which every second document has its labels

so that nothing else grows. They take turns in one process; prints the ratio of the scans' times.

    python benchmarks/growth.py [--docs 40000] [--threads 0] [--rounds 9]
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np
from chains import ready_to_scan
from claims import Claim, ratios, run, spread, timed
from corpora import describe, model_corpus, with_topics_twice
from scipy.sparse import csr_array, hstack

from frex.corpus import Corpus
from frex.model import WeakPriors
from frex.model.reductions import reduce
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLAIMS = {
    "single": Claim("scan: twice the single-label documents", bar=1.05, sense="under"),
    "several": Claim("scan: twice the multi-label documents", bar=2.1, sense="at most"),
    "words": Claim("scan: twice the words", bar=2.1, sense="at most"),
    "topics": Claim("scan: twice the topics", bar=2.1, sense="at most"),
}


def corpora(n_documents: int) -> dict[str, Corpus]:
    """Return the corpus, and those that have twice as much of something."""
    large = model_corpus(2 * n_documents)
    n_labels = np.diff(large.labels.indptr)
    single, several = np.flatnonzero(n_labels == 1), np.flatnonzero(n_labels > 1)
    half_single, half_several = single[: len(single) // 2], several[: len(several) // 2]

    def take(*rows: NDArray[np.int64]) -> Corpus:
        return large.take(np.sort(np.concatenate(rows)))

    base = take(half_single, half_several)
    return {
        "base": base,
        "single": take(single, half_several),
        "several": take(half_single, several),
        "words": with_words_twice(base),
        "topics": with_topics_twice(base),
    }


def with_words_twice(corpus: Corpus) -> Corpus:
    """Return the corpus with every document's counts once more, of other words."""
    words = [*corpus.words, *(f"{word}'" for word in corpus.words)]
    counts = csr_array(hstack([corpus.counts, corpus.counts], format="csr"))
    return Corpus(counts, corpus.labels, words, corpus.ids, corpus.tree)


def measure(args: argparse.Namespace) -> list[Claim]:
    """Let all take turns."""
    chains = {}
    with use_threads(args.threads):
        for name, corpus in corpora(args.docs).items():
            print(f"{name}: {describe(corpus)}", flush=True)
            sampler = Sampler(reduce(corpus), WeakPriors())
            chains[name] = sampler, ready_to_scan(sampler)
        seconds: dict[str, list[float]] = {name: [] for name in chains}
        for scan in range(2, 2 + args.rounds):
            for name, (sampler, state) in chains.items():
                clock = Clock(0, 0, scan)
                seconds[name].append(timed(lambda: sampler.scan(state, clock)))  # noqa: B023
    for name, own in seconds.items():
        print(f"{name}: a scan takes {spread([1000 * s for s in own], 'ms')}")
    return [claim.of(ratios(seconds[name], seconds["base"])) for name, claim in CLAIMS.items()]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=40_000)
    parser.add_argument("--threads", type=int, default=0, help="0 for one per core")
    parser.add_argument("--rounds", type=int, default=9)
    run(parser, measure)


if __name__ == "__main__":
    main()
