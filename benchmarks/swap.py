"""A block that frex does not have: affinities of two labels of a document swapped.

Where lambda is large a document is nearly all about one of its labels, and may be so about either:
trajectories hardly cross from one mode to the other, and a swap does. It is a block as those of
`frex.sampler.blocks`, and this module is all that it takes: its kernel, its name and its update. A
sampler runs it once it is among its blocks.

With xi_i and xi_j swapped theta_i and theta_j are, and nothing else. With s = theta' beta_f before,
s' = s + (theta_j - theta_i)(beta_fi - beta_fj) after, and B_k the sum of beta_fk over words

    log ratio   sum_f w_f log(s'/s) - l (B_i - B_j)(theta_j - theta_i)
                    - [(xi_j - eta_i)^2 + (xi_i - eta_j)^2 - (xi_i - eta_i)^2 - (xi_j - eta_j)^2]
                      / (2 lambda2)

The labels' log logistic(xi_i) + log logistic(xi_j) is the same before and after.

    python benchmarks/swap.py CORPUS [--warmup 150] [--draws 500]

prints, with the block and without it, CPU milliseconds of a scan, effective draws of 300
memberships and of the hyperparameters, and how many memberships have an R-hat above 1.05.
`NOTES.md` has figures.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,untyped-decorator"
# ruff: noqa: ANN001, ANN201, PLR0917 - Numba infers the types of what it
# compiles; a kernel is a loop, and what it reads is handed to it one by one

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from arviz_stats.base.array import array_stats
from chains import effective, warm_up

from frex.corpus import read_corpus
from frex.model import WeakPriors
from frex.model.reductions import reduce
from frex.sampler.engines.cpu.engine import CpuEngine
from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.formulas.elementary import log
from frex.sampler.formulas.random import uniforms
from frex.sampler.kernels.documents import first_count
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.vectors import LANES
from frex.sampler.scan import Sampler
from frex.sampler.start import dispersed, find_map
from frex.sampler.state import Clock, Stream
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.context import Context
    from frex.sampler.state import State

N_TRIES = 3


@inner
def prior_log_ratio(one, other, eta_one, eta_other, variance):
    """Return what the prior says of a swap: the squares cancel."""
    return -(one - other) * (eta_one - eta_other) / variance


@inner
def mix(m, first_label, length, place, n_words, gathered, theta, mixed):
    """Fill s of a document's words."""
    for word in range(n_words):
        total = 0.0
        for k in range(m):
            total += theta[first_label + k] * gathered[place + k * length + word]
        mixed[word] = total


@parallel("data.bin_order")
def swap_affinities(stretch, data, state, address, n_tries, accepted, energy):
    """Propose so many swaps in every document; fill the mean acceptance and the last change."""
    affinities, theta = state.affinities, state.memberships
    for turn in range(*stretch):
        b = data.bin_order[turn]
        gathered, counts = state.gathered.reshape(-1), data.eights.reshape(-1)
        for spot in range(data.bin_starts[b], data.bin_starts[b + 1]):
            d = data.bin_documents[spot]
            first_label = data.label_starts[d]
            m = data.label_starts[d + 1] - first_label
            n_words = data.starts[d + 1] - data.starts[d]
            length = LANES * (data.eight_starts[d + 1] - data.eight_starts[d])
            place, first = LANES * data.rate_starts[d], first_count(d, data)
            mixed = np.empty(n_words)
            mix(m, first_label, length, place, n_words, gathered, theta, mixed)
            accepted[d], energy[d] = 0.0, 0.0
            for number in range(n_tries):
                u, v = uniforms(address.key, d, address.scan, address.stream, 2 * number)
                i = min(np.int64(u * m), m - 1)
                j = min(np.int64(v * (m - 1)), m - 2)
                j += j >= i
                one, other = first_label + i, first_label + j
                node_one, node_other = data.nodes[one], data.nodes[other]
                shift = theta[other] - theta[one]
                change = prior_log_ratio(
                    affinities[one], affinities[other], state.affinity_mean[node_one],
                    state.affinity_mean[node_other], state.affinity_variance,
                )  # fmt: skip
                more = state.rate_sums[node_one] - state.rate_sums[node_other]
                change -= data.exposures[d] * more * shift
                row, next_row = place + i * length, place + j * length
                for word in range(n_words):
                    away = shift * (gathered[row + word] - gathered[next_row + word])
                    change += counts[first + word] * log(1.0 + away / mixed[word])
                energy[d] = change
                w, _ = uniforms(address.key, d, address.scan, address.stream, 2 * number + 1)
                if not math.isfinite(change):
                    continue
                accepted[d] += min(1.0, math.exp(change)) / n_tries
                if math.log(w) < change:
                    affinities[one], affinities[other] = affinities[other], affinities[one]
                    theta[one], theta[other] = theta[other], theta[one]
                    for word in range(n_words):
                        away = gathered[row + word] - gathered[next_row + word]
                        mixed[word] += shift * away


