"""Effective draws per second of eta and lambda2, beside the paper's scheme in the same code base.

The paper imputes all D x K affinities, and its eta and lambda2, drawn given eight million of them,
hardly move: to measure the effective draws of such a chain would take weeks. They are bounded
instead. From draws of frex's chain, which are from the posterior, the paper's scheme makes one step
each; with J the mean square of the steps of a quantity, and V its posterior variance, the lag-one
autocorrelation is r = 1 - J / 2V, and no reversible chain with it has more than (1 - r) / (1 + r)
effective draws a scan. So the ratio that is printed is the least that it can be.

The corpus is that of `benchmarks/scan.py`, the threads are the same. `benchmarks/paper.py` is the
scheme, and takes the faster choice wherever the paper leaves one; the ratio is printed for the
paper's full Hessian of the rates, and for frex's own rates beside the paper's affinities.

    python benchmarks/imputed.py [--docs 80000] [--threads 0] [--warmup 120] [--draws 300]
"""

from __future__ import annotations

import argparse
from copy import deepcopy
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from chains import draws, effective, warm_up
from claims import Claim, ratios, run, spread, timed
from corpora import describe, model_corpus
from paper import ImputedHyper, PaperSampler

from frex.model import WeakPriors
from frex.model.reductions import reduce
from frex.sampler.blocks.coordinates import affinity_position
from frex.sampler.scan import Sampler
from frex.sampler.start import find_map
from frex.sampler.state import Clock
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.sampler.state import State

CLAIMS = {
    "dense": Claim("effective draws of lambda2 per second / the paper's scheme", bar=100),
    "dense eta": Claim("effective draws of eta per second / the paper's scheme", bar=100),
    "tree": Claim("effective draws of lambda2 per second / the paper's affinities, frex's rates"),
}


class Drawn(NamedTuple):
    """Draws of (eta, log lambda) by frex, and the paper's steps from them, draws x quantities."""

    positions: NDArray[np.float64]
    steps: NDArray[np.float64]

    def effective(self) -> NDArray[np.float64]:
        """Return frex's effective draws a scan."""
        return effective(self.positions[None]) / len(self.positions)

    def bound(self) -> NDArray[np.float64]:
        """Return the most effective draws a scan that the paper's scheme can have."""
        half: NDArray[np.float64]
        half = 0.5 * (self.steps**2).mean(axis=0) / self.positions.var(axis=0)
        return half / (2 - half)


def draw(sampler: Sampler, state: State, first: int, n_draws: int, thin: int) -> Drawn:
    """Draw by frex, and make the paper's step from every `thin`-th draw."""
    block = ImputedHyper(sampler.priors)
    positions, steps = [], []
    for number, now in enumerate(draws(sampler, state, first, n_draws)):
        positions.append(affinity_position(now.hyper))
        if number % thin == 0:
            seen = sampler.context(now).statistics()
            moved, _ = block.draw(now.hyper, seen, Clock(1, 0, number))
            steps.append(affinity_position(moved) - positions[-1])
    return Drawn(np.array(positions), np.array(steps))


def scan_seconds(samplers: dict[str, Sampler], state: State, rounds: int) -> dict[str, list[float]]:
    """Let the samplers take turns with a scan, each from the same state on."""
    states = {name: deepcopy(state) for name in samplers}
    seconds: dict[str, list[float]] = {name: [] for name in samplers}
    for number in range(1 + rounds):
        for name, sampler in samplers.items():
            clock, own = Clock(2, 0, number), states[name]
            refresh = number == 0 and name != "frex"
            taken = timed(lambda: sampler.scan(own, clock, refresh=refresh))  # noqa: B023
            if number:
                seconds[name].append(taken)
    return seconds


def measure(args: argparse.Namespace) -> list[Claim]:
    """Draw, bound, and time the scans."""
    corpus = model_corpus(args.docs)
    print(describe(corpus), flush=True)
    # the paper's formulas do not condition on labels, and both sample the same posterior
    reduced, priors = reduce(corpus, conditioned=False), WeakPriors()
    frex = Sampler(reduced, priors)
    with use_threads(args.threads):
        state = find_map(frex)
        warm_up(frex, state, args.warmup)
        print("warm", flush=True)
        drawn = draw(frex, state, args.warmup, args.draws, args.thin)
        print(f"{args.draws} draws, {len(drawn.steps)} steps of the paper's scheme", flush=True)
        samplers = {
            "frex": frex,
            "dense": PaperSampler(reduced, priors),
            "tree": PaperSampler(reduced, priors, curvature="tree"),
        }
        seconds = scan_seconds(samplers, state, args.rounds)
    for name, own in seconds.items():
        print(f"a scan, {name}: {spread([1000 * s for s in own], 'ms')}")
    share, bound = drawn.effective(), drawn.bound()
    print(
        f"effective draws in a thousand scans: lambda2 {1000 * share[-1]:.0f}, the paper's at most "
        f"{1000 * bound[-1]:.2f}; eta, median topic, {1000 * np.median(share[:-1]):.0f} and "
        f"{1000 * np.median(bound[:-1]):.2f}"
    )
    gain = share / bound
    slower = {name: np.array(ratios(seconds[name], seconds["frex"])) for name in ("dense", "tree")}
    of_topics = gain[:-1] * np.median(slower["dense"])
    return [
        CLAIMS["dense"].of(gain[-1] * slower["dense"], note="or more: the paper's is bounded"),
        CLAIMS["dense eta"].of(of_topics, note="or more; median and range over topics"),
        CLAIMS["tree"].of(gain[-1] * slower["tree"], note="or more"),
    ]


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--docs", type=int, default=80_000)
    parser.add_argument("--threads", type=int, default=0, help="0 for one per core")
    parser.add_argument("--warmup", type=int, default=120)
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--thin", type=int, default=3, help="draws for a step of the paper's")
    parser.add_argument("--rounds", type=int, default=3)
    run(parser, measure)


if __name__ == "__main__":
    main()
