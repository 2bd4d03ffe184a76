import numpy as np
import pytest
from devices import small_corpus

from frex.model.priors import WeakPriors
from frex.model.reductions import reduce
from frex.sampler import record
from frex.sampler.cuda.record import CudaRecord
from frex.sampler.cuda.sampler import CudaSampler
from frex.sampler.moments import RunningMoments
from frex.sampler.scan import Sampler
from frex.sampler.settings import Settings
from frex.sampler.start import first_state
from frex.sampler.state import State


def draws(sampler, n):
    rng = np.random.default_rng(1)
    middle = first_state(sampler)
    for _ in range(n):
        yield State(
            middle.log_rates + rng.normal(size=middle.log_rates.shape),
            middle.dispersions * rng.uniform(0.5, 2, middle.dispersions.shape),
            middle.affinities,
            rng.uniform(size=middle.memberships.shape),
            middle.hyper,
        )


@pytest.fixture
def records(monkeypatch):
    """Return the records of the CPU and of the GPU, after the same draws, both in double."""
    monkeypatch.setattr(record, "KEPT", np.float64)
    corpus, settings = small_corpus(), Settings(compare=("siblings", "all", 1), chains=1)
    reduced = reduce(corpus)
    cpu, gpu = Sampler(reduced, WeakPriors()), CudaSampler(reduced, WeakPriors())
    here = record.Record(corpus, reduced, settings)
    there = CudaRecord(corpus, reduced, settings, gpu.corpus)
    for number, state in enumerate(draws(cpu, 4)):
        on_device = gpu.push(state)
        gpu.words.exponentiate(on_device.log_rates)
        if number == 0:
            here.foresee(state.log_rates, cpu.exponentiated(state)[0], cpu)
            there.foresee(on_device.log_rates, gpu.exponentiated(on_device)[0], gpu)
        else:
            here.add(0, state, cpu)
            there.add(0, on_device, gpu)
    return here, there


def test_the_record_is_that_of_the_cpu(records):
    here, there = records
    for kept, other in ((here.moments, there.moments), (here.exclusivity, there.exclusivity)):
        for name, moments in kept.items():
            np.testing.assert_allclose(other[name].mean, moments.mean, rtol=1e-12)
            np.testing.assert_allclose(other[name].sd, moments.sd, rtol=1e-9)
    for name, scored in here.scored.items():
        mine, theirs = scored.to_scored(), there.scored[name].to_scored()
        np.testing.assert_array_equal(mine[0], theirs[0])
        np.testing.assert_allclose(mine[1], theirs[1], rtol=1e-6)
    for name, values in here.stacked(here.draws).items():
        np.testing.assert_allclose(there.stacked(there.draws)[name], values)


def test_moments_go_to_the_host_and_back(records):
    _, there = records
    before = {name: moments.mean.copy() for name, moments in there.moments.items()}
    for name, moments in there.moments.items():
        there.moments[name] = RunningMoments.from_arrays(moments.to_arrays())
    there.push()
    for name, mean in before.items():
        np.testing.assert_array_equal(there.moments[name].mean, mean)
