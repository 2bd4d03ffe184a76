"""Scheduled conditional Hamiltonian Monte Carlo for the small blocks: the paper's Algorithm 1.

These are the moves of the kernels, for a density that is a Python function of at most a few hundred
parameters. The mass is minus the Hessian at the mode, computed at scheduled scans of the warm-up.
After the warm-up mass and step size are fixed, so every later scan leaves the posterior invariant.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import linalg

from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.formulas.moves import bounded_size, jittered
from frex.sampler.kernels.random import normal_array, uniform_pair
from frex.sampler.splitting import splitting

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.sampler.arrays import Floats, Ints
    from frex.sampler.exchange import Exchange, RowKind
    from frex.sampler.formulas.random import Address

    Density = Callable[[Floats], tuple[float, Floats]]
    Gradient = Callable[[Floats], Floats]

TARGET_ACCEPTANCE = 0.8
LENGTH = 0.6 * np.pi
"""Length of the longest trajectory; with a matched mass the period is 2 pi."""


class Move(NamedTuple):
    """The outcome of a trajectory."""

    position: Floats
    accepted: bool
    acceptance: float  #: probability of acceptance; 0 if the trajectory diverged
    energy: float  #: change of the log density of position and momentum

    def as_moves(self) -> Moves:
        """Return the outcome of a block that made only this move."""
        return Moves(np.array([self.acceptance]), self.acceptance, bounded_size(self.energy))


@np.errstate(over="ignore", invalid="ignore")  # what diverges is rejected
def trajectory(
    position: Floats,
    log_density: Density,
    lower: Floats,
    address: Address,
    *,
    step: float,
    n_steps: int,
    gradient_only: Gradient | None = None,
    start: tuple[float, Floats] | None = None,
) -> Move:
    """Run one trajectory, and accept or reject its end point.

    Parameters
    ----------
    position
        Start of the trajectory.
    log_density
        Log density and its gradient at a position.
    lower
        Cholesky factor of the mass.
    address
        Address of the random numbers.
    step, n_steps
        Step size before the jitter, and number of steps, which are the stages of the splitting.
    gradient_only
        The gradient alone, for all steps except the last, if it costs less than the density.
    start
        Log density and gradient at the start, if known.
    """
    noise = normal_array(address.key, 0, address.scan, address.stream, len(position))
    jitter, u = uniform_pair(address.key, 1, address.scan, address.stream, 0)
    epsilon = jittered(step, jitter)
    momentum = lower @ noise
    value, gradient = log_density(position) if start is None else start
    before = value - 0.5 * noise @ noise
    end = position
    kicks, drifts = splitting(n_steps)
    for stage in range(n_steps):
        momentum = momentum + kicks[stage] * epsilon * gradient
        end = end + drifts[stage] * epsilon * solve(lower, momentum)
        if gradient_only is not None and stage < n_steps - 1:
            gradient = gradient_only(end)
            if not np.isfinite(gradient).all():
                return Move(position, False, 0.0, -np.inf)
            continue
        value, gradient = log_density(end)
        if not (np.isfinite(value) and np.isfinite(gradient).all()):
            return Move(position, False, 0.0, -np.inf)
    momentum = momentum + kicks[-1] * epsilon * gradient
    change = value - 0.5 * momentum @ solve(lower, momentum) - before
    if not np.isfinite(change):
        return Move(position, False, 0.0, -np.inf)
    accepted, acceptance = decided(change, u)
    return Move(end if accepted else position, accepted, acceptance, float(change))


def decided(change: float, u: float) -> tuple[bool, float]:
    """Return whether a move is accepted, by a uniform variate, and how probably; NaN is not."""
    if np.isnan(change):
        return False, 0.0
    return bool(np.log(u) < change), float(np.exp(min(0.0, change)))


@np.errstate(over="ignore", invalid="ignore")  # a step too far is halved
def find_mode(
    start: Floats,
    log_density: Density,
    hessian: Callable[[Floats], Floats],
    *,
    tolerance: float = 1e-8,
    n_iterations: int = 50,
) -> Floats:
    """Find the mode by Newton steps, which are halved if they overshoot."""
    mode = start
    value, gradient = log_density(mode)
    for _ in range(n_iterations):
        move = solve(mass_factor(-hessian(mode)), gradient)
        slope = float(gradient @ move)
        if slope < tolerance:
            break
        for size in 0.5 ** np.arange(30):
            reached, new_gradient = log_density(mode + size * move)
            if reached >= value + 1e-4 * size * slope and np.isfinite(new_gradient).all():
                break
        else:
            break  # no step size is better to rounding error, so this is the mode
        mode, value, gradient = mode + size * move, reached, new_gradient
    return mode


def mass_factor(matrix: Floats) -> Floats:
    """Return the Cholesky factor of a matrix, after making it positive definite."""
    try:
        lower: Floats = linalg.cholesky(matrix, lower=True)
    except linalg.LinAlgError:
        values, vectors = linalg.eigh(matrix)
        floor = 1e-6 * max(float(np.abs(values).max()), 1e-6)
        mended = (vectors * np.maximum(np.abs(values), floor)) @ vectors.T
        lower = linalg.cholesky(mended, lower=True)
    return lower


def solve(lower: Floats, vector: Floats) -> Floats:
    """Solve a linear system, given the Cholesky factor of its matrix.

    SciPy's `cho_solve` makes the same call to LAPACK, and takes four times as long for a hundred
    numbers.
    """
    solved: Floats = linalg.lapack.dpotrs(lower.T, vector, lower=0)[0]
    return solved


@dataclass
class StepSize:
    """Step sizes, one for each item, adapted to a target acceptance during the warm-up.

    The adaptation is a Robbins-Monro recursion on the logarithm; its average over the last part of
    the warm-up is the final step size. A step is limited so that the trajectory does not turn back:
    with the right mass all directions have the period 2 pi, and a quarter of it forgets the start.
    """

    value: Floats  #: changed in place
    n_stages: int  #: stages of the trajectories
    length: float  #: length of the longest trajectory
    log_sum: Floats  #: sum of the logarithms over the last part, changed in place
    seen: Ints  #: number of all scans, and of those in the sum; changed in place
    kind: RowKind | None = (
        None  #: kind of the items, which are divided among processes; None: every process has all
    )
    exchange: Exchange | None = None
    target: float = TARGET_ACCEPTANCE

    @classmethod
    def create(
        cls,
        n_items: int,
        n_stages: int,
        *,
        length: float = LENGTH,
        kind: RowKind | None = None,
        exchange: Exchange | None = None,
        target: float = TARGET_ACCEPTANCE,
    ) -> StepSize:
        """Return initial step sizes, for trajectories with `n_stages` stages."""
        value, seen = np.full(n_items, 0.6 * length / n_stages), np.zeros(2, dtype=np.int64)
        return cls(value, n_stages, length, np.zeros(n_items), seen, kind, exchange, target)

    @property
    def longest(self) -> float:
        """Upper limit of the step size."""
        return self.length / self.n_stages

    def learn(self, acceptance: Floats, *, late: bool) -> None:
        """Adapt after a scan of the warm-up; late scans enter the final average."""
        self.seen[0] += 1
        rate = learning_rate(int(self.seen[0]))
        own = (
            slice(None)
            if self.exchange is None or self.kind is None
            else self.exchange.own(self.kind)
        )
        log_step = np.log(self.value[own]) + rate * (acceptance[own] - self.target)
        self.value[own] = np.minimum(np.exp(log_step), self.longest)
        if late:
            self.log_sum[own] += np.log(self.value[own])
            self.seen[1] += 1

    def freeze(self) -> None:
        """End the adaptation; all processes then have the step sizes of all items."""
        if self.seen[1]:
            self.value[:] = np.exp(self.log_sum / self.seen[1])
        if self.exchange is not None and self.kind is not None:
            self.exchange.share(self.kind, self.value)

    def learned(self) -> list[Learned]:
        """Return the arrays of the adaptation."""
        return [
            Learned("step", self.value, self.kind),
            Learned("step_sum", self.log_sum, self.kind),
            Learned("step_seen", self.seen),
        ]


def learning_rate(n_seen: int) -> float:
    """Return the gain of the Robbins-Monro recursion at the n-th scan of the warm-up."""
    return float(min(0.5, 2.0 / n_seen**0.6))


def hessian_column(
    log_density: Density, position: Floats, coordinate: int, width: float = 0.01
) -> Floats:
    """Return a column of the Hessian, by a finite difference of the gradient."""
    step = np.zeros_like(position)
    step[coordinate] = width
    return (log_density(position + step)[1] - log_density(position - step)[1]) / (2 * width)
