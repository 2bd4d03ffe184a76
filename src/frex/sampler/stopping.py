"""Stopping rule of a run without a given number of draws, by checks of convergence.

A check depends only on the draws so far, so a resumed run ends where it would have ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from frex.posterior.convergence import judge, likely_draws

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from frex.sampler.arrays import Floats

STRETCH = 100
"""Checks are made at multiples of this number of draws. The draws increase by at least a tenth
between checks, so that the time of all checks is proportional to the draws."""

TOO_MANY = 2
"""A run ends early if it likely needs more than this many times the most draws: four in five
projections are within a factor of two of the draws needed, in simulations of autoregressive chains,
60 pairs each."""


class Look(NamedTuple):
    """The result of a convergence check."""

    ends: bool
    likely: float  #: projected number of draws of each chain


def looks(fewest: int, most: int) -> Iterator[int]:
    """Yield the numbers of draws at which convergence is checked."""
    draws = fewest
    while draws < most:
        yield draws
        draws = STRETCH * -(-11 * draws // (10 * STRETCH))


def look(kept: Mapping[str, Floats], fewest: int, most: int) -> Look:
    """Check whether the draws of a run have converged, and if not, whether they are likely to.

    A run ends early if two consecutive checks, the first at twice the fewest draws or later,
    project far more draws than it may make.

    Parameters
    ----------
    kept
        All draws, (chain, draw, ...) by name.
    fewest, most
        Least and largest number of draws of a chain.
    """
    n_draws = next(iter(kept.values())).shape[1]
    likely = _likely_draws(kept, n_draws)
    if likely is None:
        return Look(ends=True, likely=n_draws)
    before = max((draws for draws in looks(fewest, most) if draws < n_draws), default=0)
    hopeless = likely > TOO_MANY * most and before >= 2 * fewest
    if hopeless:
        likely_before = _likely_draws(kept, before)
        hopeless = likely_before is not None and likely_before > TOO_MANY * most
    return Look(ends=hopeless, likely=likely)


def _likely_draws(kept: Mapping[str, Floats], n_draws: int) -> float | None:
    """Return the projected number of draws from the first `n_draws`; None if these are enough."""
    found = judge({name: draws[:, :n_draws] for name, draws in kept.items()})
    return likely_draws(found, n_draws) if found else None
