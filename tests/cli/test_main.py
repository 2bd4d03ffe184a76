import subprocess
import sys

import pytest

from frex import __version__
from frex.cli import corpora


def test_version_and_help(frex):
    assert frex("--version").out == f"frex {__version__}\n"
    shown = frex("--help")
    assert shown.code == 0
    for command in ("demo", "simulate", "prepare", "datasets", "describe"):
        assert command in shown.out


@pytest.mark.parametrize(
    "arguments",
    [("descibe",), ("describe",), ("describe", "nowhere"), ("simulate", "x", "--docs", "none"),
     ("simulate", "x", "--branching", "4,x"), ("datasets", "nothing"), ("datasets", "ap"),
     ("prepare", "nowhere.jsonl", "--out", "x"), ("prepare", "a.doc", "--out", "x")],
)  # fmt: skip
def test_a_wrong_command_or_input_ends_with_2_and_no_traceback(
    frex, tmp_path, monkeypatch, arguments
):
    monkeypatch.chdir(tmp_path)
    result = frex(*arguments)
    assert result.code == 2
    assert result.err
    assert "Traceback" not in result.err
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def described(frex, tmp_path):
    """Return a corpus to be described."""
    frex("simulate", tmp_path / "s", "--docs", 3, "--words", 5)
    return tmp_path / "s" / "corpus"


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, ""),
        (OSError(28, "No space left on device", "x"), 1, "x: No space left on device"),
        (MemoryError(), 1, "out of memory"),
        (ZeroDivisionError("1 / 0"), 1, "frex has a fault: ZeroDivisionError: 1 / 0"),
    ],
)
def test_what_goes_wrong_inside_is_said_in_a_sentence(
    frex, described, monkeypatch, *, error, code, message
):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(corpora, "show_corpus", fail)
    result = frex("describe", described)
    assert result.code == code
    assert message in result.err
    assert "Traceback" not in result.err


def test_help_does_not_wait_for_the_numerics():
    loaded = subprocess.check_output(
        [sys.executable, "-c", "import frex.cli, sys; print(*sys.modules)"], text=True
    ).split()
    assert not {"numpy", "scipy", "pandas", "numba", "sklearn"} & set(loaded)
