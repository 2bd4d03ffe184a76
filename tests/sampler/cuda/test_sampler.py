import numpy as np
import pytest
from devices import small_corpus
from problems import PRIORS
from states import in_double

from frex.model.reductions import reduce
from frex.sampler import start
from frex.sampler.cuda import start as device_start
from frex.sampler.cuda.sampler import CudaSampler
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
    cpu = Sampler(reduced, PRIORS, data=in_double(reduced))
    gpu = CudaSampler(reduced, PRIORS)
    state = rough(cpu)
    on_device = gpu.push(copy_of(state))
    for scan in range(3):  # the first with all masses found anew; both interweaving moves
        clock = Clock(5, 1, scan)
        report = cpu.scan(state, clock, refresh=scan == 0)
        other = gpu.scan(on_device, clock, refresh=scan == 0)
        assert_close(state, on_device.to_host(gpu.corpus), 1e-9)
        for block, acceptance in report.acceptance.items():
            np.testing.assert_allclose(acceptance, other.acceptance[block], rtol=1e-7)
            np.testing.assert_allclose(report.energy[block], other.energy[block], rtol=1e-5)


def test_the_middle_is_that_of_the_cpu(reduced, monkeypatch):
    for module in (start, device_start):
        monkeypatch.setattr(module, "N_ROUNDS", 3)
    cpu = Sampler(reduced, PRIORS, data=in_double(reduced))
    gpu = CudaSampler(reduced, PRIORS)
    middle, other = start.find_map(cpu), device_start.find_map(gpu)
    # a search ends where its steps are small, and rounding may decide on one more
    assert_close(middle, other.to_host(gpu.corpus), 1e-4)
    clock = Clock(2, 1, 0)
    drawn = start.dispersed(cpu, middle, clock)
    assert_close(drawn, device_start.dispersed(gpu, other, clock).to_host(gpu.corpus), 1e-4)


def test_what_is_pulled_and_pushed_again_scans_to_the_same_bits(reduced):
    gpu = CudaSampler(reduced, PRIORS)
    state = gpu.push(rough(gpu))
    report = gpu.scan(state, Clock(0, 0, 0), refresh=True)
    for block in ("rates", "affinities"):
        gpu.steps[block].learn(report.items[block], late=True)
    host = gpu.pull(state)
    other = CudaSampler(reduced, PRIORS, like=gpu)
    for mine, theirs in (
        (gpu.rates.curvature, other.rates.curvature),
        (gpu.affinities.curvature, other.affinities.curvature),
        *zip(gpu.affinity_interweaving.own, other.affinity_interweaving.own, strict=True),
        *zip(gpu.dispersion_interweaving.own, other.dispersion_interweaving.own, strict=True),
        (gpu.rates.step.value, other.rates.step.value),
        (gpu.affinities.step.value, other.affinities.step.value),
        (gpu.dispersion_hyper.lower, other.dispersion_hyper.lower),
        (gpu.affinity_hyper.lower, other.affinity_hyper.lower),
        (gpu.affinity_interweaving.lower, other.affinity_interweaving.lower),
        (gpu.dispersion_interweaving.lower, other.dispersion_interweaving.lower),
    ):
        assert mine.any()
        theirs[...] = mine
    resumed = other.push(host)
    gpu.scan(state, Clock(0, 0, 2))
    other.scan(resumed, Clock(0, 0, 2))
    assert_close(state.to_host(gpu.corpus), resumed.to_host(other.corpus), 0)


def test_steps_learn_as_on_the_cpu(reduced):
    cpu = Sampler(reduced, PRIORS, data=in_double(reduced))
    gpu = CudaSampler(reduced, PRIORS)
    accepted = np.linspace(0, 1, len(cpu.affinities.step.value))
    on_device = np.zeros(len(gpu.corpus.slots))
    taken = gpu.corpus.slots >= 0
    on_device[taken] = accepted[gpu.corpus.slots[taken]]
    for late in (False, True, True):
        cpu.steps["affinities"].learn(accepted, late=late)
        gpu.steps["affinities"].learn(on_device, late=late)
    for sampler in (cpu, gpu):
        sampler.steps["affinities"].freeze()
    expected = cpu.steps["affinities"].value
    np.testing.assert_allclose(gpu.steps["affinities"].value, expected, rtol=1e-12)


def test_without_documents_of_several_labels():
    reduced = reduce(small_corpus(n_documents=4, most_labels=1))
    cpu = Sampler(reduced, PRIORS, data=in_double(reduced))
    gpu = CudaSampler(reduced, PRIORS)
    state = rough(cpu)
    on_device = gpu.push(copy_of(state))
    cpu.scan(state, Clock(0, 0, 0), refresh=True)
    gpu.scan(on_device, Clock(0, 0, 0), refresh=True)
    assert_close(state, on_device.to_host(gpu.corpus), 1e-9)
