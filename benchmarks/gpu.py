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
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit, prange
from scipy.sparse import csr_array

from frex.corpus import Corpus
from frex.model import branching_tree, simulate
from frex.model.reductions import reduce
from frex.sampler.chain import fit
from frex.sampler.kernels.random import normals, uniforms
from frex.sampler.settings import Settings
from frex.sampler.state import Block, Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from frex.sampler.cuda.sampler import CudaSampler
    from frex.sampler.cuda.state import DeviceState

N_WORDS, BRANCHING = 10_421, (6, 16)
LABELS_PER_DOCUMENT, MEAN_LENGTH = 0.72, 125
"""With it a third of the documents that have a label have several."""

MOST_LABELS = 16


@njit(parallel=True, cache=True)
def draw_labels(hyper, topics, shares, n_labels):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Draw every document's labels, until it has one, and its memberships."""
    seed, mean, sd = hyper
    for d in prange(len(topics)):
        tries, m = 0, 0
        while m == 0:
            for k in range(len(mean)):
                z, _ = normals(seed, d, k, 0, tries)
                u, _ = uniforms(seed, d, k, 1, tries)
                affinity = mean[k] + sd * z
                if u < 1.0 / (1.0 + np.exp(-affinity)) and m < MOST_LABELS:
                    topics[d, m] = k
                    shares[d, m] = np.exp(affinity)
                    m += 1
            tries += 1
        n_labels[d] = m
        shares[d, :m] /= shares[d, :m].sum()


@njit(parallel=True, cache=True)
def draw_tokens(drawn, starts, cumulated, tokens, n_distinct):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Draw every document's tokens, and sort them."""
    seed, topics, shares = drawn
    for d in prange(len(starts) - 1):
        own = tokens[starts[d] : starts[d + 1]]
        for t in range(len(own)):
            u, v = uniforms(seed, d, t, 2, 0)
            k = 0
            while u > shares[d, k] and k < MOST_LABELS - 1 and shares[d, k + 1] > 0:
                u -= shares[d, k]
                k += 1
            topic = topics[d, k]
            own[t] = min(np.searchsorted(cumulated[topic], v), cumulated.shape[1] - 1)
        own.sort()
        distinct = 0
        for t in range(len(own)):
            distinct += t == 0 or own[t] != own[t - 1]
        n_distinct[d] = distinct


@njit(parallel=True, cache=True)
def count_tokens(starts, tokens, row_starts, words, counts):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN201
    """Count every document's words."""
    for d in prange(len(starts) - 1):
        place = row_starts[d] - 1
        for t in range(starts[d], starts[d + 1]):
            if t == starts[d] or tokens[t] != tokens[t - 1]:
                place += 1
                words[place] = tokens[t]
                counts[place] = 0
            counts[place] += 1


def make_corpus(n_documents: int, seed: int = 1) -> Corpus:
    """Draw a corpus: rates by the simulator, documents here, all cores at once."""
    tree = branching_tree(BRANCHING)
    _, truth = simulate(
        tree, 100, N_WORDS, rates="zipf", mean_length=MEAN_LENGTH,
        labels_per_document=LABELS_PER_DOCUMENT, drop_empty=True, seed=seed,
    )  # fmt: skip
    rates = np.exp(truth.log_rates[:, 1:].T)
    cumulated = np.cumsum(rates / rates.sum(axis=1, keepdims=True), axis=1)
    key = np.uint64(seed)
    topics = np.zeros((n_documents, MOST_LABELS), np.int32)
    shares, n_labels = np.zeros(topics.shape), np.zeros(n_documents, np.int64)
    hyper = truth.hyper
    draw_labels(
        (key, hyper.affinity_mean, np.sqrt(hyper.affinity_variance)), topics, shares, n_labels
    )
    rng = np.random.default_rng(seed)
    lengths = np.maximum(1, rng.poisson(rng.gamma(4, MEAN_LENGTH / 4, n_documents)))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    tokens, n_distinct = np.empty(starts[-1], np.int16), np.empty(n_documents, np.int64)
    draw_tokens((key, topics, shares), starts, cumulated, tokens, n_distinct)
    row_starts = np.concatenate([[0], np.cumsum(n_distinct)])
    words, counts = np.empty(row_starts[-1], np.int32), np.empty(row_starts[-1], np.int32)
    count_tokens(starts, tokens, row_starts, words, counts)
    label_starts = np.concatenate([[0], np.cumsum(n_labels)])
    active = topics[np.arange(MOST_LABELS) < n_labels[:, None]]
    return Corpus(
        csr_array((counts, words, row_starts), shape=(n_documents, N_WORDS)),
        csr_array(
            (np.ones(len(active), np.bool_), active, label_starts),
            shape=(n_documents, tree.n_topics),
        ),
        [f"w{f}" for f in range(N_WORDS)],
        [f"d{d}" for d in range(n_documents)],
        tree,
    )


