"""Time a scan of the sampler beside an iteration of tomotopy's Labeled-LDA on the same corpus.

80,000 documents, about 10 million tokens, 10,421 words, 103 nodes, 32 % of the documents with
several labels, drawn from the model. The contestants, with one thread and with two, take turns in
one process; prints medians, ranges and ratios. A turn is one iteration, or four scans as they come
in a fit, one after the other: the first of them finds nothing in the caches. What a second thread
is worth on the machine, whatever neighbours its cores have, is told by arithmetic that stays in
each core's first cache, taking turns as well.

    python benchmarks/scan.py [--docs 80000] [--threads 1,2] [--rounds 15]

They are not the same work: Labeled-LDA redraws one topic for every token, a scan draws all log
rates, dispersions, affinities and hyperparameters, and each has its own number of steps to an
independent draw. `benchmarks/mixing.py` has that number for frex.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from claims import Claim, ratios, run, spread, timed
from corpora import describe, model_corpus

from frex.errors import MissingExtraError
from frex.evaluate.baselines import load_tomotopy
from frex.model import WeakPriors
from frex.model.reductions import reduce
from frex.sampler.kernels.options import parallel
from frex.sampler.scan import Sampler
from frex.sampler.start import find_map
from frex.sampler.state import Clock
from frex.sampler.threads import most_threads, use_threads

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from frex.corpus import Corpus

SCANS = 4
"""Of a turn."""

ARITHMETIC = 6_000_000
"""Steps of a turn: a tenth of a second."""

SECOND_THREAD = Claim("a scan with 1 thread / with 2", bar=1.85)
SECOND_CORE = Claim("the same of arithmetic that shares nothing: what the machine gives")


@parallel("out")
def arithmetic(stretch: tuple[int, int], steps: int, out: NDArray[np.float64]) -> None:
    """Do two shares of work that touch no memory but 512 bytes of their own."""
    for share in range(*stretch):
        values = np.full(64, 0.5 + share)
        for _ in range(steps):
            for i in range(64):
                values[i] = 0.25 + 0.5 * values[i]
        out[share] = values.sum()


def labelled_lda(corpus: Corpus) -> Any:
    """Return tomotopy's model with the corpus in it."""
    model = load_tomotopy("this benchmark").LLDAModel(seed=1)
    words, topics = np.array(corpus.words), np.array(corpus.tree.topics)  # type: ignore[union-attr]
    for d in range(corpus.n_documents):
        row = slice(corpus.counts.indptr[d], corpus.counts.indptr[d + 1])
        own = np.repeat(words[corpus.counts.indices[row]], corpus.counts.data[row])
        labels = corpus.labels.indices[corpus.labels.indptr[d] : corpus.labels.indptr[d + 1]]
        model.add_doc(own.tolist(), labels=topics[labels].tolist())
    model.train(1, workers=1)
    return model


def against(threads: int) -> Claim:
    """Return the claim against tomotopy."""
    plural = "s" * (threads > 1)
    return Claim(f"Labeled-LDA's iteration (tomotopy) / a scan, {threads} thread{plural}", bar=5)


class Turns(NamedTuple):
    """Seconds of each turn, by number of threads."""

    scans: dict[int, list[float]]  #: of a scan
    iterations: dict[int, list[float]]  #: of Labeled-LDA; none where there is no tomotopy
    bare: dict[int, list[float]]  #: of arithmetic that shares nothing
    why: str  #: there is no tomotopy


def take_turns(corpus: Corpus, threads: Sequence[int], rounds: int) -> Turns:
    """Let all contestants take turns on a corpus."""
    print(describe(corpus), flush=True)
    sampler = Sampler(reduce(corpus), WeakPriors())
    with use_threads(0):
        state = find_map(sampler)
        sampler.scan(state, Clock(0, 0, 0), refresh=True)
    try:
        baseline, why = labelled_lda(corpus), ""
    except MissingExtraError as error:
        baseline, why = None, str(error)
    scans = iter(range(1, 1 << 30))
    possible = [number for number in threads if number <= most_threads()]
    scans_of: dict[int, list[float]] = {number: [] for number in possible}
    iterations: dict[int, list[float]] = {number: [] for number in possible}
    bare: dict[int, list[float]] = {number: [] for number in possible}
    turns = Turns(scans_of, iterations, bare, why)
    arithmetic(1, np.empty(2))
    for _ in range(rounds):
        for number in possible:
            with use_threads(number):
                turns.bare[number].append(timed(lambda: arithmetic(ARITHMETIC, np.empty(2))))
                seconds = timed(
                    lambda: [sampler.scan(state, Clock(0, 0, next(scans))) for _ in range(SCANS)]
                )
                turns.scans[number].append(seconds / SCANS)
            if baseline is not None:
                train = partial(baseline.train, 1, workers=number)
                turns.iterations[number].append(timed(train))
    return turns


def lead(claim: Claim, turns: Turns, threads: int) -> Claim:
    """Return the claim against tomotopy with what was measured."""
    ours, theirs = turns.scans[threads], turns.iterations[threads]
    milliseconds = spread([1000 * s for s in ours], "ms")
    print(f"{threads} thread(s): a scan takes {milliseconds}", end="")
    if not theirs:
        print()
        return claim.missing(turns.why)
    print(f", an iteration {spread([1000 * s for s in theirs], 'ms')}")
    return claim.of(ratios(theirs, ours), note=f"a scan: {milliseconds}")


def measure(args: argparse.Namespace) -> list[Claim]:
    """Let all take turns."""
    turns = take_turns(model_corpus(args.docs), args.threads, args.rounds)
    claims = [lead(against(threads), turns, threads) for threads in turns.scans]
    for claim, seconds_of in ((SECOND_THREAD, turns.scans), (SECOND_CORE, turns.bare)):
        claims.append(
            claim.of(ratios(seconds_of[1], seconds_of[2]))
            if {1, 2} <= set(seconds_of)
            else claim.missing("it takes two cores, and --threads 1,2")
        )
    return claims


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=80_000)
    parser.add_argument(
        "--threads", type=lambda text: list(map(int, text.split(","))), default=[1, 2]
    )
    parser.add_argument("--rounds", type=int, default=15)
    run(parser, measure)


if __name__ == "__main__":
    main()
