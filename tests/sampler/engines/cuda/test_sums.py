import numpy as np
import pytest
from numba import cuda

from frex.sampler.engines.cuda.sums import BinSums, Cells

RNG = np.random.default_rng(0)
N_COLUMNS, N_BINS = 2, 5
SIZES = np.array([3, 0, 1, 7, 0, 0, 2, 11, 4, 1])  # of the cells, bin by bin
STARTS = np.concatenate([[0], np.cumsum(SIZES)])
PLACES = RNG.permutation(SIZES.sum())
VALUES = RNG.normal(size=(3, SIZES.sum())) * 10.0 ** RNG.integers(-8, 8, SIZES.sum())


class Fellow:
    """Another GPU, with the bins before these or behind them."""

    def __init__(self, before=(), behind=()):
        self.before, self.behind = list(before), list(behind)

    def sum(self, own):
        return self.all_bins(own).sum(axis=0)

    def all_bins(self, own):
        return np.concatenate([*self.before, own, *self.behind])


class Listening(Fellow):
    def all_bins(self, own):
        self.heard = own
        return own


def sums_of(first, last, exchange):
    """Return the sums, of a GPU that has some bins."""
    cells = slice(N_COLUMNS * first, N_COLUMNS * last)
    starts = STARTS[cells.start : cells.stop + 1]
    here = PLACES[starts[0] : starts[-1]]
    sums = BinSums(Cells.cut(here, starts - starts[0], 4, N_COLUMNS), exchange, 3)
    return sums.take(cuda.to_device(VALUES))


def test_sums_are_over_the_places_of_the_cells():
    column = np.repeat(np.tile(np.arange(N_COLUMNS), N_BINS), SIZES)
    expected = [VALUES[:, PLACES[column == c]].sum(axis=1) for c in range(N_COLUMNS)]
    np.testing.assert_allclose(sums_of(0, N_BINS, Fellow()), expected, rtol=1e-12)


@pytest.mark.parametrize("cut", [0, 1, 3, 5])
def test_two_gpus_have_the_bits_of_one(cut):
    first, second = Listening(), Listening()
    sums_of(0, cut, first)
    sums_of(cut, N_BINS, second)
    whole = sums_of(0, N_BINS, Fellow())
    np.testing.assert_array_equal(sums_of(0, cut, Fellow(behind=[second.heard])), whole)
    np.testing.assert_array_equal(sums_of(cut, N_BINS, Fellow(before=[first.heard])), whole)
