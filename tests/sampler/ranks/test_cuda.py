"""Ranks with a GPU each make the bits of one GPU; on the CUDA simulator, which all ranks share."""

import socket

import pytest
from bits import assert_same_bits
from devices import small_corpus
from mpi import MAIN, needs_mpirun, run_on_ranks
from numba import cuda

from frex.posterior import read_posterior

pytestmark = needs_mpirun
pytest.importorskip("numba_cuda")

SIMULATED = """
import os
os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
import cudasim
from dataclasses import replace
from frex.sampler import models
models.HPC = replace(models.HPC, n_rounds=1)
from frex.cli import main
main()
"""


@pytest.fixture
def folder(tmp_path):
    small_corpus(n_documents=7).write(tmp_path / "corpus")
    return tmp_path / "corpus"


def arguments(folder, out, draws):
    options = ["--device=cuda", "--chains=2", "--warmup=1", f"--draws={draws}", "--threads=1"]
    return ["fit", folder, "--out", out, "--no-calibrate", *options]


def test_ranks_make_the_bits_of_one_gpu_and_go_on_with_others(folder, tmp_path):
    one, many = tmp_path / "one", tmp_path / "many"
    code, out, err = run_on_ranks(1, SIMULATED, *arguments(folder, one, 2))
    assert code == 0, err
    assert "share" not in out
    code, out, err = run_on_ranks(2, SIMULATED, *arguments(folder, many, 1))
    assert code == 0, err
    assert out.count("2 ranks share 1 GPU.") == 1
    # more ranks than words and documents with several labels: some have none
    code, _, err = run_on_ranks(6, SIMULATED, *arguments(folder, many, 2), "--resume")
    assert code == 0, err
    assert_same_bits(read_posterior(many), read_posterior(one))


@pytest.mark.skipif(cuda.is_available(), reason="there is a GPU")
def test_a_node_without_a_gpu_is_named_once(folder, tmp_path):
    code, _, err = run_on_ranks(2, MAIN, *arguments(folder, tmp_path / "fit", 2))
    assert code == 1
    assert err.count(f"there is no GPU to use on {socket.gethostname()}: ") == 1
    assert "Traceback" not in err
