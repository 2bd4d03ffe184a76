"""Of words each process passes over its own alone."""

import numpy as np
from problems import PRIORS, make_problem
from states import chain_state, sampler_of

from frex.sampler.blocks.dispersion_hyper import dispersion_position
from frex.sampler.blocks.dispersion_interweaving import group_terms
from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab"], [None, None, "a", "a"])


def test_words_of_other_processes_are_left_as_they_are():
    problem = make_problem(TREE, 1, n_documents=12, n_words=7)
    sampler, state = sampler_of(problem, PRIORS), chain_state(problem)
    words = sampler.context(state).words()
    words.find_modes(state)
    own = np.arange(0, 7, 2)
    every = words._data
    words._data = every._replace(
        bin_words=own, bin_starts=np.array([0, len(own)]), bin_order=np.array([0])
    )
    for array in words.gaussians:
        array[:] = -1.0
    words.fit_gaussians(state)
    terms = group_terms(dispersion_position(state.hyper), state.hyper)
    held = words._workspace.held_dispersions
    held[:] = words._workspace.held_log_rates[:] = -1.0
    words.standardise(state, terms)
    for array in (*words.gaussians, held, words._workspace.held_log_rates):
        assert (array[1::2] == -1.0).all()
        assert not (array[own] == -1.0).any()
