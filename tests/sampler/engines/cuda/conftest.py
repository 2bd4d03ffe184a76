"""The GPU's tests run on a GPU, or on the CUDA simulator where `NUMBA_ENABLE_CUDASIM` is 1."""

import importlib.util

collect_ignore_glob = ["test_*.py"]
if importlib.util.find_spec("numba_cuda") is not None:
    import cudasim  # noqa: F401 - makes the simulator quick
    from numba import cuda

    if cuda.is_available():
        collect_ignore_glob = []
