"""How far every known topic drifts, given the log rates: by SCHMC in log sqrt(delta).

`model/known.py` has the density, which factors over topics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.schmc import StepSize, find_mode, trajectory
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.sampler.arrays import Floats
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import WordsOfKnown
    from frex.sampler.state import Clock, State

N_STAGES = 3


class Drifts:
    """``delta`` of all known topics.

    Parameters
    ----------
    n_known
        Number of known topics.
    words
        The words with their log rates.
    priors
        Proper priors of the hyperparameters.
    """

    name = "drifts"

    def __init__(self, n_known: int, words: WordsOfKnown, priors: Any) -> None:
        self.words, self.prior = words, priors.drift_sd
        self.lower = np.eye(n_known)  #: of the mass, changed in place
        self.step = StepSize.create(1, N_STAGES)

    def log_density(self, position: Floats, state: State) -> tuple[float, Floats]:
        """Return log density and gradient, prior included."""
        if not np.all(np.abs(position) < 20):
            return -np.inf, np.zeros_like(position)
        value, slope, _ = self.words.drift_sums(state, np.exp(2 * position)).T
        total = float(value.sum() + np.sum(self.prior.log_density_of_log(position)))
        return total, slope + self.prior.gradient_of_log(position)

    def hessian(self, position: Floats, state: State) -> Floats:
        """Return the Hessian of `log_density`, which is diagonal."""
        bend = self.words.drift_sums(state, np.exp(2 * position))[:, 2]
        return np.diag(bend + self.prior.second_derivative_of_log(position))

    def refresh(self, context: Context) -> None:
        """Find the conditional mode, and store the curvature there."""
        self.fit_mode(context.state)

    def fit_mode(self, state: State) -> Floats:
        """Find the mode given the log rates, store the curvature there, and return the mode."""
        mode = find_mode(
            0.5 * np.log(state.hyper.drift_variance),
            lambda z: self.log_density(z, state),
            lambda z: self.hessian(z, state),
        )
        bends = -np.diag(self.hessian(mode, state))
        self.lower[:] = np.diag(np.sqrt(np.maximum(bends, 1.0)))
        variances: Floats = np.exp(2 * mode)
        return variances

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw all of them."""
        state = context.state
        move = trajectory(
            0.5 * np.log(state.hyper.drift_variance),
            lambda z: self.log_density(z, state),
            self.lower,
            clock.address(Stream.DRIFTS),
            step=float(self.step.value[0]),
            n_steps=N_STAGES,
        )
        state.hyper = state.hyper._replace(drift_variance=np.exp(2 * move.position))
        return move.as_moves()

    def learned(self) -> list[Learned]:
        """Return the mass."""
        return [Learned("mass", self.lower)]
