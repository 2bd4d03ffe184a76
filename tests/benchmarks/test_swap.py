"""A block from outside keeps its conditional, and the check finds faults that are put in."""

from importlib import import_module

import numpy as np
import pytest
from calibration import assert_uniform
from statistical.blocks import N_STEPS, Affinities, chain_ranks

from frex.sampler.engines.cpu.documents import CpuDocuments
from frex.sampler.threads import use_threads

pytestmark = pytest.mark.statistical


class Swaps(Affinities):
    n_replicates = 100
    names = (*Affinities.names, "distance from eta")

    def prepare(self, sampler, state, elsewhere):
        """Learn nothing: there is nothing to learn."""

    def move(self, sampler, state, clock):
        swap = import_module("swap").Swap(sampler.engine)
        swap.update(sampler.context(state), clock)

    def quantities(self, sampler, state):
        labels, eta = sampler.engine.reduced.labels, state.hyper.affinity_mean
        away = (state.affinities - eta[labels.indices]) ** 2
        distance = np.add.reduceat(away, labels.indptr[:-1]) if len(away) else away
        return np.vstack([super().quantities(sampler, state), distance])


def check():
    with use_threads(1):
        assert_uniform(chain_ranks(Swaps(), 1), N_STEPS, Swaps.names)


def test_the_block_keeps_its_conditional():
    check()


@pytest.mark.parametrize("left_out", ["affinity_mean", "rate_sums"])
def test_the_check_finds_what_is_left_out(monkeypatch, left_out):
    original = CpuDocuments.given

    def given(documents, state):
        found = original(documents, state)
        return found._replace(**{left_out: 0 * getattr(found, left_out)})

    monkeypatch.setattr(CpuDocuments, "given", given)
    with pytest.raises(AssertionError, match="ranks are not uniform"):
        check()
