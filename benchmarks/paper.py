"""The paper's scheme, as a contestant: all D x K affinities imputed, the full Hessian of the rates.

`PaperSampler` is the sampler with other blocks in two places. The rates' mass is the paper's full
Hessian (``curvature="dense"``). And (eta, lambda2) is drawn given an affinity for every document
and topic. Those that no word can see, of labels that are absent and of labels that are alone, are
independent given (eta, lambda2), and are drawn exactly by rejection where the paper runs one
trajectory in K dimensions: of what the paper's scheme leaves open, the faster choice is taken
everywhere. Each scan draws them anew, so that only their sums need be kept.

The paper's conditional of lambda2 has DK - 1 degrees of freedom where it should have K(D - 1); its
flat priors are what an exact draw is made with, and a Metropolis step puts the proper ones in.
"""

# mypy: disable-error-code="no-untyped-def,no-untyped-call,untyped-decorator"
# ruff: noqa: ANN001, ANN201, PLR0917 - Numba infers the types of what it compiles

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from frex.sampler.blocks.coordinates import affinity_position, affinity_prior, with_affinity
from frex.sampler.formulas.random import normals, uniforms
from frex.sampler.kernels.options import inner, parallel
from frex.sampler.kernels.random import gamma_value, normal_array, uniform_pair
from frex.sampler.scan import Sampler
from frex.sampler.schmc import Move, StepSize
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.hyperparameters import AffinityStatistics
    from frex.model.priors import Hyperparameters, Priors
    from frex.model.reductions import Reduced
    from frex.sampler.blocks.rates import Curvature
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import Learned, Moves
    from frex.sampler.state import Clock

STRETCH = 4096
"""Affinities of one topic that a thread draws at a time."""


@inner
def logistic(x):
    """Return 1 / (1 + exp(-x)); it may underflow to 0 and not more."""
    return 1.0 / (1.0 + math.exp(-x))


@inner
def add_draws(address, item, n, mean, sd, shift, sign, sums):
    """Add the moments about the mean, in units of sd, of n draws from logistic(sign x) Normal(x).

    Proposed from Normal(mean + shift, sd^2). Without a shift a proposal is accepted with
    probability logistic(sign x). Where that is rarely so, the bound logistic(x) <= exp(x) moves the
    normal by sd^2, and logistic(-sign x) decides.
    """
    draw, drawn = 0, 0
    total = 0.0
    squares = 0.0
    direction = sign if shift == 0.0 else -sign
    while drawn < n:
        z0, z1 = normals(address.key, item, address.scan, address.stream, draw)
        u0, u1 = uniforms(address.key, item, address.scan, address.stream, draw + 1)
        draw += 2
        for z, u in ((z0, u0), (z1, u1)):
            away = z + shift / sd
            if drawn < n and u < logistic(direction * (mean + sd * away)):
                drawn += 1
                total += away
                squares += away * away
    sums[0], sums[1] = total, squares


@parallel("topics")
def impute(stretch, address, topics, sizes, signs, shifts, mean, sd, sums):
    """Draw the unseen affinities of all documents, stretch by stretch, and fill their moments."""
    for item in range(*stretch):
        k = topics[item]
        add_draws(
            address, item, sizes[item], mean[k], sd, shifts[item] * sd * sd, signs[item], sums[item]
        )


def stretches(
    statistics: AffinityStatistics, mean: NDArray[np.float64], variance: float
) -> tuple[NDArray[np.int64], ...]:
    """Return topic, number, sign and shift of the affinities of every stretch.

    The sign is 1 of labels that are alone and -1 of those that are absent; the shift is the sign
    where more proposals are accepted with it, and 0 where fewer are: they are as one to
    exp(sign mean + variance / 2), which is what the bound integrates to.
    """
    found = []
    for sign, counts in ((-1, statistics.n_absent), (1, statistics.n_single)):
        for k, n in enumerate(counts.tolist()):
            shift = sign if sign * mean[k] + 0.5 * variance < 0 else 0
            found += [(k, min(STRETCH, n - at), sign, shift) for at in range(0, n, STRETCH)]
    topics, sizes, signs, shifts = np.array(found, dtype=np.int64).reshape(-1, 4).T
    return topics, sizes, signs, shifts


class ImputedHyper:
    """(eta, lambda2) given all D x K affinities, in the place of `AffinityHyper`."""

    name = "affinity_hyper"

    def __init__(self, priors: Priors) -> None:
        self.priors = priors
        self.step = StepSize.create(1, 1)  # has no use

    def refresh(self, context: Context) -> None:
        """Do nothing: there is no curvature to find."""

    def learned(self) -> list[Learned]:
        """Return nothing."""
        return []

    def moments(
        self, hyper: Hyperparameters, statistics: AffinityStatistics, clock: Clock
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Impute; return every topic's mean over all documents, and the sum of squares about it."""
        mean, sd = hyper.affinity_mean, math.sqrt(hyper.affinity_variance)
        topics, sizes, signs, shifts = stretches(statistics, mean, sd * sd)
        sums = np.empty((len(topics), 2))
        address = clock.address(Stream.AFFINITY_HYPER)
        impute(address, topics, sizes, signs, shifts.astype(np.float64), mean, sd, sums)
        n_topics = len(mean)
        total = sd * np.bincount(topics, sums[:, 0], n_topics)
        squares = sd * sd * np.bincount(topics, sums[:, 1], n_topics).astype(np.float64)
        away = statistics.active_mean - mean
        total += statistics.n_active * away
        squares += statistics.active_squares + statistics.n_active * away**2
        n = statistics.n_absent + statistics.n_single + statistics.n_active
        return mean + total / n, squares - total**2 / n

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw both."""
        state = context.state
        state.hyper, move = self.draw(state.hyper, context.statistics(), clock)
        return move.as_moves()

    def draw(
        self, hyper: Hyperparameters, statistics: AffinityStatistics, clock: Clock
    ) -> tuple[Hyperparameters, Move]:
        """Draw lambda2 with eta integrated out, then eta, flat priors; the others accept or not."""
        average, squares = self.moments(hyper, statistics, clock)
        n_documents = int(statistics.n_absent[0] + statistics.n_single[0] + statistics.n_active[0])
        n_topics = len(average)
        address = clock.address(Stream.AFFINITY_INTERWEAVING)  # that move is not made
        half = 0.5 * n_topics * (n_documents - 1)
        chi2 = 2 * gamma_value(address.key, 0, address.scan, address.stream, half)
        variance = float(squares.sum() / chi2)
        noise = normal_array(address.key, 1, address.scan, address.stream, n_topics)
        mean = average + math.sqrt(variance / n_documents) * noise
        start = affinity_position(hyper)
        end = np.append(mean, 0.5 * math.log(variance))
        ratio = affinity_prior(self.priors, end)[0] - affinity_prior(self.priors, start)[0]
        u, _ = uniform_pair(address.key, 2, address.scan, address.stream, 0)
        accepted = math.log(u) < ratio
        position = end if accepted else start
        move = Move(position, accepted, math.exp(min(0.0, ratio)), ratio)
        return with_affinity(hyper, position), move


class PaperSampler(Sampler):
    """The sampler with the paper's blocks; see the module.

    Parameters
    ----------
    reduced, priors
        As of `Sampler`.
    curvature
        ``"dense"`` is the paper's; ``"tree"`` shows what is left of the difference without it.
    """

    def __init__(self, reduced: Reduced, priors: Priors, curvature: Curvature = "dense") -> None:
        super().__init__(reduced, priors, curvature=curvature, interweave=False)
        self.blocks["affinity_hyper"] = ImputedHyper(priors)
