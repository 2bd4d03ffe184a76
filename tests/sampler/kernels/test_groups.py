import numpy as np
import pytest
from numba import njit

from frex.sampler.formulas.random import gamma
from frex.sampler.kernels.groups import SPARE, draw_dispersions
from frex.sampler.state import Clock, Stream

N_WORDS, N_GROUPS = 20_000, 40
CHILDREN = np.tile([1.0, 2.0, 7.0, 30.0], N_GROUPS // 4)


def drawn(df, scale, squares, address):
    dispersions = np.zeros_like(squares)
    draw_dispersions(squares, CHILDREN, df, scale, address, np.arange(len(squares)), dispersions)
    return dispersions


@njit
def one_by_one(address, df, children, out):
    """Fill gamma variates, and return the most draws that a word took."""
    most = 0
    for f in range(len(out)):
        draw = 0
        for p in range(len(children)):
            shape = 0.5 * (children[p] + df)
            out[f, p], draw = gamma(address.key, f, address.scan, address.stream, draw, shape)
        most = max(most, draw)
    return most


@pytest.mark.parametrize("df", [0.5, 1.0, 3.0])
def test_dispersions_are_those_of_gammas_drawn_one_by_one(df):
    address, scale = Clock(5, 1, 8).address(Stream.DISPERSIONS), 0.7
    squares = np.random.default_rng(0).gamma(2.0, size=(N_WORDS, N_GROUPS))
    gammas = np.empty_like(squares)
    most = one_by_one(address, df, CHILDREN, gammas)
    expected = 0.5 * (df * scale + squares) / gammas
    np.testing.assert_allclose(drawn(df, scale, squares, address), expected, rtol=1e-13)
    assert most > 2 * (N_GROUPS + SPARE)  # some word needed more than are made at once


def test_some_words_are_drawn_as_when_all_are():
    address, squares = Clock(5, 1, 8).address(Stream.DISPERSIONS), np.ones((200, N_GROUPS))
    some, out = np.arange(3, 200, 7), np.zeros((200, N_GROUPS))
    draw_dispersions(squares, CHILDREN, 3.0, 0.7, address, some, out)
    assert np.array_equal(out[some], drawn(3.0, 0.7, squares, address)[some])
    assert not out[np.setdiff1d(np.arange(200), some)].any()
