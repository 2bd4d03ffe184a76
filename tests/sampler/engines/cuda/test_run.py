from dataclasses import replace

import numpy as np
import pytest
from devices import small_corpus
from numba import cuda

from frex.corpus import Corpus
from frex.errors import InputError
from frex.model.reductions import reduce
from frex.sampler import fit, models
from frex.sampler.engines import check_device, engine_for
from frex.sampler.engines.cuda import corpus as corpus_on_device
from frex.sampler.engines.cuda import memory
from frex.sampler.engines.cuda.device import DeviceError, open_device
from frex.sampler.engines.cuda.engine import CudaEngine
from frex.sampler.engines.cuda.memory import check_memory
from frex.sampler.run import Run
from frex.sampler.settings import Settings
from frex.sampler.start import first_state


@pytest.fixture(autouse=True)
def _one_round(monkeypatch):
    monkeypatch.setattr(models, "HPC", replace(models.HPC, n_rounds=1))


def posterior_of(corpus, settings, checkpoint=None, *, resume=False):
    run = Run(corpus, settings, engine_for(settings, reduce(corpus)), checkpoint)
    if resume:
        run.resume()
    else:
        run.start(overwrite=False)
    run.go(1e9)
    return fit.posterior_of(corpus, settings, run.record.outcome(), complete=run.complete)


def test_a_run_that_is_resumed_has_the_same_bits(tmp_path):
    corpus = small_corpus(n_documents=5)
    short, long = (Settings(device="cuda", chains=1, warmup=1, draws=n) for n in (1, 2))
    whole = posterior_of(corpus, long)
    posterior_of(corpus, short, tmp_path / "run")
    resumed = posterior_of(corpus, long, tmp_path / "run", resume=True)
    for name, moment in whole.moments.items():
        np.testing.assert_array_equal(moment.mean, resumed.moments[name].mean, err_msg=name)
    for name, values in whole.draws.items():
        np.testing.assert_array_equal(values, resumed.draws[name], err_msg=name)


def test_the_device_chooses_the_engine():
    open_device()
    engine = engine_for(Settings(device="cuda"), reduce(small_corpus()))
    assert isinstance(engine, CudaEngine)


@pytest.mark.parametrize("wish", [{"method": "map"}, {"curvature": "dense"}])
def test_what_the_gpu_does_not_do_is_refused(wish):
    (value,) = wish.values()
    with pytest.raises(InputError, match=rf"device='cuda' does not do .*'{value}'"):
        check_device(Settings(device="cuda", **wish))


def test_a_fit_without_labels_is_refused():
    with pytest.raises(InputError, match="device='cuda' does not do a fit without labels"):
        check_device(Settings(device="cuda", n_topics=2))


@pytest.mark.parametrize(("number", "expected"), [(0, 0), (1, 1), (5, 2)])
def test_ranks_go_round_the_gpus(monkeypatch, number, expected):
    chosen = []
    monkeypatch.setattr(cuda, "gpus", range(3))
    monkeypatch.setattr(cuda, "select_device", chosen.append)
    open_device(number)
    assert chosen == [expected]


def test_too_little_memory_is_told_with_what_would_fit(monkeypatch):
    class Context:
        def get_memory_info(self):
            return 2**30, 8 * 2**30

    monkeypatch.setattr(cuda, "current_context", Context)
    check_memory(2**29)
    with pytest.raises(DeviceError, match=r"4\.0 GiB on the GPU, and 1\.0 of 8\.0 .* 25 %"):
        check_memory(2**32)
    with pytest.raises(DeviceError, match=r"0\.5 GiB on the GPU, and 0\.2 of 8\.0 "):
        check_memory(2**29, 2**28)  # two ranks share the GPU, and another process has half of it


def test_too_many_labels_are_refused(monkeypatch):
    monkeypatch.setattr(corpus_on_device, "STRETCH_PAIRS", 3)
    with pytest.raises(InputError, match="a document has 5 labels"):
        CudaEngine(reduce(small_corpus()))


def test_the_hosts_counts_are_let_go():
    corpus, settings = small_corpus(n_documents=5), Settings(device="cuda", chains=1, draws=1)
    run = Run(corpus, settings, engine_for(settings, reduce(corpus)))
    run.start()
    assert run.engine.reduced.counts.nnz == run.engine.reduced.single_counts.size == 0


def test_the_memory_that_is_checked_is_that_which_is_taken(monkeypatch):
    """Of a corpus with many words: what does not grow with them is not counted to the last byte."""
    rng = np.random.default_rng(0)
    small = small_corpus(n_documents=5)
    counts = rng.poisson(0.2, (5, 300)) + (np.arange(300) == 0)
    corpus = Corpus.from_matrices(counts, labels=small.labels, tree=small.tree)
    needed, taken = [], []
    original = memory.cuda.to_device
    monkeypatch.setattr(corpus_on_device, "check_memory", lambda needs, _: needed.append(needs))

    def to_device(array, *rest):
        taken.append(array.nbytes)
        return original(array, *rest)

    monkeypatch.setattr(memory.cuda, "to_device", to_device)
    for n_chains in (1, 2):
        needed.clear()
        taken.clear()
        settings = Settings(device="cuda", chains=n_chains, warmup=0, draws=1)
        engine = engine_for(settings, reduce(corpus))
        run = Run(corpus, settings, engine)
        for sampler in run._samplers():
            engine.adopt(first_state(sampler))
        engine.adopt(first_state(sampler))  # the middle
        engine.scorer(np.zeros((corpus.n_topics, 1), np.int32))
        assert 0.9 * needed[0] < sum(taken) < needed[0]
