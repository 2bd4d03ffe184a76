"""Measure mixing: effective draws and R-hat of every hyperparameter.

On a corpus drawn from the model, or on a corpus folder, with the interweaving moves and without
them; prints a table. The defaults of `frex fit` are used but for the number of draws.

    python benchmarks/mixing.py [--corpus FOLDER | --docs 4000 --words 800 --branching 4,5]
        [--draws 700] [--without]
"""

from __future__ import annotations

import argparse

import numpy as np
from claims import Claim, run

from frex.corpus import read_corpus
from frex.model import branching_tree, simulate
from frex.posterior import HYPERPARAMETERS
from frex.posterior.measures import measure
from frex.sampler.fit import fit
from frex.sampler.settings import Settings

CLAIM = Claim("effective draws in a hundred, worst hyperparameter", unit="%")


def measure_mixing(args: argparse.Namespace) -> list[Claim]:
    """Fit, and print what the draws are worth."""
    truth = None
    if args.corpus:
        corpus = read_corpus(args.corpus)
    else:
        branching = tuple(int(width) for width in args.branching.split(","))
        corpus, truth = simulate(
            branching_tree(branching), args.docs, args.words, rates="zipf", seed=7
        )
    print(corpus, flush=True)
    claims = []
    for interweave in (True, False) if args.without else (True,):
        posterior = fit(corpus, Settings(draws=args.draws, interweave=interweave))
        n_draws = posterior.n_chains * posterior.n_draws
        milliseconds = 1000 * float(np.median(posterior.stats["seconds"]))
        print(f"\ninterweaving: {interweave}; a scan takes {milliseconds:,.0f} ms")
        print("| hyperparameter | effective draws in a hundred | R-hat |\n|---|---:|---:|")
        least, highest = 100.0, 1.0
        for name, rows in measure(posterior, HYPERPARAMETERS).items():
            effective = 100 * min(row.ess_bulk for row in rows) / n_draws
            r_hat = max(row.r_hat for row in rows)
            least, highest = min(least, effective), max(highest, r_hat)
            print(f"| {name} | {effective:.1f} | {r_hat:.4f} |")
        note = f"R-hat at most {highest:.4f}" + ("" if interweave else "; without interweaving")
        if truth is not None:
            mean, sd = posterior.log_rates
            covered = float((np.abs(truth.log_rates - mean) <= 1.6449 * sd).mean())
            print(f"90 % intervals of log rates that hold the truth: {covered:.1%}")
        claims.append(CLAIM.of([least], note))
    return claims


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--corpus")
    parser.add_argument("--docs", type=int, default=4000)
    parser.add_argument("--words", type=int, default=800)
    parser.add_argument("--branching", default="4,5")
    parser.add_argument("--draws", type=int, default=700)
    parser.add_argument("--without", action="store_true", help="without interweaving as well")
    run(parser, measure_mixing)


if __name__ == "__main__":
    main()
