"""Who has what, and what is said where ranks cannot be."""

import sys

import numpy as np
import pytest

from frex.errors import InputError, MissingExtraError
from frex.sampler.ranks.exchange import Partition, Ranks, launched_on_ranks, started_ranks


class Alone:
    """A communicator that only knows numbers."""

    def __init__(self, rank, size):
        self.rank, self.size = rank, size

    def Get_rank(self):  # noqa: N802 - mpi4py's name
        return self.rank

    def Get_size(self):  # noqa: N802
        return self.size


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
def test_every_bin_has_one_rank(size):
    bins = [Ranks(Alone(rank, size)).bins.own for rank in range(size)]
    assert sorted(np.concatenate(bins).tolist()) == list(range(64))
    assert all(len(own) for own in bins)
    assert all((np.diff(own) > 0).all() for own in bins)


def test_items_go_with_their_bins():
    starts = np.arange(65) * 2
    items = np.random.default_rng(0).permutation(128)
    for rank in range(3):
        ranks = Ranks(Alone(rank, 3))
        expected = [item for b in ranks.bins.own for item in items[2 * b : 2 * b + 2]]
        assert ranks.partition(starts, items).own.tolist() == expected


def test_entries_go_with_their_items():
    partition = Partition(np.array([2, 0, 1]), np.array([0, 1, 3]), rank=1)
    labels = partition.spread(np.array([0, 2, 5, 6]))
    assert labels.order.tolist() == [5, 0, 1, 2, 3, 4]
    assert labels.own.tolist() == [0, 1, 2, 3, 4]
    assert labels.rows.tolist() == [1, 2, 3, 4, 5, 0]


def test_more_ranks_than_bins_are_refused():
    with pytest.raises(InputError, match=r"65 ranks were started.*Start 64 ranks or fewer"):
        Ranks(Alone(0, 65)).check_size()


@pytest.mark.parametrize("name", ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"])
def test_launchers_are_known(monkeypatch, name):
    monkeypatch.setenv(name, "1")
    assert not launched_on_ranks()
    monkeypatch.setenv(name, "4")
    assert launched_on_ranks()


def test_a_process_alone_needs_no_mpi(monkeypatch):
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with started_ranks() as ranks:
        assert ranks is None


def test_the_missing_extra_is_named(monkeypatch):
    monkeypatch.setenv("OMPI_COMM_WORLD_SIZE", "2")
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'frex\[mpi\]'"), started_ranks():
        pass
