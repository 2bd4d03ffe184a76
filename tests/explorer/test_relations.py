import numpy as np
import pytest
from pages import make_fit

from frex.explorer.relations import LEAST, MOST, correlations, strongest


def test_correlations_are_those_of_the_memberships():
    fit = make_fit()
    found = correlations(fit)
    expected = np.corrcoef(fit.membership_matrix().toarray().T)
    assert found == pytest.approx(expected, abs=1e-9)


def test_lines_join_the_pairs_that_go_together_most():
    found = np.array([[1, 0.5, 0.01], [0.5, 1, 0.9], [0.01, 0.9, 1]])
    every = np.ones(3, bool)
    assert strongest(found, every) == [(1, 2, 0.9), (0, 1, 0.5)]
    assert strongest(found, np.array([True, True, False])) == [(0, 1, 0.5)]
    assert LEAST > 0.01
    many = np.ones((200, 200))
    assert len(strongest(many, np.ones(200, bool))) == MOST
    assert strongest(np.eye(1), every[:1]) == []
