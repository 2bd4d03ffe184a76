"""The state of a chain, and the addresses of its random numbers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from frex.sampler.formulas.random import Address
from frex.sampler.kernels.random import stream as stream_number

if TYPE_CHECKING:
    from frex.model.priors import Hyperparameters
    from frex.sampler.arrays import Floats


class Stream(IntEnum):
    """The purpose of random numbers; a part of their address, so never renumber the members."""

    RATES = 0
    DISPERSIONS = 1
    AFFINITIES = 2
    ROOT_MEAN = 3
    ROOT_VARIANCE = 4
    DISPERSION_HYPER = 5
    AFFINITY_HYPER = 6
    AFFINITY_INTERWEAVING = 7
    DISPERSION_INTERWEAVING = 8
    START = 9
    LAPLACE_AFFINITIES = 10
    LEVELS = 11
    TOPICS = 12
    START_DISPERSIONS = 13
    SWAPS = 14
    DRIFTS = 15
    AFFINITY_SCALING = 16


@dataclass
class State:
    """The state of a chain; blocks change the arrays in place.

    Affinities exist only for the labels of documents with two or more labels; all others are
    integrated out.
    """

    log_rates: Floats  #: V x N
    dispersions: Floats  #: V x P
    affinities: Floats  #: flat, active labels of multi-label documents
    memberships: Floats  #: their softmax
    hyper: Hyperparameters


@dataclass(frozen=True)
class Clock:
    """Seed, chain and scan, which determine the addresses of random numbers."""

    seed: int
    chain: int
    scan: int

    def address(self, stream: Stream) -> Address:
        """Return the address of random numbers in this scan."""
        return Address(np.uint64(self.seed), self.scan, stream_number(self.chain, stream))
