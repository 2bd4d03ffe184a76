"""Rank the words of unsupervised fits by FREX from other summaries of the posterior than its own.

    frex fit AP --unsupervised -k 50 --warmup 700 --draws 200 --chains 1 --out FIT
    python scripts/rankings.py AP FIT [FIT ...]

For each ranking: the share of unique words in lists of 50, NPMI of ten words, the share of
intruders that NPMI finds, and how often the listed words occur. docs/interpretability.md has the
table of AP.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from frex.corpus import read_corpus
from frex.evaluate.coherence import mean_npmi
from frex.evaluate.cooccurrence import Documents, associations
from frex.evaluate.intrusion import detection
from frex.evaluate.unsupervised import Topics
from frex.evaluate.vectors import company
from frex.posterior import read_posterior, score
from frex.scores.intruders import INTRUDERS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from frex.corpus import Corpus
    from frex.posterior import Posterior

LISTED, COHERENT = 50, 10
"""Words of a list; how many of them should go together."""


def summaries(posterior: Posterior) -> Iterator[tuple[str, Topics]]:
    """Yield what FREX may be computed from, the paper's first."""
    typical = score(posterior, by="frequency")
    yield "mean log rates, mean exclusivity", Topics(typical, score(posterior, by="exclusivity"))
    yield "mean log rates, their exclusivity", Topics.of(typical)


class Judge:
    """Measures lists of words by the documents of a corpus."""

    def __init__(self, corpus: Corpus) -> None:
        self.places = Documents(corpus, corpus.words)
        self.directions = company(self.places, corpus.n_words).directions
        self.counts = np.asarray(corpus.counts.sum(axis=0)).ravel()

    def row(self, topics: Topics) -> str:
        """Return the cells of a table."""
        lists = topics.best("frex", LISTED)
        unique = len(np.unique(lists)) / lists.size
        coherence = np.mean([self._npmi(words[:COHERENT]) for words in lists])
        found = np.nanmean(detection(lists[:, :INTRUDERS], self.directions))
        return f"{unique:.3f} | {coherence:.3f} | {found:.2f} | {np.median(self.counts[lists]):.0f}"

    def _npmi(self, words: np.ndarray) -> float:
        return mean_npmi(associations(self.places, np.sort(words)))


def main() -> None:
    """Print the table of each fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("fits", type=Path, nargs="+")
    args = parser.parse_args()
    judge = Judge(read_corpus(args.corpus))
    for fit in args.fits:
        posterior = read_posterior(fit)
        print(f"\n{fit}: {posterior.tree.n_topics} topics\n")
        print("| FREX from | unique words of 50 | NPMI of 10 words | intruders found | count |")
        print("|---|---:|---:|---:|---:|")
        for name, topics in summaries(posterior):
            print(f"| {name} | {judge.row(topics)} |")


if __name__ == "__main__":
    main()
