"""What was compiled for other source is never looked at."""

import os
import pickle
import subprocess
import sys
import threading
from types import SimpleNamespace

import numba
import pytest

from frex.sampler.kernels import cache
from frex.storage.locks import lock


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Let the sampler's source be in an empty folder, and no other folder be named."""
    (tmp_path / "kernels").mkdir()
    monkeypatch.setattr(cache, "SAMPLER", tmp_path)
    monkeypatch.setattr(cache, "OWN", tmp_path / "__pycache__")
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    return tmp_path


def folder():
    """Return the folder, found anew."""
    cache.digest.cache_clear()
    return cache.folder.__wrapped__()


@pytest.fixture(autouse=True)
def as_before():
    yield
    cache.digest.cache_clear()


def test_other_source_has_another_folder_and_what_was_kept_beside_it_goes(place):
    first = folder()
    assert first.parent == place / "__pycache__"
    assert folder() == first
    (place / "kernels" / "new.py").write_text("x = 1")
    second = folder()
    assert second != first
    assert second.is_dir()
    assert not first.exists()


def test_a_folder_that_is_named_is_shared_with_other_releases(place, tmp_path, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "named"))
    first = folder()
    (place / "kernels" / "new.py").write_text("x = 1")
    assert {first, folder()} == set((tmp_path / "named").iterdir())


def test_where_the_source_cannot_be_written_the_users_cache_is_taken(place, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(place / "home"))
    (place / "__pycache__").write_text("no folder")
    assert place / "home" in folder().parents


def test_numba_keeps_elsewhere_what_is_not_ours(place):
    with cache.kept_in_folder() as kept:
        assert kept
        assert "kernels-" in numba.config.CACHE_DIR
    assert numba.config.CACHE_DIR == ""


COMPILED_FOR = """
import sys, time
import numpy as np
from numba.core.caching import IndexDataCacheFile
from mixed import total

save = IndexDataCacheFile._save_data

def save_late(*arguments):
    time.sleep(1)  # others come in between, if they can
    save(*arguments)

IndexDataCacheFile._save_data = save_late
total(1, (np.ones(3, sys.argv[1]), np.zeros(1)))
"""


def test_processes_that_compile_for_different_types_at_a_time_keep_both(tmp_path):
    (tmp_path / "mixed.py").write_text(
        "from frex.sampler.kernels.options import cached\n"
        "def add(stretch, arrays):\n"
        "    arrays[1][0] += arrays[0].sum()\n"
        "total = cached(nogil=True)(add)\n"
    )
    environment = os.environ | {
        "NUMBA_CACHE_DIR": str(tmp_path / "kept"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]),
    }
    processes = [
        subprocess.Popen([sys.executable, "-c", COMPILED_FOR, kind], env=environment)
        for kind in ("float32", "float64")
    ]
    assert [process.wait(120) for process in processes] == [0, 0]
    (index,) = (tmp_path / "kept").rglob("*.nbi")
    with index.open("rb") as file:
        pickle.load(file)  # Numba's version
        _, kept = pickle.load(file)
    assert len(kept) == len(set(kept.values())) == 2


def test_who_waits_too_long_for_another_process_compiles_by_itself(tmp_path, monkeypatch):
    compiled = []
    dispatcher = SimpleNamespace(compile=compiled.append, py_func=folder)
    cache.compile_one_at_a_time(dispatcher, tmp_path)
    with lock(tmp_path / f"{folder.__module__}.folder.lock", make=True):
        waiting = threading.Thread(target=dispatcher.compile, args=("first",))
        waiting.start()
        waiting.join(0.2)
        assert waiting.is_alive()
        assert not compiled
        monkeypatch.setattr(cache, "LONGEST_WAIT", 0.0)
        waiting.join(10)
    assert compiled == ["first"]
