import numpy as np
import pytest
from devices import small_corpus

from frex.model.priors import WeakPriors
from frex.model.reductions import reduce
from frex.sampler import record
from frex.sampler.engines.cuda.engine import CudaEngine
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
    cpu, gpu = Sampler(reduced, WeakPriors()), Sampler(CudaEngine(reduced), WeakPriors())
    here, there = (record.Record(corpus, settings, of.engine) for of in (cpu, gpu))
    for number, state in enumerate(draws(cpu, 4)):
        own, other = cpu.context(state), gpu.context(gpu.engine.adopt(state))
        if number == 0:
            here.add_warm_up(own)
            there.add_warm_up(other)
        else:
            here.add(0, own)
            there.add(0, other)
    return here, there


def test_the_record_is_that_of_the_cpu(records):
    here, there = records
    own, others = here.whole(), there.whole()
    pairs = (own.moments, others.moments), (own.exclusivity, others.exclusivity)
    for kept, other in pairs:
        for name, moments in kept.items():
            np.testing.assert_allclose(other[name].mean, moments.mean, rtol=1e-12)
            np.testing.assert_allclose(other[name].sd, moments.sd, rtol=1e-9)
    for name, scored in own.scored.items():
        mine, theirs = scored.to_scored(), others.scored[name].to_scored()
        np.testing.assert_array_equal(mine[0], theirs[0])
        np.testing.assert_allclose(mine[1], theirs[1], rtol=1e-6)
    for name, values in here.stacked(here.draws).items():
        np.testing.assert_allclose(there.stacked(there.draws)[name], values)


def test_moments_go_to_the_host_and_back(records):
    _, there = records
    before = there.whole()
    there.continue_from(before)
    after = there.whole()
    for name, moments in before.moments.items():
        np.testing.assert_array_equal(after.moments[name].mean, moments.mean)
