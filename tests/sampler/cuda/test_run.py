import numpy as np
import pytest
from devices import small_corpus
from numba import cuda

from frex.errors import InputError
from frex.model.reductions import reduce
from frex.sampler import chain
from frex.sampler.cuda import corpus as corpus_on_device
from frex.sampler.cuda.device import DeviceError, open_device
from frex.sampler.cuda.memory import check_memory
from frex.sampler.cuda.run import CudaRun
from frex.sampler.cuda.sampler import CudaSampler
from frex.sampler.device import check_device, run_on
from frex.sampler.run import Run
from frex.sampler.settings import Settings


@pytest.fixture(autouse=True)
def _one_round(monkeypatch):
    for module in ("frex.sampler.start", "frex.sampler.cuda.start"):
        monkeypatch.setattr(f"{module}.N_ROUNDS", 1)


def posterior_of(corpus, settings, checkpoint=None, *, resume=False):
    run = CudaRun(corpus, reduce(corpus), settings, checkpoint, None)
    if resume:
        run.resume()
    else:
        run.start(overwrite=False)
    run.go(1e9)
    return chain.posterior_of(corpus, settings, run.record, complete=run.complete)


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


def test_the_device_chooses_the_run():
    open_device()
    assert run_on("cuda") is CudaRun
    assert run_on("cpu") is Run


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
        CudaSampler(reduce(small_corpus()), Settings().prior_family)
