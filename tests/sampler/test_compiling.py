"""Kernels that are compiled by a second process are those that a fit needs."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from bits import fit, small_corpus

from frex.model import branching_tree
from frex.sampler import compiling
from frex.sampler.kernels import affinities, interweaving_documents, interweaving_words
from frex.sampler.settings import Settings

LATE = (
    interweaving_words.word_density,
    affinities.update_affinities,
    interweaving_documents.affinity_density,
)


def test_a_fit_needs_no_other_version_of_what_was_compiled():
    compiling.compile_late()
    before = [set(kernel.compiled.signatures) for kernel in LATE]
    assert all(before)
    fit(small_corpus(branching_tree([2, 2])), Settings(warmup=2, draws=2, chains=1))
    assert [set(kernel.compiled.signatures) for kernel in LATE] == before


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Return an empty folder that is taken for the cache of a machine with two cores."""
    stats = SimpleNamespace(cache_path=str(tmp_path))
    kernel = SimpleNamespace(compiled=SimpleNamespace(stats=stats))
    monkeypatch.setattr(compiling, "word_density", kernel)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return tmp_path


def test_a_second_process_is_started_once_and_ends_with_this_one(cache, monkeypatch):
    ends = []
    monkeypatch.setattr(compiling.atexit, "register", lambda *end: ends.append(end))
    assert compiling.compile_beside(Settings())
    ((end, program),) = ends
    assert program.args[1:] == ["-m", "frex.sampler.compiling"]
    end(program)
    assert program.returncode == -signal.SIGKILL
    Path(cache, "interweaving_words.word_density-7.py311.nbi").touch()
    assert not compiling.compile_beside(Settings())
    assert len(ends) == 1


def test_one_core_compiles_alone(cache, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert not compiling.compile_beside(Settings())


def test_only_what_draws_with_labels_is_compiled_beside(cache, monkeypatch):
    monkeypatch.setattr(compiling.subprocess, "Popen", None)
    for other in (Settings(method="map"), Settings(n_topics=3), Settings(device="cuda")):
        assert not compiling.compile_beside(other)


UNKEPT = """
from pathlib import Path

def refuse(self, **how):
    raise PermissionError(self)

Path.touch = refuse  # as where neither package nor home can be written
from frex.sampler.compiling import cache_folder, is_compiled
from frex.sampler.kernels.random import uniform_pair

assert cache_folder() is None
assert is_compiled()
print(0 < uniform_pair(1, 2, 3, 4, 5)[0] < 1)
"""


def test_where_nothing_can_be_kept_kernels_work():
    done = subprocess.run(
        [sys.executable, "-c", UNKEPT], check=False, capture_output=True, text=True
    )
    assert done.stdout == "True\n", done.stderr
