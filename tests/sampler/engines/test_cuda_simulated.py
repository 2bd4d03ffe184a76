"""The GPU's tests on the CUDA simulator: it has to be chosen before Numba is imported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def test_the_gpu_code_on_the_simulator():
    pytest.importorskip("numba_cuda")
    command = [sys.executable, "-m", "pytest", "-q", str(HERE / "cuda")]
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1"}
    run = subprocess.run(
        command, cwd=HERE.parents[2], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout[-5000:]
