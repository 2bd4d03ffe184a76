"""Where chains start."""

import numpy as np
from bits import small_corpus

from frex.model import branching_tree
from frex.model.reductions import reduce
from frex.sampler import state as states
from frex.sampler.scan import Sampler
from frex.sampler.settings import Settings
from frex.sampler.start import dispersed, find_map
from frex.sampler.state import Clock


def test_no_random_number_of_the_start_is_drawn_again(monkeypatch):
    """Not by the chain that has the same seed and number as the search for the middle."""
    asked = []
    address = Clock.address

    def note(clock, stream):
        asked.append(address(clock, stream))
        return asked[-1]

    monkeypatch.setattr(states.Clock, "address", note)
    corpus = small_corpus(branching_tree((2, 2)))
    sampler = Sampler(reduce(corpus), Settings().prior_family)
    middle = find_map(sampler)
    state = dispersed(sampler, middle, Clock(0, 0, 0))
    for scan in range(14):
        sampler.scan(state, Clock(0, 0, scan))
    assert len(asked) == len(set(asked))


def test_chains_set_out_from_different_places():
    corpus = small_corpus(branching_tree((2, 2)))
    sampler = Sampler(reduce(corpus), Settings().prior_family)
    middle = find_map(sampler)
    one, other = (dispersed(sampler, middle, Clock(0, chain, 0)) for chain in range(2))
    assert (one.log_rates != other.log_rates).all()
    assert one.memberships is not other.memberships
    np.testing.assert_array_equal(one.affinities, other.affinities)
