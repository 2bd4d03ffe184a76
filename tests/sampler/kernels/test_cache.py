"""What was compiled for other source is never looked at."""

import numba
import pytest

from frex.sampler.kernels import cache


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
