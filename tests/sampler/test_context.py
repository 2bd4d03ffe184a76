"""What blocks ask for is worked out once, and anew when what it follows from has moved."""

import numpy as np
import pytest
from problems import PRIORS, make_problem
from states import chain_state, sampler_of

from frex.tree import TopicTree

TREE = TopicTree(["a", "b", "aa", "ab", "ba"], [None, None, "a", "a", "b"])


@pytest.fixture
def both():
    problem = make_problem(TREE, 1, n_documents=25)
    return sampler_of(problem, PRIORS), chain_state(problem)


def counted(monkeypatch, owner, name):
    """Return a list that grows with every call."""
    calls, original = [], getattr(owner, name)

    def call(*given):
        calls.append(given)
        return original(*given)

    monkeypatch.setattr(owner, name, call)
    return calls


def test_rates_are_found_again_once_words_have_moved(both, monkeypatch):
    sampler, state = both
    calls, context = counted(monkeypatch, sampler.words, "exponentiate"), sampler.context(state)
    first = context.rates()[0].copy()
    context.documents()
    context.moved("memberships")
    context.documents()
    assert len(calls) == 1
    state.log_rates += 1
    context.moved("log_rates")
    np.testing.assert_allclose(context.rates()[0], np.e * first)
    assert len(calls) == 2


def test_words_are_given_memberships_again_once_these_or_their_memory_are_gone(both, monkeypatch):
    sampler, state = both
    calls, context = counted(monkeypatch, sampler.words, "set_memberships"), sampler.context(state)
    context.words()
    context.moved("log_rates")
    context.words()
    assert len(calls) == 1
    context.documents()  # which take the memory
    context.words()
    context.moved("memberships")
    context.words()
    assert len(calls) == 3


def test_a_likelihood_is_known_until_anything_moves(both):
    context = both[0].context(both[1])
    for what in ("log_rates", "memberships"):
        context.note_likelihood("words")
        assert context.knows_likelihood("words")
        assert not context.knows_likelihood("documents")
        context.moved(what)
        assert not context.knows_likelihood("words")
