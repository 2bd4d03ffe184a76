"""What is said where there is no GPU; `tests/sampler/cuda` has the rest."""

import importlib.util

import pytest

from frex.errors import InputError, MissingExtraError
from frex.sampler.device import check_device, run_on
from frex.sampler.settings import Settings


def test_the_cpu_is_always_there():
    check_device(Settings())
    assert run_on("cpu").__name__ == "Run"


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
    from frex.sampler.cuda.device import DeviceError  # noqa: PLC0415

    with pytest.raises(DeviceError, match=r"there is no GPU to use: .+ use device='cpu'"):
        check_device(Settings(device="cuda"))
    with pytest.raises(DeviceError, match=r"there is no GPU to use on node7: "):
        check_device(Settings(device="cuda"), 3, " on node7")