class Swap:
    """Affinities of documents with several labels, memberships along.

    Parameters
    ----------
    engine
        Which has the corpus.
    """

    name, step = "swap", None

    def __init__(self, engine: CpuEngine) -> None:
        self.data = engine.data.documents

    def refresh(self, context: Context) -> None:
        """Find nothing: there is nothing to learn."""

    def update(self, context: Context, clock: Clock) -> Moves:
        """Propose swaps in every document."""
        documents: Any = context.documents()
        accepted, energy = np.empty((2, documents.n_items))
        address = clock.address(Stream.LEVELS)  # which only models without labels use
        swap_affinities(
            self.data, documents.given(context.state), address, N_TRIES, accepted, energy
        )
        context.moved("memberships")
        return Moves(None, float(accepted.mean()), float(np.abs(energy).mean()))

    def learned(self) -> list[Learned]:
        """Return nothing."""
        return []


def with_swaps(sampler: Sampler, engine: CpuEngine) -> Sampler:
    """Put the block before the affinities' own, which works out the likelihood anew."""
    blocks = list(sampler.blocks.items())
    place = [name for name, _ in blocks].index("affinities")
    sampler.blocks = dict([*blocks[:place], (Swap.name, Swap(engine)), *blocks[place:]])
    return sampler


def chain(
    sampler: Sampler, state: State, number: int, args: argparse.Namespace
) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return memberships and hyperparameters of a chain's draws, and its CPU seconds."""
    warm_up(sampler, state, args.warmup, seed=number)
    rng = np.random.default_rng(0)
    traced = rng.choice(len(state.memberships), min(300, len(state.memberships)), replace=False)
    memberships, hyper, seconds = [], [], 0.0
    for scan in range(args.warmup, args.warmup + args.draws):
        begun = time.process_time()
        sampler.scan(state, Clock(number, 0, scan))
        seconds += time.process_time() - begun
        memberships.append(state.memberships[traced])
        own = state.hyper
        three = own.affinity_variance, own.dispersion_df, own.dispersion_scale
        hyper.append([*np.log(three), *own.affinity_mean])
    return np.array(memberships), np.array(hyper), seconds


def main() -> None:
    """Run two chains with the block and two without it."""
    parser = argparse.ArgumentParser(description="Effective draws with swaps and without.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--warmup", type=int, default=150)
    parser.add_argument("--draws", type=int, default=500)
    args = parser.parse_args()
    engine = CpuEngine(reduce(read_corpus(args.corpus).without_empty_topics()))
    stats: Any = array_stats
    with use_threads(1):
        plain = Sampler(engine, WeakPriors())
        middle = find_map(plain)
        starts = [dispersed(plain, middle, Clock(0, number, 0)) for number in range(2)]
        for swaps in (False, True):
            found = []
            for number, start in enumerate(starts):
                sampler = Sampler(engine, WeakPriors())
                sampler = with_swaps(sampler, engine) if swaps else sampler
                found.append(chain(sampler, engine.copied(start), number, args))
            memberships, hyper, seconds = (np.array(part) for part in zip(*found, strict=True))
            share, three = effective(memberships), effective(hyper[..., :3])
            rhat = stats.rhat(memberships, method="rank", chain_axis=0, draw_axis=1)
            print(
                f"{'with' if swaps else 'without'} swaps: "
                f"{1000 * seconds.sum() / (2 * args.draws):.1f} ms of CPU a scan; memberships: "
                f"median of {np.median(share):.0f} effective draws of {2 * args.draws}, "
                f"{100 * np.mean(rhat > 1.05):.0f} % above 1.05; lambda2, nu, sigma2 "
                f"{three.round()}, eta median {np.median(effective(hyper[..., 3:])):.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
