"""Mean, standard deviation, R-hat and effective sample size of the draws of a parameter.

R-hat is the rank-normalised split R-hat; the effective sample sizes are those of the bulk and of
the 5 % and 95 % quantiles (Vehtari, Gelman, Simpson, Carpenter and Bürkner, 2021), computed by
ArviZ.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from frex.posterior.posterior import Posterior

Backend: TypeAlias = Literal["pandas", "polars", "pyarrow"]

TAILS = (0.05, 0.95)
"""The quantiles of a summary, and those whose effective sample size is the tail's."""


class Quantity(NamedTuple):
    """One scalar parameter, e.g. the affinity mean of a topic."""

    name: str  #: with its index in the array, as ``affinity_mean[Sports]``
    mean: float
    sd: float
    q5: float
    q95: float
    r_hat: float
    ess_bulk: float
    ess_tail: float


class Agreement(NamedTuple):
    """Convergence statistics of the elements of a variable; NaN if they cannot be estimated."""

    r_hat: NDArray[np.float64]
    ess_bulk: NDArray[np.float64]
    ess_tail: NDArray[np.float64]


class Block(NamedTuple):
    """Statistics of one block of the scan; each value is a chain's mean over its draws."""

    name: str
    acceptance: NDArray[np.float64]
    step_size: NDArray[np.float64] | None
    energy_error: NDArray[np.float64] | None  #: absolute value


def measure(posterior: Posterior, names: Iterable[str]) -> dict[str, list[Quantity]]:
    """Measure the draws of some variables; for those without draws, return the moments."""
    measured = {}
    for name in names:
        if name in posterior.draws:
            draws = np.asarray(posterior.draws[name])
            labels = posterior.element_names(name, draws.shape[2:])
            measured[name] = _of_draws(labels, draws)
        elif name in posterior.moments:
            mean, sd = map(np.asarray, posterior.moments[name])
            labels = posterior.element_names(name, mean.shape)
            rows = zip(labels, mean.ravel().tolist(), sd.ravel().tolist(), strict=True)
            measured[name] = [Quantity(label, m, s, *[np.nan] * 5) for label, m, s in rows]
    return measured


def agreement(draws: NDArray[np.float64]) -> Agreement:
    """Measure how well chains agree, from draws (chain, draw, ...); the elements come out flat."""
    columns = draws.reshape(*draws.shape[:2], math.prod(draws.shape[2:]))
    found = np.full((len(Agreement._fields), columns.shape[2]), np.nan)
    finite = np.isfinite(columns).all(axis=(0, 1))
    if columns.shape[0] * columns.shape[1] > 1 and finite.any():
        arviz, axes = _arviz(), {"chain_axis": 0, "draw_axis": 1}
        columns = columns[..., finite]
        with np.errstate(invalid="ignore", divide="ignore"):  # a constant has no R-hat: NaN
            found[:, finite] = (
                arviz.rhat(_two_chains_at_least(columns), **axes),
                arviz.ess(columns, method="bulk", **axes),
                arviz.ess(columns, method="tail", prob=TAILS, **axes),
            )
    return Agreement(*found)


def measure_blocks(posterior: Posterior) -> tuple[Block, ...]:
    """Average the statistics of every block whose acceptance the fit stored."""
    stats = posterior.stats
    blocks = []
    for key in stats:
        name = key.removeprefix("acceptance_")
        if name != key:
            step, error = stats.get(f"step_size_{name}"), stats.get(f"energy_error_{name}")
            blocks.append(
                Block(
                    name,
                    _chain_means(stats[key]),
                    None if step is None else _chain_means(step),
                    None if error is None else _chain_means(np.abs(error)),
                )
            )
    return tuple(blocks)


def worst(rows: Iterable[Quantity], field: str) -> Quantity | None:
    """Return the row with the largest R-hat, or the smallest effective size; None if all NaN."""
    known = [row for row in rows if not np.isnan(getattr(row, field))]
    choose = max if field == "r_hat" else min
    return choose(known, key=lambda row: getattr(row, field), default=None)


def as_table(measured: Mapping[str, Sequence[Quantity]], backend: Backend) -> Any:
    """Return measured quantities as a data frame, a row each."""
    import narwhals as nw  # noqa: PLC0415 - keeps `import frex` quick

    rows = [row for group in measured.values() for row in group]
    columns = {name: [getattr(row, name) for row in rows] for name in Quantity._fields}
    return nw.from_dict(columns, backend=backend).to_native()


def _of_draws(labels: Sequence[str], draws: NDArray[np.float64]) -> list[Quantity]:
    """Measure an array of (chain, draw, ...); elements with a value that is not finite stay NaN."""
    draws = draws.reshape(*draws.shape[:2], len(labels))
    columns = np.full((len(Quantity._fields) - 1, len(labels)), np.nan)
    finite = np.isfinite(draws).all(axis=(0, 1))
    n_draws = draws.shape[0] * draws.shape[1]
    if n_draws > 1 and finite.any():
        columns[:4, finite] = _spread(draws[..., finite])
    elif n_draws == 1:
        columns[0, finite] = draws[0, 0, finite]
    columns[4:] = agreement(draws)
    return [
        Quantity(label, *values) for label, values in zip(labels, columns.T.tolist(), strict=True)
    ]


def _arviz() -> Any:
    """Return the plain-array layer of ArviZ, which needs only NumPy and SciPy."""
    from arviz_stats.base.array import array_stats  # noqa: PLC0415 - it loads SciPy's statistics

    return array_stats


def _spread(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    still = np.ptp(draws, axis=(0, 1)) == 0  # rounding of the mean would give a nonzero variance
    return np.stack([
        draws.mean(axis=(0, 1)),
        np.where(still, 0.0, draws.std(axis=(0, 1), ddof=1)),
        *np.quantile(draws, TAILS, axis=(0, 1)),
    ])  # fmt: skip


def _two_chains_at_least(draws: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a single chain as its two halves: its R-hat then compares its four quarters."""
    if draws.shape[0] > 1:
        return draws
    half = draws.shape[1] // 2
    return np.concatenate([draws[:, :half], draws[:, draws.shape[1] - half :]])


def _chain_means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Average each chain's finite values; NaN if it has none, as for a block without items."""
    finite = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        means: NDArray[np.float64] = np.where(finite, values, 0.0).sum(axis=1) / finite.sum(axis=1)
    return means
