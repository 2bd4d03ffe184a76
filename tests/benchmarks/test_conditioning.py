"""What `benchmarks/conditioning.py` measures at size, at a size that a test affords."""

from importlib import import_module

import numpy as np
import pytest
from calibration import assert_uniform

from frex.sampler.state import Clock
from frex.sampler.threads import use_threads

pytestmark = pytest.mark.statistical

SEEDS, N_DOCUMENTS = range(12), 400
"""As many as show that something is left out; statistical/test_calibration.py has many more."""


def replications(seeds, n_documents, *, conditioned):
    """Return distances and ranks, quantities x replications."""
    replicate = import_module("conditioning").replicate
    with use_threads(1):
        found = [replicate(seed, n_documents, conditioned=conditioned) for seed in seeds]
    return (np.array(column).T for column in zip(*found, strict=True))


def assert_calibrated(distance, rank):
    """Assert that the truth is where a draw of the posterior would be."""
    benchmark = import_module("conditioning")
    assert np.abs(distance).max() < 4.5
    assert_uniform(rank, benchmark.N_OTHERS, benchmark.NAMES)


def test_eta_is_found_in_documents_that_all_have_a_label():
    assert_calibrated(*replications(SEEDS, N_DOCUMENTS, conditioned=True))


def test_eta_is_too_high_where_that_is_left_out():
    distance, rank = replications(SEEDS, N_DOCUMENTS, conditioned=False)
    names = import_module("conditioning").NAMES
    assert distance[names.index("mean of eta")].mean() > 2
    with pytest.raises(AssertionError):
        assert_calibrated(distance, rank)


def test_every_eta_of_3000_documents_is_within_three_standard_deviations():
    distance, _ = replications([0], 3000, conditioned=True)
    assert np.abs(distance).max() < 3


def test_replications_have_random_numbers_of_their_own(monkeypatch):
    chains, benchmark, seen = (*map(import_module, ("chains", "conditioning")), [])
    monkeypatch.setattr(benchmark, "N_WARMUP", 2)
    monkeypatch.setattr(benchmark, "THIN", 1)
    monkeypatch.setattr(chains, "Clock", lambda *clock: seen.append(clock) or Clock(*clock))
    for _ in replications((3, 4), 40, conditioned=True):
        pass
    assert len(seen) == 2 * (2 + benchmark.N_OTHERS)
    assert len(set(seen)) == len(seen)
