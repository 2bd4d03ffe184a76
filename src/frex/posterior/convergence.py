"""When draws are good: the one definition by which a run ends and `diagnose` judges.

Every hyperparameter has R-hat below 1.01, and in its bulk and in its tails 100 effective draws for
each chain. Log rates are traced by the hundred, and of so many some are beyond such limits by
chance: of chains in equilibrium that have 200 effective draws between them, 34 % have R-hat above
1.01 and 0.2 % above 1.05; with 470 effective draws 4.6 % and none; with 1,400 none at all (4,000
simulated pairs of chains of 700 draws each). So 95 in 100 log rates are to keep those limits, and
99 in 100 an R-hat below 1.05. Memberships of single documents are not judged: what lags there
belongs to one document, and hardly touches words.

Where every document has one label no membership is uncertain, and words do not see affinities:
their mean and variance, of which such labels say next to nothing, are not judged either.
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
"""Shares of the log rates that may be beyond the limits, and beyond an R-hat of `R_HAT_FAR`."""

OF_AFFINITIES = ("affinity_mean", "affinity_variance")

FEWEST_DRAWS, MOST_DRAWS = 700, 7000
"""Draws that a chain makes at least, and at most, where no number of them was asked for."""


class Limit(NamedTuple):
    """How far a measure of a variable's elements may go, and which share may go beyond."""

    measure: str
    value: float
    share: float = 0.0


class Shortfall(NamedTuple):
    """A limit that more elements of a variable are beyond than may be."""

    variable: str
    limit: Limit
    beyond: NDArray[np.int64]  #: which elements, worst first
    n_elements: int
    factor: float
    """How many times as many draws are likely needed: effective draws grow with the draws, and
    R-hat - 1 falls with them once chains have converged. Infinite where a measure is unknown, as of
    an element that never moves."""


def limits(variable: str, n_chains: int) -> tuple[Limit, ...]:
    """Return what is asked of a variable; of what is not judged, nothing."""
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
    """Tell whether a fit goes by a variable.

    Parameters
    ----------
    variable
        Its name.
    n_memberships
        How many uncertain memberships are traced: none where every document has one label. None
        if that is unknown.
    """
    return bool(limits(variable, 1)) and not (variable in OF_AFFINITIES and n_memberships == 0)


def shortfalls(measured: Mapping[str, Agreement], n_chains: int) -> list[Shortfall]:
    """Return where draws fall short of being good: nowhere, if they are.

    Parameters
    ----------
    measured
        How well the chains agree on each variable.
    n_chains
        How many chains there are.
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
    """Return where draws fall short, arrays of (chain, draw, ...) by name.

    Log rates are measured only once no hyperparameter falls short.
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
    """Return how many draws a chain likely needs in all, of which it has some already.

    In whole hundreds, and never fewer than a run makes unasked; infinite where it is unknown.
    """
    needed = n_draws * max((short.factor for short in found), default=0.0)
    return max(FEWEST_DRAWS, 100 * math.ceil(needed / 100)) if math.isfinite(needed) else math.inf
