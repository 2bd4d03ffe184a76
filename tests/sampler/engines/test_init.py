"""What is said where there is no GPU; `tests/sampler/engines/cuda` has the rest."""

import importlib.util

import pytest
from bits import small_corpus

from frex.errors import InputError, MissingExtraError
from frex.model import branching_tree
from frex.model.reductions import reduce
from frex.sampler.engines import check_device, engine_for
from frex.sampler.settings import Settings


def test_the_cpu_is_always_there():
    check_device(Settings())
    corpus = small_corpus(branching_tree([2, 2]))
    assert type(engine_for(Settings(), reduce(corpus))).__name__ == "CpuEngine"


def test_a_device_that_there_is_not_is_refused():
    with pytest.raises(InputError, match=r"device is 'gpu'. Use 'cpu' or 'cuda'"):
        Settings(device="gpu")


def test_without_numba_cuda_the_extra_is_named(monkeypatch):
    def refuse(name):
        raise ImportError(name)

    monkeypatch.setattr("frex.errors.importlib.import_module", refuse)
    with pytest.raises(MissingExtraError, match=r"pip install 'frex\[cuda\]'"):
        check_device(Settings(device="cuda"))


def test_without_a_gpu_the_cpu_is_offered():
    if importlib.util.find_spec("numba_cuda") is None:
        pytest.skip("numba-cuda is not installed")
    from numba import cuda  # noqa: PLC0415

    if cuda.is_available():
        pytest.skip("there is a GPU")
    from frex.sampler.engines.cuda.device import DeviceError  # noqa: PLC0415

    with pytest.raises(DeviceError, match=r"there is no GPU to use: .+ use device='cpu'"):
        check_device(Settings(device="cuda"))
    with pytest.raises(DeviceError, match=r"there is no GPU to use on node7: "):
        check_device(Settings(device="cuda"), 3, " on node7")
