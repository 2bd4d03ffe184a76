"""Kernels that are compiled by a second process are those that a fit needs."""

import os
import signal
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
    before = [set(kernel.signatures) for kernel in LATE]
    assert all(before)
    fit(small_corpus(branching_tree([2, 2])), Settings(warmup=2, draws=2, chains=1))
    assert [set(kernel.signatures) for kernel in LATE] == before


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """Return an empty folder that is taken for the cache of a machine with two cores."""
    kernel = SimpleNamespace(stats=SimpleNamespace(cache_path=str(tmp_path)))
    monkeypatch.setattr(compiling, "word_density", kernel)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return tmp_path


def test_a_second_process_is_started_once_and_ends_with_this_one(cache, monkeypatch):
    ends = []
    monkeypatch.setattr(compiling.atexit, "register", lambda *end: ends.append(end))
    assert compiling.compile_beside()
    ((end, program),) = ends
    assert program.args[1:] == ["-m", "frex.sampler.compiling"]
    end(program)
    assert program.returncode == -signal.SIGKILL
    Path(cache, "interweaving_words.word_density-7.py311.nbi").touch()
    assert not compiling.compile_beside()
    assert len(ends) == 1


def test_one_core_compiles_alone(cache, monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert not compiling.compile_beside()
