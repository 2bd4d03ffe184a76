from dataclasses import replace

import numpy as np
import pytest
from devices import small_corpus
from problems import PRIORS
from states import in_double

from frex.model.reductions import reduce
from frex.sampler import models, start
from frex.sampler.chain import Chain
from frex.sampler.engines.cuda.engine import CudaEngine
from frex.sampler.scan import Sampler
from frex.sampler.state import Clock, State

ARRAYS = ("log_rates", "dispersions", "affinities", "memberships")


def copy_of(state):
    return State(*(getattr(state, name).copy() for name in ARRAYS), state.hyper)


def assert_close(state, other, tolerance):
    for name in ARRAYS:
        np.testing.assert_allclose(
            getattr(state, name), getattr(other, name), rtol=tolerance, atol=tolerance, err_msg=name
        )
    for name, value in state.hyper._asdict().items():
        np.testing.assert_allclose(value, getattr(other.hyper, name), rtol=tolerance, err_msg=name)


def to_host(sampler, state):
    """Return a copy of a state on the host."""
    words, labels = sampler.engine.corpus.words_at, sampler.engine.corpus.labels_at
    return State(
        words.pulled(state.log_rates),
        words.pulled(state.dispersions),
        labels.pulled(state.affinities),
        labels.pulled(state.memberships),
        state.hyper,
    )


@pytest.fixture(scope="module")
def reduced():
    return reduce(small_corpus())


def rough(sampler):
    """Return a state in which no two numbers are alike."""
    state = start.first_state(sampler)
    rng = np.random.default_rng(3)
    state.log_rates += rng.normal(0, 0.3, state.log_rates.shape)
    state.dispersions *= rng.uniform(0.5, 2, state.dispersions.shape)
    return state


def test_scans_are_those_of_the_cpu(reduced):
    cpu = Sampler(in_double(reduced), PRIORS)
    gpu = Sampler(CudaEngine(reduced), PRIORS)
    state = rough(cpu)
    on_device = gpu.engine.adopt(copy_of(state))
    for scan in range(2):  # the first with all masses found anew; both interweaving moves
        clock = Clock(5, 1, scan)
        report = cpu.scan(state, clock, refresh=scan == 0)
        other = gpu.scan(on_device, clock, refresh=scan == 0)
        assert_close(state, to_host(gpu, on_device), 1e-9)
        for block, acceptance in report.acceptance.items():
            np.testing.assert_allclose(acceptance, other.acceptance[block], rtol=1e-7)
            np.testing.assert_allclose(report.energy[block], other.energy[block], rtol=1e-5)


def test_the_middle_is_that_of_the_cpu(reduced, monkeypatch):
    monkeypatch.setattr(models, "HPC", replace(models.HPC, n_rounds=3))
    cpu = Sampler(in_double(reduced), PRIORS)
    gpu = Sampler(CudaEngine(reduced), PRIORS)
    middle, other = start.find_map(cpu), start.find_map(gpu)
    # a search ends where its steps are small, and rounding may decide on one more
    assert_close(middle, to_host(gpu, other), 1e-4)
    clock = Clock(2, 1, 0)
    drawn = start.dispersed(cpu, middle, clock)
    found = start.dispersed(gpu, other, clock)
    assert_close(drawn, to_host(gpu, found), 1e-4)


@pytest.mark.parametrize("interweave", [True, False])
def test_what_is_pulled_and_pushed_again_scans_to_the_same_bits(reduced, interweave):
    gpu = Sampler(CudaEngine(reduced), PRIORS, interweave=interweave)
    state = gpu.engine.adopt(rough(gpu))
    report = gpu.scan(state, Clock(0, 0, 0), refresh=True)
    for block in ("rates", "affinities"):
        gpu.steps[block].learn(report.items[block], late=True)
    mine = Chain(gpu, state)
    host = mine.fetched()
    other = Sampler(gpu.engine, PRIORS, interweave=interweave)
    resumed = Chain(other, gpu.engine.adopt(start.first_state(other)))
    for name, learned in resumed.arrays():
        assert host[name].any() or "step_s" in name, name
        assert host[name].shape == gpu.engine.shape(learned)
        gpu.engine.put(learned, host[name])
    resumed.state.hyper = state.hyper
    gpu.scan(state, Clock(0, 0, 2))
    other.scan(resumed.state, Clock(0, 0, 2))
    assert_close(*(to_host(gpu, each) for each in (state, resumed.state)), 0)


def test_steps_learn_as_on_the_cpu(reduced):
    cpu = Sampler(in_double(reduced), PRIORS)
    gpu = Sampler(CudaEngine(reduced), PRIORS)
    accepted = np.linspace(0, 1, len(cpu.steps["affinities"].value))
    on_device = np.zeros(len(gpu.engine.corpus.slots))
    taken = gpu.engine.corpus.slots >= 0
    on_device[taken] = accepted[gpu.engine.corpus.slots[taken]]
    for late in (False, True, True):
        cpu.steps["affinities"].learn(accepted, late=late)
        gpu.steps["affinities"].learn(on_device, late=late)
    for sampler in (cpu, gpu):
        sampler.steps["affinities"].freeze()
    expected = cpu.steps["affinities"].value
    np.testing.assert_allclose(gpu.steps["affinities"].value, expected, rtol=1e-12)


def test_without_documents_of_several_labels():
    reduced = reduce(small_corpus(n_documents=4, most_labels=1))
    cpu = Sampler(in_double(reduced), PRIORS)
    gpu = Sampler(CudaEngine(reduced), PRIORS)
    state = rough(cpu)
    on_device = gpu.engine.adopt(copy_of(state))
    cpu.scan(state, Clock(0, 0, 0), refresh=True)
    gpu.scan(on_device, Clock(0, 0, 0), refresh=True)
    assert_close(state, to_host(gpu, on_device), 1e-9)
