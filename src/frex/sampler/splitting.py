"""Splitting integrators: the sizes of a trajectory's kicks and drifts.

A trajectory of n stages, kick drift kick ... drift kick, takes n + 1 gradients. With equal drifts
it is the leapfrog. Any symmetric choice of the sizes is also reversible and preserves volume. The
choices of Blanes, Casas and Sanz-Serna (Numerical integrators for the hybrid Monte Carlo method,
2014) have the least energy error for the long steps of a trajectory with few stages. On the words
of 10,000 arXiv abstracts, trajectories of three stages and of length 1.5 are accepted with
probability 0.73, compared with 0.61 for the leapfrog.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from frex.sampler.arrays import Floats

_KICK_OF_TWO = 0.21178
_KICK_OF_THREE, _DRIFT_OF_THREE = 0.11888010966548, 0.29619504261126


class Splitting(NamedTuple):
    """Sizes of the kicks and drifts, in steps; with n stages, each kind sums to n."""

    kicks: Floats  #: n + 1
    drifts: Floats  #: n


@cache
def splitting(n_stages: int) -> Splitting:
    """Return the best known splitting for a number of stages: of three, of two, or leapfrog."""
    for part, kicks, drifts in (
        (3, (_KICK_OF_THREE, 0.5 - _KICK_OF_THREE), (_DRIFT_OF_THREE, 1 - 2 * _DRIFT_OF_THREE)),
        (2, (_KICK_OF_TWO, 1 - 2 * _KICK_OF_TWO), (0.5,)),
        (1, (0.5,), (1.0,)),
    ):
        if n_stages % part == 0:
            return _repeated(_mirrored(kicks, part + 1), _mirrored(drifts, part), n_stages // part)
    raise AssertionError(n_stages)


def _mirrored(half: tuple[float, ...], length: int) -> Floats:
    """Return a symmetric sequence from its first half."""
    return np.array([half[min(i, length - 1 - i)] for i in range(length)])


def _repeated(kicks: Floats, drifts: Floats, times: int) -> Splitting:
    """Return a repeated splitting; the last kick of each merges with the first of the next."""
    n = len(drifts)
    joined = np.zeros(n * times + 1)
    for i in range(times):
        joined[i * n : (i + 1) * n + 1] += kicks
    return Splitting(n * joined, n * np.tile(drifts, times))
