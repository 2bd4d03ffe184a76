"""Interweaving: (nu, sigma2) given standardised log rates and dispersions, by SCHMC.

`model/interweaving.py` explains what the move holds fixed, and why. The Gaussian approximations of
the words' likelihood, and the mass, are computed at scheduled scans of the warm-up and fixed after
it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import digamma, gammaln, zeta

from frex.sampler.blocks.dispersion_hyper import (
    dispersion_position,
    dispersion_prior,
    with_dispersion,
)
from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.formulas.interweaving_words import Terms
from frex.sampler.schmc import StepSize, hessian_column, mass_factor, trajectory
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.model.priors import Hyperparameters, Priors
    from frex.sampler.arrays import Floats
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import Words
    from frex.sampler.state import Clock

N_STAGES = 1
"""Stages of a trajectory: one long step, because the density of two coordinates is nearly Gaussian,
and every step is a pass over all words."""


class DispersionInterweaving:
    """``(log nu, log sigma2)`` with standardised log rates and log dispersions held fixed."""

    name = "dispersion_interweaving"

    def __init__(self, words: Words, priors: Priors) -> None:
        self.priors, self._learned_gaussians = priors, words.learned_gaussians
        self.lower = np.eye(2)  #: of the mass, changed in place
        self.step = StepSize.create(1, N_STAGES)

    def log_density(
        self, position: Floats, context: Context, *, likelihood_known: bool = False
    ) -> tuple[float, Floats]:
        """Return log density and gradient in ``(log nu, log sigma2)``; transforms the words."""
        if not np.all(np.abs(position) < 20):
            return -np.inf, np.zeros(2)
        words, state = context.words(), context.state
        terms = group_terms(position, state.hyper)
        total = words.log_density(state, terms, likelihood_known=likelihood_known)
        value, gradient = dispersion_prior(self.priors, position)
        return value + float(total[0]), gradient + total[1:]

    def standardise(self, context: Context) -> Floats:
        """Store what the move holds fixed; return its starting position."""
        state, words = context.state, context.words()
        position = dispersion_position(state.hyper)
        words.standardise(state, group_terms(position, state.hyper))
        return position

    def refresh(self, context: Context) -> None:
        """Fit the Gaussians to the words at their modes, and compute the mass by differences."""
        context.words().fit_gaussians(context.state)
        position = self.standardise(context)
        slopes = [
            hessian_column(lambda x: self.log_density(x, context), position, i) for i in range(2)
        ]
        matrix = -np.array(slopes)
        self.lower[:] = mass_factor(0.5 * (matrix + matrix.T))

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw both, and transform log rates and dispersions."""
        position, known = self.standardise(context), context.knows_likelihood("words")
        move = trajectory(
            position,
            lambda x: self.log_density(x, context),
            self.lower,
            clock.address(Stream.DISPERSION_INTERWEAVING),
            step=float(self.step.value[0]),
            n_steps=N_STAGES,
            start=self.log_density(position, context, likelihood_known=known),
        )
        if move.accepted:  # the last density was that of the trajectory's end
            state = context.state
            context.words().accept(state)
            state.hyper = with_dispersion(state.hyper, move.position)
            context.moved("log_rates")
        return move.as_moves()

    def learned(self) -> list[Learned]:
        """Return the mass and the Gaussians."""
        return [Learned("mass", self.lower), *self._learned_gaussians()]


def group_terms(position: Floats, hyper: Hyperparameters) -> Terms:
    """Return the terms of ``log tau2`` given ``(log nu, log sigma2)``, with the root's prior."""
    half, log_scale = 0.5 * float(np.exp(position[0])), float(position.sum())
    # the second and third derivative of log gamma, as SciPy's polygamma has them; it is slow
    variance, third = float(zeta(2.0, half)), -2.0 * float(zeta(3.0, half))
    return Terms(
        df=2 * half,
        log_scale=log_scale,
        mean=log_scale - np.log(2) - float(digamma(half)),
        mean_slope=1 - half * variance,
        precision=1 / variance,
        precision_slope=-half * third / variance**2,
        constant=-half * np.log(2) - float(gammaln(half)),
        constant_slope=-half * (np.log(2) + float(digamma(half))),
        root_mean=float(hyper.root_mean),
        root_precision=1 / float(hyper.root_variance),
    )
