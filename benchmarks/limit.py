"""Compare a scan with a lower bound of its time on the machine.

The time of a scan over the time of the simplest Numba loop that streams the same bytes and does the
same floating-point work. What is counted, block by block, is in `work`: how many things of a kind a
block goes over (triples of document, word and label; pairs of document and word; cells of word and
node; groups of siblings; labels; points of a quadrature), the bytes of each that it cannot but
read or write, and the operations on each of all its passes. The loop knows no tree and no index: it
goes over flat arrays, a stretch that fits into the cache at a time, reads each number once, and
does the operations by rows, so that the compiler vectorises them. Exponentials, logarithms and
normals are frex's own. Integer work, jumps in memory and dependencies are what it does not have.

    python benchmarks/limit.py [--docs 80000] [--threads 1] [--rounds 9]
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,untyped-decorator"
# ruff: noqa: ANN001, ANN201, C901, PLR0912 - Numba infers the types of what it compiles; an
# operation is a loop

from __future__ import annotations

import argparse
import math
import statistics
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from chains import ready_to_scan
from claims import Claim, ratios, run, timed
from corpora import describe, model_corpus

from frex.model import WeakPriors
from frex.model.labels import LOGISTIC_STEP, REACH
from frex.model.reductions import reduce
from frex.sampler.blocks import (
    affinities,
    affinity_hyper,
    affinity_interweaving,
    dispersion_hyper,
    dispersion_interweaving,
    rates,
)
from frex.sampler.formulas import swaps
from frex.sampler.formulas.elementary import exp, log
from frex.sampler.kernels.options import parallel
from frex.sampler.kernels.random import fill_normals
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.state import State

CLAIM = Claim("a scan / the same work in the simplest loop, 1 thread", bar=2, sense="under")

CHUNK = 1024
"""Things that the loop has in hand at a time: two rows of them are 16 KiB."""

WORDS, DOCUMENTS = "nu, sigma2 with the words", "eta, lambda with the documents"
BLOCKS = {
    "log rates": "rates",
    "nu, sigma2": "dispersion_hyper",
    WORDS: "dispersion_interweaving",
    "swaps": "swaps",
    "affinities": "affinities",
    "eta, lambda": "affinity_hyper",
    DOCUMENTS: "affinity_interweaving",
    "scaling": "affinity_scaling",
}
REST = "the rest"


class Work(NamedTuple):
    """What a block does to things of one kind: bytes and operations on each, of all passes."""

    block: str
    n: int
    bytes: int
    fma: int = 0
    divide: int = 0
    root: int = 0
    exp: int = 0
    log: int = 0
    normal: int = 0


def work(sampler: Sampler, state: State) -> list[Work]:
    """Count the work of a scan."""
    reduced = sampler.engine.reduced
    n_words, n_labels = np.diff(reduced.counts.indptr), np.diff(reduced.labels.indptr)
    triples, pairs = int(n_words @ n_labels), reduced.counts.nnz
    labels, squares = reduced.labels.nnz, int(n_labels @ n_labels)
    cells, groups = state.log_rates.size, state.dispersions.size
    # points of the quadrature over affinities, about
    sd = math.sqrt(state.hyper.affinity_variance)
    points = int(len(state.hyper.affinity_mean) * (2 * REACH * sd / LOGISTIC_STEP + 10))
    # gradients of a trajectory: one more than stages; logarithms at its two ends
    g, h, q = rates.N_STAGES + 1, dispersion_hyper.N_STAGES + 1, affinity_hyper.N_STAGES + 1
    a, w = affinities.N_STAGES[True] + 1, dispersion_interweaving.N_STAGES + 1
    d = affinity_interweaving.N_STAGES[True] + 1
    swapped = np.minimum(swaps.MOST_TRIES, n_labels - 1)  # pairs of labels tried in a document
    tried = int(n_words @ swapped)
    return [
        # membership, 4 bytes, and node, 2; a multiply-add for the mixture, one for the gradient
        Work("log rates", triples, bytes=6, fma=2 * g),
        # document 4, count 2; count / mixture, count log mixture
        Work("log rates", pairs, bytes=6, fma=2, divide=g, log=2),
        # log rate in and out, slopes out, 8 bytes each; curvature, single counts, 4. Of each
        # gradient: likelihood 2, prior 3, kick 1, solve 2; drifts; factor, colour, energies
        Work(
            "log rates", cells, bytes=32, fma=8 * g + (g - 1) + 14, divide=g + 2, root=1, exp=g,
            normal=1,
        ),
        Work("nu, sigma2", groups, bytes=8 * h, fma=3 * h, divide=2 * h, log=h),
        # elimination 16, way down 30, with slopes in two directions; once more for what is held.
        # The Gaussians have 4 bytes
        Work(WORDS, cells, bytes=24 * (w + 1), fma=46 * w + 6, divide=w + 2, root=w + 1, log=w),
        Work(WORDS, groups, bytes=16 * (w + 1), fma=12 * w, divide=w + 1, root=w + 1, exp=2 * w),
        # the likelihood is known where the trajectory starts
        Work(WORDS, triples, bytes=6 * (w - 1), fma=2 * (w - 1)),
        Work(WORDS, pairs, bytes=6 * (w - 1), fma=w - 1, divide=w - 1, log=w - 1),
        Work(WORDS, cells, bytes=4 * (w - 1), fma=4 * (w - 1), exp=w - 1),
        # the mixture, and the shift from one label to the other; a logarithm of their ratio
        Work("swaps", int(n_words @ (n_labels * swapped)), bytes=4, fma=1),
        Work("swaps", tried, bytes=2, fma=2, divide=1, log=1),
        # two mixtures, and a logarithm of their ratio
        Work("scaling", triples, bytes=4, fma=2),
        Work("scaling", pairs, bytes=2, fma=1, divide=1, log=1),
        Work("scaling", labels, bytes=32, divide=1, exp=3, log=2),
        # rates gathered, 8 bytes in and 4 out, and then read; word and count, 2 each
        Work("affinities", triples, bytes=16, fma=2 * a),
        Work("affinities", pairs, bytes=4, fma=2, divide=a, log=2),
        Work("affinities", labels, bytes=40, fma=6 * a, divide=3 * a, exp=3 * a, log=2, normal=1),
        Work("affinities", squares, bytes=8, fma=2 * a + 2),
        Work("eta, lambda", points, bytes=8, fma=10 * q, exp=4 * q, log=q),
        Work(DOCUMENTS, points, bytes=8, fma=10 * d, exp=4 * d, log=d),
        # the likelihood is known at the start; a logarithm at the end only
        Work(DOCUMENTS, triples, bytes=4 * (d - 1), fma=2 * (d - 1)),
        Work(DOCUMENTS, pairs, bytes=2 * (d - 1), fma=1, divide=d - 1, log=1),
        Work(
            DOCUMENTS, labels, bytes=32 * d, fma=10 * d, divide=3 * d, root=d, exp=3 * d, log=d + 2
        ),
        Work(DOCUMENTS, squares, bytes=8 * (d + 1), fma=4 * d + 2),
        # squares of deviations; rates and their sums; dispersions, each a gamma variate
        Work(REST, cells, bytes=8, fma=2),
        Work(REST, cells, bytes=16, fma=1, exp=1),
        Work(REST, groups, bytes=16, fma=4, divide=1, log=2, normal=2),
        Work(REST, labels, bytes=24, fma=4),
    ]  # fmt: skip


@parallel("out")
def simplest_loop(stretch, memory, amounts, out):
    """Go over so many things, reading their bytes once and doing the operations on each."""
    n, n_bytes, fma, divide, root, exps, logs, normals = amounts
    n_chunks = (n + CHUNK - 1) // CHUNK
    for c in range(*stretch):
        x, y = np.empty(CHUNK), np.ones(CHUNK)
        for i in range(CHUNK):
            x[i] = 1.0 + 0.001 * i
        total = 0.0
        streamed = memory[n * n_bytes // 8 * c // n_chunks : n * n_bytes // 8 * (c + 1) // n_chunks]
        for i in range(len(streamed)):
            total += streamed[i]
        x[0] += 1e-300 * total
        own_x, own_y = x[: min(CHUNK, n - c * CHUNK)], y[: min(CHUNK, n - c * CHUNK)]
        for _ in range(fma):
            for i in range(len(own_y)):
                own_y[i] = 0.5 * own_y[i] + own_x[i]
        for _ in range(divide):
            for i in range(len(own_y)):
                own_y[i] = own_x[i] / own_y[i]
        for _ in range(root):
            for i in range(len(own_y)):
                own_y[i] = math.sqrt(own_y[i])
        for _ in range(exps):
            for i in range(len(own_y)):
                own_y[i] = exp(-own_y[i])
        for _ in range(logs):
            for i in range(len(own_y)):
                own_y[i] = log(own_y[i] + 1.5)
        for draw in range(normals):
            fill_normals(np.uint64(1), c, draw, 0, 0, own_y)
        out[c] = own_y[0]


class Timed:
    """Times the updates of a sampler's blocks, which else are as they were."""

    def __init__(self, sampler: Sampler) -> None:
        self.seconds = dict.fromkeys(BLOCKS, 0.0)
        for name, attribute in BLOCKS.items():
            block: Any = sampler.blocks[attribute]
            block.update = self._wrapped(name, block.update)

    def _wrapped(self, name: str, update: Any) -> Any:
        def wrapped(*given: Any) -> Any:
            result = []
            self.seconds[name] += timed(lambda: result.append(update(*given)))
            return result[0]

        return wrapped


