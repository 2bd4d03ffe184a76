"""What was compiled is told, and where it is kept."""

import importlib

from numba import njit

from frex import compiled
from frex.compiled import saying_what_compiled, watch_compiling


def test_what_is_compiled_is_named_before_and_counted_after():
    @njit
    def inside(x):
        return x + 1

    @njit
    def outside(x):
        return inside(x)

    begun = []
    with watch_compiling(begun.append) as watched:
        outside(1.0)
        assert begun == ["test_compiled.outside"]
        outside(1.0)
        outside(1)
    outside((1.0).as_integer_ratio()[0] + 1j)
    assert list(watched.kernels) == ["test_compiled.outside"]
    assert len(begun) == 2
    assert watched.seconds > 0
    assert str(watched).startswith("Compiling 1 kernel took ")


def test_a_word_is_said_of_what_took_long_and_where_it_is_kept(tmp_path, monkeypatch):
    (tmp_path / "kernels_to_keep.py").write_text(
        "from numba import njit\n\n\n@njit(cache=True)\ndef kept(x):\n    return x\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    kept = importlib.import_module("kernels_to_keep").kept
    said = []
    monkeypatch.setattr(compiled, "NOTICEABLE", 0.0)
    with saying_what_compiled(said.append):
        kept(1)
    assert said[0].endswith(f"once on this machine: kept in {kept.stats.cache_path}.")
    with saying_what_compiled(said.append):
        njit(lambda x: x)(1)
    assert said[1].endswith("set NUMBA_CACHE_DIR to one that can.")
    monkeypatch.setattr(compiled, "NOTICEABLE", 1e9)
    with saying_what_compiled(said.append):
        njit(lambda x: x)(1)
    assert len(said) == 2
