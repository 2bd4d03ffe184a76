"""A problem of `problems.py` as the sampler holds it."""

import numpy as np

from frex.sampler.scan import Sampler
from frex.sampler.state import State


def chain_state(problem):
    """Return the problem's truth as the state of a chain, with arrays of its own."""
    return State(
        problem.state.log_rates.copy(),
        np.exp(problem.state.log_dispersions),
        problem.affinities.copy(),
        problem.memberships.copy(),
        problem.state.hyper,
    )


def sampler_of(problem, priors, curvature="tree"):
    return Sampler(problem.reduced, priors, curvature=curvature)
