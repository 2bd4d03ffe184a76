"""When a run ends that was asked for no number of draws: looks at its draws so far.

A look depends on these draws alone, so a run that is resumed ends where it would have ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from frex.posterior.convergence import judge, likely_draws

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from frex.sampler.arrays import Floats

STRETCH = 100
"""Looks are taken at multiples of this many draws. From one to the next draws grow by a tenth at
least, so that all looks together take time in proportion to the draws."""

TOO_MANY = 2
"""A run that likely needs more than this many times the draws it may make is not worth finishing:
four in five projections are within a factor of two of the draws that it takes, as simulated with
autoregressive chains, 60 pairs each."""


class Look(NamedTuple):
    """What is known of a run's length at some draw."""

    ends: bool
    likely: float  #: draws of each chain, in all


def looks(fewest: int, most: int) -> Iterator[int]:
    """Yield the draws at which a run is looked at."""
    draws = fewest
    while draws < most:
        yield draws
        draws = STRETCH * -(-11 * draws // (10 * STRETCH))


def look(kept: Mapping[str, Floats], fewest: int, most: int) -> Look:
    """Look at the draws of a run: whether they are good, and if not, whether they ever will be.

    A run ends early if at two looks in a row, the first at twice the fewest draws or later, it
    likely needs far more draws than it may make.

    Parameters
    ----------
    kept
        All draws, (chain, draw, ...) by name.
    fewest, most
        Draws that a chain makes in any case, and at most.
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
    """Return how many draws were likely needed, seen from some of them; None if these are good."""
    found = judge({name: draws[:, :n_draws] for name, draws in kept.items()})
    return likely_draws(found, n_draws) if found else None
