"""Criteria of convergence, for the stopping rule and for `diagnose`.

Every hyperparameter must have an R-hat below 1.01, and 100 effective draws per chain in the bulk
and in the tails. Hundreds of log rates are traced, and some exceed such limits by chance: of chains
in equilibrium with 200 effective draws in total, 34 % have an R-hat above 1.01 and 0.2 % above
1.05; with 470 effective draws 4.6 % and none; with 1,400 none at all (4,000 simulated pairs of
chains of 700 draws each). So 95 in 100 log rates must meet these limits, and 99 in 100 an R-hat
below 1.05. Memberships of single documents are not required to converge, because they hardly affect
words.

If every document has one label, no membership is uncertain, and words do not depend on affinities.
Then the mean and variance of the affinities, about which such labels say almost nothing, are not
required to converge either.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from frex.model.priors import DRIFT, HYPERPARAMETERS
from frex.posterior.measures import Agreement, agreement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

R_HAT, R_HAT_FAR = 1.01, 1.05
ESS_PER_CHAIN = 100
TOLERATED, TOLERATED_FAR = 0.05, 0.01
"""Largest shares of log rates beyond the limits, and beyond an R-hat of `R_HAT_FAR`."""

OF_AFFINITIES = ("affinity_mean", "affinity_variance")

FEWEST_DRAWS, MOST_DRAWS = 700, 7000
"""Least and largest number of draws of a chain, if no number is given."""


class Limit(NamedTuple):
    """A limit of a measure, and the largest share of elements beyond it."""

    measure: str
    value: float
    share: float = 0.0


class Shortfall(NamedTuple):
    """A limit that too many elements of a variable exceed."""

    variable: str
    limit: Limit
    beyond: NDArray[np.int64]  #: which elements, worst first
    n_elements: int
    factor: float
    """Projected factor for the number of draws: effective draws increase with the draws, and R-hat
    - 1 decreases with them once chains have converged. Infinite if a measure is unknown, as for an
    element that never changes."""


def limits(variable: str, n_chains: int) -> tuple[Limit, ...]:
    """Return the limits of a variable; none if it is not required to converge."""
    effective = ESS_PER_CHAIN * n_chains
    if variable in (*HYPERPARAMETERS, DRIFT):
        return Limit("r_hat", R_HAT), Limit("ess_bulk", effective), Limit("ess_tail", effective)
    if variable == "log_rates":
        return (
            Limit("r_hat", R_HAT_FAR, TOLERATED_FAR),
            Limit("r_hat", R_HAT, TOLERATED),
            Limit("ess_bulk", effective, TOLERATED),
            Limit("ess_tail", effective, TOLERATED),
        )
    return ()


def is_judged(variable: str, n_memberships: int | None) -> bool:
    """Tell whether a variable is required to converge.

    Parameters
    ----------
    variable
        Its name.
    n_memberships
        Number of traced uncertain memberships; 0 if every document has one label. None if unknown.
    """
    return bool(limits(variable, 1)) and not (variable in OF_AFFINITIES and n_memberships == 0)


def shortfalls(measured: Mapping[str, Agreement], n_chains: int) -> list[Shortfall]:
    """Return the criteria that the draws do not meet.

    Parameters
    ----------
    measured
        Convergence statistics of each variable.
    n_chains
        Number of chains.
    """
    return [
        found
        for variable, measures in measured.items()
        for limit in limits(variable, n_chains)
        for found in _beyond(variable, limit, getattr(measures, limit.measure))
    ]


def _beyond(variable: str, limit: Limit, values: NDArray[np.float64]) -> Iterator[Shortfall]:
    with np.errstate(divide="ignore"):
        if limit.measure == "r_hat":
            factors = (values - 1) / (limit.value - 1)
        else:
            factors = limit.value / values
    factors = np.where(np.isnan(factors), np.inf, factors)
    order = np.argsort(-factors, kind="stable")
    allowed = int(limit.share * len(values))
    beyond = order[factors[order] > 1]
    if len(beyond) > allowed:
        yield Shortfall(variable, limit, beyond, len(values), float(factors[order[allowed]]))


def judge(draws: Mapping[str, NDArray[np.float64]]) -> list[Shortfall]:
    """Return the criteria that draws do not meet, given arrays of (chain, draw, ...) by name.

    Log rates are measured only if all hyperparameters meet their criteria.
    """
    found: list[Shortfall] = []
    n_memberships = draws["memberships"].shape[2] if "memberships" in draws else None
    for names in ((*HYPERPARAMETERS, DRIFT), ("log_rates",)):
        if not found:
            judged = [name for name in names if name in draws and is_judged(name, n_memberships)]
            known = {name: draws[name] for name in judged}
            measured = {name: agreement(array) for name, array in known.items()}
            found = shortfalls(measured, next(iter(draws.values())).shape[0])
    return found


def likely_draws(found: list[Shortfall], n_draws: int) -> float:
    """Return the projected total number of draws of a chain, given those that it has.

    It is a multiple of a hundred, and at least the default number; infinite if unknown.
    """
    needed = n_draws * max((short.factor for short in found), default=0.0)
    return max(FEWEST_DRAWS, 100 * math.ceil(needed / 100)) if math.isfinite(needed) else math.inf
