"""The common drift of all words, given the log rates of topics, with the root integrated out.

Given the topics' log rates, a word's root is Gaussian and independent of the documents. So gamma2
and psi are drawn with all roots integrated out, and then the roots are drawn. Given the roots, a
small gamma2 would mix slowly. `model/known.py` has the densities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from frex.model.known import drift_gradient, drift_hessian, drift_log_density, level_conditional
from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.kernels.random import normal_array
from frex.sampler.schmc import StepSize, find_mode, trajectory
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.model.known import KnownTopics
    from frex.sampler.arrays import Floats
    from frex.sampler.context import Context
    from frex.sampler.engines.verbs import WordsOfKnown
    from frex.sampler.state import Clock, State

N_STAGES = 3


class RootDrift:
    """``(psi, gamma2)``, and every word's root.

    Parameters
    ----------
    known
        The known topics with their prior.
    words
        The words with their log rates.
    priors
        Proper priors of the hyperparameters.
    """

    name = "root_drift"

    def __init__(self, known: KnownTopics, words: WordsOfKnown, priors: Any) -> None:
        self.spreads, self.words, self.priors = known.spreads[:, 0], words, priors
        self.lower = np.eye(1)  #: of the mass, changed in place
        self.step = StepSize.create(1, N_STAGES)

    def refresh(self, context: Context) -> None:
        """Find the conditional mode, and store the curvature there."""
        self.fit_mode(context.state)

    def _given(self, state: State) -> tuple[Floats, Floats, tuple[Any, ...]]:
        """Return mean and variance of every root given the topics, and the density's arguments."""
        means, variances = self.words.about_root(state)
        squares, spreads = (means - state.hyper.root_mean) ** 2, self.spreads + variances
        return means, variances, (squares[:, None], spreads[:, None], self.priors.drift_sd)

    def fit_mode(self, state: State) -> None:
        """Set gamma2 in the state to its mode, and store the curvature there."""
        *_, given = self._given(state)
        mode = find_mode(
            np.array([0.5 * np.log(state.hyper.root_variance)]),
            lambda z: _density(z, given),
            lambda z: np.diag(drift_hessian(z, *given)),
        )
        self.lower[:] = np.sqrt(max(-float(drift_hessian(mode, *given)[0]), 1.0))
        state.hyper = state.hyper._replace(root_variance=float(np.exp(2 * mode[0])))

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw all of them."""
        state = context.state
        means, variances, given = self._given(state)
        move = trajectory(
            np.array([0.5 * np.log(state.hyper.root_variance)]),
            lambda z: _density(z, given),
            self.lower,
            clock.address(Stream.ROOT_VARIANCE),
            step=float(self.step.value[0]),
            n_steps=N_STAGES,
        )
        variance = float(np.exp(2 * move.position[0]))
        address = clock.address(Stream.ROOT_MEAN)
        noise = normal_array(address.key, 0, address.scan, address.stream, 1 + len(means))
        own = self.spreads + variance
        centre, width = level_conditional(means, own + variances, self.priors.drift_level)
        level = float(centre + np.sqrt(width) * noise[0])
        state.hyper = state.hyper._replace(root_mean=level, root_variance=variance)
        precision = 1 / own + 1 / variances
        root = (level / own + means / variances) / precision + noise[1:] / np.sqrt(precision)
        state.log_rates[:, 0] = root
        context.moved("log_rates")
        return move.as_moves()

    def learned(self) -> list[Learned]:
        """Return the mass."""
        return [Learned("mass", self.lower)]


def _density(position: Floats, given: tuple[Any, ...]) -> tuple[float, Floats]:
    """Return log density and gradient in log gamma."""
    if not abs(position[0]) < 20:
        return -np.inf, np.zeros_like(position)
    return drift_log_density(position, *given), drift_gradient(position, *given)
