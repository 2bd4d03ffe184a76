"""(nu, sigma2) given the log rates, the dispersions integrated out: by SCHMC.

`model/dispersions.py` has the density, in ``(log nu, log sigma2)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import digamma, gammaln, polygamma

from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.schmc import StepSize, find_mode, mass_factor, trajectory
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.model.priors import Hyperparameters, Priors
    from frex.sampler.arrays import Array, Floats, Ints
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import Words
    from frex.sampler.state import Clock

N_STAGES = 3


class DispersionHyper:
    """``(log nu, log sigma2)``.

    Parameters
    ----------
    n_children
        Number of children of each parent.
    priors
        Priors of the hyperparameters.
    """

    name = "dispersion_hyper"

    def __init__(self, n_children: Ints, priors: Priors) -> None:
        self.n_children, self.priors = n_children.astype(np.float64), priors
        self.lower = np.eye(2)  #: of the mass, changed in place
        self.step = StepSize.create(1, N_STAGES)

    def log_density(
        self, position: Floats, squares: Array, words: Words, *, with_value: bool = True
    ) -> tuple[float, Floats]:
        """Return log density and gradient, prior included; without the value, NaN for it.

        The groups of one parent differ only in S, so sums over words are sufficient.
        """
        with np.errstate(over="ignore"):
            nu, scale = np.exp(position[0]), np.exp(position[0] + position[1])
        if not (np.isfinite(scale) and scale > 0 and nu > 0):
            return -np.inf, np.full(2, np.nan)
        log_excess, share, _ = words.dispersion_sums(squares, scale).T
        n_groups, n_children = len(squares), self.n_children
        a, b = 0.5 * nu, 0.5 * (nu + n_children)
        in_scale = b * share - 0.5 * n_groups * n_children
        in_nu = a * (n_groups * (digamma(b) - digamma(a)) - log_excess) + in_scale
        prior, gradient = dispersion_prior(self.priors, position, with_value=with_value)
        gradient += [in_nu.sum(), in_scale.sum()]
        if not with_value:
            return np.nan, gradient
        value = (
            n_groups * (gammaln(b) - gammaln(a) - 0.5 * n_children * np.log(np.pi * scale))
            - b * log_excess
        ).sum()
        return float(value + prior), gradient

    def hessian(self, position: Floats, squares: Array, words: Words) -> Floats:
        """Return the Hessian of `log_density`."""
        nu, scale = np.exp(position[0]), np.exp(position[0] + position[1])
        log_excess, share, share_square = words.dispersion_sums(squares, scale).T
        n_groups, a, b = len(squares), 0.5 * nu, 0.5 * (nu + self.n_children)
        bend = -b * (share - share_square)
        mixed = a * share + bend
        twice = (
            a * (n_groups * (digamma(b) - digamma(a)) - log_excess)
            + a * a * n_groups * (polygamma(1, b) - polygamma(1, a))
            + 2 * a * share
            + bend
        )
        priors = (self.priors.log_dispersion_df, self.priors.log_dispersion_scale)
        second = [prior.second_derivative(x) for prior, x in zip(priors, position, strict=True)]
        hessian = np.array([[twice.sum(), mixed.sum()], [mixed.sum(), bend.sum()]])
        return hessian + np.diag(second)

    def refresh(self, context: Context) -> None:
        """Find the conditional mode, and store the curvature there."""
        self.fit_mode(context.state.hyper, context.squares(), context.words())

    def fit_mode(self, hyper: Hyperparameters, squares: Array, words: Words) -> Hyperparameters:
        """Find the mode given squared deviations, store the curvature, and return the mode."""
        mode = find_mode(
            dispersion_position(hyper),
            lambda x: self.log_density(x, squares, words),
            lambda x: self.hessian(x, squares, words),
        )
        self.lower[:] = mass_factor(-self.hessian(mode, squares, words))
        return with_dispersion(hyper, mode)

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw both."""
        state, squares, words = context.state, context.squares(), context.words()
        move = trajectory(
            dispersion_position(state.hyper),
            lambda x: self.log_density(x, squares, words),
            self.lower,
            clock.address(Stream.DISPERSION_HYPER),
            step=float(self.step.value[0]),
            n_steps=N_STAGES,
            gradient_only=lambda x: self.log_density(x, squares, words, with_value=False)[1],
        )
        state.hyper = with_dispersion(state.hyper, move.position)
        return move.as_moves()

    def learned(self) -> list[Learned]:
        """Return the mass."""
        return [Learned("mass", self.lower)]


def dispersion_position(hyper: Hyperparameters) -> Floats:
    """Return ``(log nu, log sigma2)``."""
    return np.log([hyper.dispersion_df, hyper.dispersion_scale])


def with_dispersion(hyper: Hyperparameters, position: Floats) -> Hyperparameters:
    """Return hyperparameters with the values of ``(log nu, log sigma2)``."""
    df, scale = np.exp(position)
    return hyper._replace(dispersion_df=float(df), dispersion_scale=float(scale))


def dispersion_prior(
    priors: Priors, position: Floats, *, with_value: bool = True
) -> tuple[float, Floats]:
    """Return log prior density and its gradient in ``(log nu, log sigma2)``.

    Without the value, NaN for it.
    """
    both = priors.log_dispersion_df, priors.log_dispersion_scale
    slopes = np.array([prior.gradient(x) for prior, x in zip(both, position, strict=True)])
    if not with_value:
        return np.nan, slopes
    value = sum(prior.log_density(x) for prior, x in zip(both, position, strict=True))
    return float(value), slopes
