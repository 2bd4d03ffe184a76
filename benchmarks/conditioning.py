"""Recover eta and lambda from documents that are in the corpus only because they have a label.

Every replication draws hyperparameters from their priors, from the model a corpus in which each
document has a label, and then a chain of the posterior. The truth is then one more draw from the
posterior: its rank among the chain's is uniform, and its distance from their mean is like theirs.
Prints both, with the likelihood conditional on a label, as in every fit of such a corpus, and
without this condition.

    python benchmarks/conditioning.py [--replications 100] [--docs 3000]
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from chains import draws, warm_up
from claims import Claim, run
from scipy.stats import chisquare

from frex.model import branching_tree, simulate
from frex.model.priors import HalfNormal, Normal, WeakPriors
from frex.model.reductions import reduce
from frex.sampler.blocks.coordinates import affinity_position
from frex.sampler.scan import Sampler
from frex.sampler.start import find_map
from frex.sampler.threads import use_threads

if TYPE_CHECKING:
    from numpy.typing import NDArray

TREE = branching_tree((2, 2))
N_WORDS = 20
NAMES = [*TREE.topics, "mean of eta", "log lambda"]
N_WARMUP, N_OTHERS, THIN = 100, 19, 25  # of the mean of eta at least one draw in 25 is effective

# one to three labels for most documents that have any, lambda of 1 to 3, no enormous corpus
PRIORS = WeakPriors(
    root_mean=Normal(0.4, 0.4),
    root_sd=HalfNormal(0.6),
    affinity_mean=Normal(-2.5, 1.0),
    affinity_sd=HalfNormal(2.0),
    log_dispersion_df=Normal(2.2, 0.4),
    log_dispersion_scale=Normal(-1.2, 0.5),
)
CLAIMS = {
    True: Claim("eta within 3 posterior standard deviations of the truth", unit="%"),
    False: Claim("the same, the likelihood not conditional on a label", unit="%"),
}


class Found(NamedTuple):
    """What one replication found of (eta_1 .. eta_K, mean of eta, log lambda)."""

    distance: NDArray[np.float64]  #: of the posterior mean from the truth, in standard deviations
    rank: NDArray[np.int64]  #: of the truth among draws, 0 .. N_OTHERS


def replicate(seed: int, n_documents: int, *, conditioned: bool) -> Found:
    """Draw a truth and a corpus, and what a chain finds of the truth."""
    corpus, truth = simulate(
        TREE, n_documents, N_WORDS, priors=PRIORS, unlabelled="redraw", seed=seed
    )
    sampler = Sampler(reduce(corpus, conditioned=conditioned), PRIORS)
    state = find_map(sampler)
    # random numbers of its own: with the same ones, chains of different corpora have a correlation
    # of 0.4 to 0.5, and ranks that are no longer independent look far from uniform
    warm_up(sampler, state, N_WARMUP, seed=seed)
    scans = draws(sampler, state, N_WARMUP, N_OTHERS * THIN, seed=seed)
    drawn = np.array([watched(affinity_position(now.hyper)) for now in scans])
    own = watched(affinity_position(truth.hyper))
    distance = (drawn.mean(axis=0) - own) / drawn.std(axis=0)
    return Found(distance, (drawn[THIN - 1 :: THIN] < own).sum(axis=0))


def watched(position: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (eta_1 .. eta_K, log lambda) with the mean of eta between."""
    return np.concatenate([position[:-1], [position[:-1].mean()], position[-1:]])


def uniformity(ranks: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the p-value that the ranks of a quantity, a column each, are uniform: by fifths."""
    fifths = 5 * ranks // (N_OTHERS + 1)
    counts = np.array([np.bincount(column, minlength=5) for column in fifths.T])
    p: NDArray[np.float64] = chisquare(counts, axis=1).pvalue
    return p


def measure(args: argparse.Namespace) -> list[Claim]:
    """Replicate with the conditioning and without it, on the same corpora."""
    claims = []
    for conditioned, claim in CLAIMS.items():
        with use_threads(args.threads):
            found = [
                replicate(seed, args.docs, conditioned=conditioned)
                for seed in range(args.replications)
            ]
        distance, rank = (np.array(column) for column in zip(*found, strict=True))
        print(f"\nconditional on a label: {conditioned}")
        print("| quantity | mean distance | furthest | ranks uniform, p |\n|---|---:|---:|---:|")
        for name, away, p in zip(NAMES, distance.T, uniformity(rank), strict=True):
            print(f"| {name} | {away.mean():+.2f} | {abs(away).max():.2f} | {p:.2g} |")
        eta = np.abs(distance[:, : TREE.n_topics])
        near = 100 * (eta < 3).mean(axis=1)
        note = f"furthest {eta.max():.1f}; {(eta.max(axis=1) < 3).mean():.0%} of corpora have all"
        claims.append(claim.of(near.tolist(), note))
    return claims


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--replications", type=int, default=100)
    parser.add_argument("--docs", type=int, default=3000)
    parser.add_argument("--threads", type=int, default=0)
    run(parser, measure)


if __name__ == "__main__":
    main()
