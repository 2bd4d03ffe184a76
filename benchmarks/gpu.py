"""Time a fit on one GPU, of a corpus of the size of RCV1 that is drawn from the model.

806,791 documents, about 100 million tokens, 10,421 words, 103 nodes, a third of the documents with
several labels. Prints the time of every block of a scan beside the least time in which its bytes
can be moved, at the bandwidth that a large copy has; and the time of a whole fit, from the loaded
corpus to the saved fit. Kernels are compiled before the clock starts: a machine does that once.

    python benchmarks/gpu.py [--docs 806791] [--scans 1000] [--out FOLDER]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpora import describe, rcv1_sized

from frex.model.reductions import reduce
from frex.sampler.fit import fit
from frex.sampler.scan import Sampler
from frex.sampler.settings import Settings
from frex.sampler.start import find_map
from frex.sampler.state import Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.corpus import Corpus
    from frex.sampler.state import State


def bandwidth() -> float:
    """Return the bytes that a second moves, read and written, in a large copy on the device."""
    from frex.sampler.engines.cuda.memory import cuda  # noqa: PLC0415 - an extra

    source, target = (cuda.device_array(1 << 28) for _ in range(2))

    def copy() -> None:
        target.copy_to_device(source)

    return 2 * 8 * (1 << 28) / milliseconds(copy, 20) * 1000


def milliseconds(work: Callable[[], object], times: int = 9) -> float:
    """Return the median time of some work, the device's share included."""
    from frex.sampler.engines.cuda.memory import cuda  # noqa: PLC0415

    taken = []
    for _ in range(times):
        cuda.synchronize()
        start = time.perf_counter()
        work()
        cuda.synchronize()
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def parts(sampler: Sampler, state: State) -> dict[str, tuple[Callable[[], object], float]]:
    """Return the parts of a scan, each with the bytes that it cannot but move."""
    engine: Any = sampler.engine
    corpus, words, documents = engine.corpus, sampler.words, sampler.documents
    pairs, tokens = len(corpus.theta), len(corpus.words.counts)
    rates, cells = len(corpus.gathered), corpus.n_words * corpus.n_nodes
    pass_words = 12 * pairs + 4 * tokens + 24 * cells
    pass_documents = 8 * rates + 4 * len(corpus.documents.counts)
    floors = {
        "rates": 4 * pass_words + 4 * 7 * 8 * cells,
        "dispersion_interweaving": pass_words + 2 * 20 * 8 * cells,
        "affinities": 3 * pass_documents,
        "affinity_interweaving": 5 * pass_documents,
    }
    clock, context = Clock(0, 0, 1), sampler.context(state)
    found: dict[str, tuple[Callable[[], object], float]] = {
        "memberships to words": (
            lambda: words.set_memberships(
                documents.exposure(state), documents.all_memberships(state)
            ),
            12 * pairs,
        ),
        "rates to documents": (
            lambda: documents.set_rates(*words.exponentiate(state)),
            8 * rates + 8 * cells,
        ),
        "modes of words": (lambda: context.words().find_modes(state), 0),
        "modes of documents": (lambda: context.documents().find_modes(state), 0),
    }
    for name, block in sampler.blocks.items():
        found[name] = partial(block.update, context, clock), floors.get(name, 0)
    return found


def table(corpus: Corpus) -> None:
    """Print the time of every block beside its floor."""
    from frex.sampler.engines.cuda.engine import CudaEngine  # noqa: PLC0415 - an extra

    speed = bandwidth()
    print(f"a large copy moves {speed / 1e12:.2f} TB/s", flush=True)
    start = time.perf_counter()
    engine = CudaEngine(reduce(corpus))
    sampler = Sampler(engine, Settings().prior_family)
    print(f"corpus on the device after {time.perf_counter() - start:.1f} s", flush=True)
    start = time.perf_counter()
    state = find_map(sampler)
    print(f"middle of the posterior after {time.perf_counter() - start:.1f} s", flush=True)
    print(f"{len(engine.corpus.theta):,} pairs of token and label of words", flush=True)
    for scan in range(4):
        sampler.scan(state, Clock(0, 0, scan), refresh=scan == 0)
    print("\n| block | ms | floor, ms |\n|---|---:|---:|")
    for name, (work, moved) in parts(sampler, state).items():
        floor = f"{1000 * moved / speed:.2f}" if moved else ""
        print(f"| {name} | {milliseconds(work):.2f} | {floor} |", flush=True)
    scans = iter(range(4, 1 << 30))
    both = milliseconds(lambda: [sampler.scan(state, Clock(0, 0, next(scans))) for _ in range(2)])
    print(f"| a scan, mean of two | {0.5 * both:.2f} | |", flush=True)


def whole_fit(corpus: Corpus, settings: Settings, out: Path) -> float:
    """Return the seconds from the loaded corpus to the saved fit."""
    start = time.perf_counter()

    def show(status: Any) -> None:
        if status.phase == "start" or status.done % 100 == 0:
            seconds = time.perf_counter() - start
            print(f"{status.phase} {status.done} of {status.total}: {seconds:.1f} s", flush=True)

    fit(corpus, settings, progress=show).write(out, overwrite=True)
    return time.perf_counter() - start


def main() -> None:
    """Draw the corpus, and print the table and the time of a fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=806_791)
    parser.add_argument("--scans", type=int, default=1000)
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    out = args.out or Path(tempfile.mkdtemp()) / "fit"
    warmup = int(0.3 * args.scans)
    settings = Settings(device="cuda", chains=1, warmup=warmup, draws=args.scans - warmup)

    start = time.perf_counter()
    small = Settings(device="cuda", chains=1, warmup=3, draws=3)
    whole_fit(rcv1_sized(2000), small, out)
    print(f"compiled after {time.perf_counter() - start:.1f} s", flush=True)
    start = time.perf_counter()
    corpus = rcv1_sized(args.docs)
    print(f"{describe(corpus)}; drawn in {time.perf_counter() - start:.1f} s", flush=True)
    table(corpus)
    seconds = whole_fit(corpus, settings, out)
    print(f"{args.scans:,} scans, from the loaded corpus to the saved fit: {seconds:.1f} s")


if __name__ == "__main__":
    main()
