"""A problem of `problems.py` as the sampler holds it."""

import numpy as np

from frex.sampler.engines.cpu.engine import CpuEngine
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
    """Return an engine that gathers in double precision, to compare to the last digits."""
    return CpuEngine(reduced, precision=np.float64)


def sampler_of(problem, priors, curvature="tree"):
    return Sampler(in_double(problem.reduced), priors, curvature=curvature)