def loop_seconds(works: list[Work], memory: NDArray[np.float64]) -> dict[str, float]:
    """Return the time of the simplest loop for every block."""
    found = dict.fromkeys([*BLOCKS, REST], 0.0)
    for own in works:
        out = np.empty(-(-own.n // CHUNK))
        found[own.block] += timed(lambda: simplest_loop(memory, tuple(own[1:]), out))  # noqa: B023
    return found


def measure(args: argparse.Namespace) -> list[Claim]:
    """Let scan and loop take turns."""
    corpus = model_corpus(args.docs)
    print(describe(corpus), flush=True)
    sampler = Sampler(reduce(corpus), WeakPriors())
    with use_threads(args.threads):
        state = ready_to_scan(sampler)
        works = work(sampler, state)
        memory = np.ones(max(own.n * own.bytes for own in works) // 8 + 1)
        loop_seconds(works, memory)  # compiles
        blocks = Timed(sampler)
        scans, loops = [], []
        for scan in range(2, 2 + args.rounds):
            clock = Clock(0, 0, scan)
            scans.append(timed(lambda: sampler.scan(state, clock)))  # noqa: B023
            loops.append(loop_seconds(works, memory))
    taken = {name: seconds / args.rounds for name, seconds in blocks.seconds.items()}
    taken[REST] = statistics.mean(scans) - sum(taken.values())
    print("\n| block | a scan, ms | the loop, ms | ratio |\n|---|---:|---:|---:|")
    for name, seconds in taken.items():
        loop = statistics.median(one[name] for one in loops)
        print(f"| {name} | {1000 * seconds:.1f} | {1000 * loop:.1f} | {seconds / loop:.1f} |")
    return [CLAIM.of(ratios(scans, [sum(loop.values()) for loop in loops]))]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=80_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=9)
    run(parser, measure)


if __name__ == "__main__":
    main()
