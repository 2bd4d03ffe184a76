"""psi and gamma2 given the root's log rates: in closed form, except for the prior of gamma."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.model.hyperparameters import (
    root_mean_conditional,
    root_variance_conditional,
    root_variance_log_acceptance,
)
from frex.sampler.engines.verbs import Learned, Moves
from frex.sampler.kernels.random import gamma_value, normal_array, uniform_pair
from frex.sampler.state import Stream

if TYPE_CHECKING:
    from frex.model.priors import Hyperparameters, Priors
    from frex.sampler.arrays import Floats
    from frex.sampler.context import Context
    from frex.sampler.state import Clock


class Root:
    """``(psi, gamma2)``."""

    name, step = "root", None

    def __init__(self, priors: Priors) -> None:
        self.priors = priors

    def refresh(self, context: Context) -> None:
        """Do nothing: there is nothing to adapt."""

    def update(self, context: Context, clock: Clock) -> Moves:
        """Draw both."""
        state = context.state
        state.hyper = draw_root(state.hyper, context.root(), self.priors, clock)
        return Moves()

    def learned(self) -> list[Learned]:
        """Return nothing."""
        return []


def draw_root(
    hyper: Hyperparameters, root_log_rates: Floats, priors: Priors, clock: Clock
) -> Hyperparameters:
    """Draw psi and gamma2 given the root's log rates."""
    address = clock.address(Stream.ROOT_MEAN)
    centre = root_mean_conditional(root_log_rates, hyper.root_variance, priors.root_mean)
    noise = normal_array(address.key, 0, address.scan, address.stream, 1)[0]
    root_mean = float(centre.mean + np.sqrt(centre.variance) * noise)

    address = clock.address(Stream.ROOT_VARIANCE)
    exact = root_variance_conditional(root_log_rates, root_mean)
    chi2 = 2 * gamma_value(address.key, 0, address.scan, address.stream, 0.5 * float(exact.df))
    proposed = float(exact.df * exact.scale / chi2)
    u, _ = uniform_pair(address.key, 1, address.scan, address.stream, 0)
    ratio = root_variance_log_acceptance(hyper.root_variance, proposed, priors.root_sd)
    root_variance = proposed if np.log(u) < ratio else hyper.root_variance
    return hyper._replace(root_mean=root_mean, root_variance=root_variance)
