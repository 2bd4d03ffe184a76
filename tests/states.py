"""A problem of `problems.py` as the sampler holds it."""

import numpy as np

from frex.sampler.data import kernel_data
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


def in_double(reduced):
    """Return the kernels' data with rooms of double precision, to compare to the last digits."""
    data = kernel_data(reduced)
    gathered, theta = (
        np.empty_like(room, np.float64) for room in (data.rooms.gathered, data.words.theta)
    )
    words = data.words._replace(theta=theta)
    return data._replace(words=words, rooms=data.rooms._replace(gathered=gathered))


def sampler_of(problem, priors, curvature="tree"):
    reduced = problem.reduced
    return Sampler(reduced, priors, curvature=curvature, data=in_double(reduced))