def bandwidth() -> float:
    """Return the bytes that a second moves, read and written, in a large copy on the device."""
    from frex.sampler.cuda.memory import cuda  # noqa: PLC0415 - an extra

    source, target = (cuda.device_array(1 << 28) for _ in range(2))

    def copy() -> None:
        target.copy_to_device(source)

    return 2 * 8 * (1 << 28) / milliseconds(copy, 20) * 1000


def milliseconds(work: Callable[[], object], times: int = 9) -> float:
    """Return the median time of some work, the device's share included."""
    from frex.sampler.cuda.memory import cuda  # noqa: PLC0415

    taken = []
    for _ in range(times):
        cuda.synchronize()
        start = time.perf_counter()
        work()
        cuda.synchronize()
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


def blocks(
    sampler: CudaSampler, state: DeviceState
) -> dict[str, tuple[Callable[[], object], float]]:
    """Return the parts of a scan, each with the bytes that it cannot but move."""
    corpus, words, documents = sampler.corpus, sampler.words, sampler.documents
    pairs, tokens = len(corpus.theta), len(corpus.words.counts)
    rates, cells = len(corpus.gathered), corpus.n_words * corpus.n_nodes
    pass_words = 12 * pairs + 4 * tokens + 24 * cells
    pass_documents = 8 * rates + 4 * len(corpus.documents.counts)
    clock = Clock(0, 0, 1)
    given, around = sampler.given(state), sampler.around(state)
    squares = words.find_squares(state.log_rates)
    statistics_ = sampler.affinity_hyper.statistics_of(
        state.affinities, state.hyper, around.affinity_mean
    )
    steps = sampler.rate_steps.on_device, sampler.affinity_steps.on_device
    hyper = state.hyper
    return {
        "memberships to words": (lambda: sampler.given(state), 12 * pairs),
        "log rates": (
            lambda: words.update(state, given, steps[0], clock.address(Block.RATES)),
            4 * pass_words + 4 * 7 * 8 * cells,
        ),
        "nu, sigma2": (lambda: sampler.dispersion_hyper.update(hyper, squares, clock), 0),
        "dispersions": (
            lambda: words.draw_dispersions(
                hyper.dispersion_df, hyper.dispersion_scale, clock.address(Block.DISPERSIONS),
                state.dispersions,
            ),
            0,
        ),
        "nu, sigma2 with words": (
            lambda: sampler.dispersion_interweaving.update_on(state, given, clock),
            pass_words + 2 * 20 * 8 * cells,
        ),
        "rates to documents": (lambda: sampler.around(state), 8 * rates + 8 * cells),
        "affinities": (
            lambda: documents.update(state, around, steps[1], clock.address(Block.AFFINITIES)),
            3 * pass_documents,
        ),
        "eta, lambda": (lambda: sampler.affinity_hyper.update(hyper, statistics_, clock), 0),
        "eta, lambda with documents": (
            lambda: sampler.affinity_interweaving.update_on(state, around, statistics_, clock),
            5 * pass_documents,
        ),
        "modes of words": (lambda: words.refresh(state, given), 0),
        "modes of documents": (lambda: documents.refresh(state, around), 0),
    }  # fmt: skip


def table(corpus: Corpus) -> None:
    """Print the time of every block beside its floor."""
    from frex.sampler.cuda.sampler import CudaSampler  # noqa: PLC0415 - an extra
    from frex.sampler.cuda.start import find_map  # noqa: PLC0415

    speed = bandwidth()
    print(f"a large copy moves {speed / 1e12:.2f} TB/s", flush=True)
    start = time.perf_counter()
    sampler = CudaSampler(reduce(corpus), Settings().prior_family)
    print(f"corpus on the device after {time.perf_counter() - start:.1f} s", flush=True)
    start = time.perf_counter()
    state = find_map(sampler)
    print(f"middle of the posterior after {time.perf_counter() - start:.1f} s", flush=True)
    print(f"{len(sampler.corpus.theta):,} pairs of token and label of words", flush=True)
    for scan in range(4):
        sampler.scan(state, Clock(0, 0, scan), refresh=scan == 0)
    print("\n| block | ms | floor, ms |\n|---|---:|---:|")
    for name, (work, moved) in blocks(sampler, state).items():
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


def describe(corpus: Corpus) -> str:
    """Return the corpus' sizes."""
    n_labels: NDArray[np.int32] = np.diff(corpus.labels.indptr)
    return (
        f"{corpus.n_documents:,} documents, {corpus.n_tokens:,} tokens, {corpus.n_words:,} words, "
        f"{corpus.tree.n_nodes if corpus.tree else 0} nodes, {(n_labels > 1).mean():.0%} with "
        f"several labels, at most {n_labels.max()}"
    )


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
    whole_fit(make_corpus(2000), small, out)
    print(f"compiled after {time.perf_counter() - start:.1f} s", flush=True)
    start = time.perf_counter()
    corpus = make_corpus(args.docs)
    print(f"{describe(corpus)}; drawn in {time.perf_counter() - start:.1f} s", flush=True)
    table(corpus)
    seconds = whole_fit(corpus, settings, out)
    print(f"{args.scans:,} scans, from the loaded corpus to the saved fit: {seconds:.1f} s")


if __name__ == "__main__":
    main()
