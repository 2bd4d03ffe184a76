"""Cost of a tree of a thousand topics, flat and deep, and its growth when topics double.

Two corpora drawn from the model, half of whose topics have fewer than five documents. To each there
is one with a twin of the tree beside the tree, in which every second document has its labels, so
that nothing else is more. Timed are a MAP fit, a scan, the record of a draw whose scores are kept,
the page, and the scores by which `frex predict` labels a thousand documents. All take turns.

    python benchmarks/wide.py [--docs 6000] [--words 3000] [--topics 1000] [--rounds 3]
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from chains import ready_to_scan
from claims import Claim, ratios, run, spread, timed
from corpora import describe, wide_corpus, with_topics_twice

from frex.explorer import make_page
from frex.model import WeakPriors
from frex.model.reductions import reduce
from frex.predict import Predictor
from frex.sampler.fit import fit
from frex.sampler.record import Record
from frex.sampler.scan import Sampler
from frex.sampler.settings import Settings
from frex.sampler.state import Clock
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.sampler.state import State

STEPS = {
    "mode": "`--method map`",
    "scan": "a scan",
    "record": "the record of a draw",
    "page": "the page",
    "predict": "predicting 1,000 documents",
}
NEW_DOCUMENTS = 1000


class Chain(NamedTuple):
    """A chain that is ready to scan, and the record of its draws."""

    sampler: Sampler
    state: State
    record: Record

    @classmethod
    def of(cls, corpus: Corpus) -> Chain:
        """Return that of a corpus."""
        reduced = reduce(corpus)
        sampler = Sampler(reduced, WeakPriors())
        state = ready_to_scan(sampler)
        record = Record(corpus, Settings(chains=1), sampler.engine)
        record.add(0, sampler.context_after(state))  # chooses whose scores are kept
        return cls(sampler, state, record)

    def scan(self, number: int) -> None:
        """Make the scan of that number."""
        self.sampler.scan(self.state, Clock(0, 0, number))

    def keep(self) -> None:
        """Record where the chain is."""
        self.record.add(0, self.sampler.context_after(self.state))


def time_steps(corpus: Corpus, chain: Chain, number: int, threads: int) -> dict[str, float]:
    """Return the seconds that every step takes."""
    fits: list[Posterior] = []

    def mode() -> None:
        fits.append(fit(corpus, Settings(method="map"), threads=threads))

    seconds = {"mode": timed(mode)}
    with use_threads(threads):
        seconds["scan"] = best(lambda: chain.scan(number))
        seconds["record"] = best(chain.keep)
    predictor, new = Predictor(fits[0], threads=threads), corpus.counts[:NEW_DOCUMENTS]
    seconds["page"] = timed(lambda: make_page(fits[0]))
    seconds["predict"] = best(lambda: predictor.scores(new))
    return seconds


def best(work: Callable[[], object]) -> float:
    """Return the least seconds of five times some work that takes parts of a second."""
    return min(timed(work) for _ in range(5))


def trees(n_topics: int) -> dict[str, tuple[int, ...]]:
    """Return how a flat tree and a deep one branch, of about so many topics each."""
    return {"flat": (n_topics,), "deep": (5, 5, 5, max(1, round(n_topics / 125 - 1.24)))}


def measure(args: argparse.Namespace) -> list[Claim]:
    """Let all take turns."""
    claims = []
    for shape, branching in trees(args.topics).items():
        corpus = wide_corpus(branching, args.docs, args.words)
        contestants = {"once": corpus, "twice": with_topics_twice(corpus)}
        chains = {}
        for name, made in contestants.items():
            few = (np.bincount(made.labels.indices, minlength=made.n_topics) < 5).mean()
            print(
                f"{shape}, topics {name}: {describe(made)}; {few:.0%} of the topics "
                "have fewer than five documents",
                flush=True,
            )
            with use_threads(args.threads):
                chains[name] = Chain.of(made)
            time_steps(made, chains[name], 2, args.threads)  # compiles
        rounds: dict[str, list[dict[str, float]]] = {name: [] for name in contestants}
        for number in range(3, 3 + args.rounds):
            for name, made in contestants.items():
                rounds[name].append(time_steps(made, chains[name], number, args.threads))
        for step, words in STEPS.items():
            once, twice = ([found[step] for found in rounds[name]] for name in ("once", "twice"))
            claim = Claim(
                f"{words}, {shape}: twice {args.topics:,} topics", bar=2.1, sense="at most"
            )
            claims.append(claim.of(ratios(twice, once), note=f"once: {spread(once, 's')}"))
    return claims


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=6000)
    parser.add_argument("--words", type=int, default=3000)
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=0, help="0 for one per core")
    parser.add_argument("--rounds", type=int, default=3)
    run(parser, measure)


if __name__ == "__main__":
    main()
