import os
import subprocess
import sys

import pytest

from frex import __version__
from frex.cli import description
from frex.cli.commands import COMMANDS
from frex.cli.lazy import LazyGroup, load


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

    monkeypatch.setattr(description, "show_corpus", fail)
    result = frex("describe", described)
    assert result.code == code
    assert message in result.err
    assert "Traceback" not in result.err


NUMERICS = {"numpy", "scipy", "pandas", "numba", "sklearn"}


def every_command(commands=COMMANDS):
    """Yield the commands by name, those of groups too."""
    for name, entry in commands.items():
        if isinstance(entry, LazyGroup):
            yield from every_command(entry.later)
        else:
            yield name, entry


@pytest.mark.parametrize("arguments", [["--help"], ["fit", "--help"], ["study", "make", "--help"]])
def test_help_does_not_wait_for_the_numerics(arguments):
    program = f"""if True:
        import sys
        from frex.cli import main
        try:
            main({arguments})
        finally:
            print("modules:", *sys.modules)"""
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)  # noqa: PLW1510
    assert "Usage:" in shown.stdout
    assert not NUMERICS & set(shown.stdout.partition("modules:")[2].split())


@pytest.mark.parametrize(("name", "entry"), list(every_command()))
def test_the_line_of_help_is_that_of_the_command(name, entry):
    text = " ".join(load(entry, name).help.split("\n\n")[0].split())
    assert text == entry.summary


@pytest.mark.parametrize(("name", "entry"), list(every_command()))
def test_every_command_has_help(frex, name, entry):
    group = [
        g for g, e in COMMANDS.items() if isinstance(e, LazyGroup) and entry in e.later.values()
    ]
    shown = frex(*group, name, "--help")
    assert shown.code == 0
    assert entry.summary[:30] in " ".join(shown.out.split())


@pytest.mark.parametrize(("name", "entry"), list(every_command()))
def test_help_shows_what_was_written_and_takes_none_of_it_for_markup(
    frex, monkeypatch, name, entry
):
    monkeypatch.setenv("COLUMNS", "1000")
    group = [
        g for g, e in COMMANDS.items() if isinstance(e, LazyGroup) and entry in e.later.values()
    ]
    shown = " ".join(frex(*group, name, "--help").out.split())
    for parameter in load(entry, name).params:
        written = " ".join((parameter.help or "").replace("`", "").split())
        assert written in shown


def test_completion_lists_all_commands():
    listed = complete("frex ")
    assert set(COMMANDS) <= set(listed)
    assert {"make", "serve", "import"} <= set(complete("frex study "))


def test_completion_knows_the_options_of_a_command():
    assert {"--draws", "--device"} <= set(complete("frex fit --d"))


def complete(line):
    """Return what bash would offer to complete a command line with."""
    asked = {"_FREX_COMPLETE": "complete_bash", "COMP_WORDS": line,
             "COMP_CWORD": str(len(line.split(" ")) - 1)}  # fmt: skip
    program = "import sys; sys.argv = ['frex']; from frex.cli import main; main()"
    return subprocess.check_output(
        [sys.executable, "-c", program], text=True, env={**os.environ, **asked}
    ).split()


@pytest.mark.parametrize(
    ("typed", "meant"), [(["descibe"], "describe"), (["study", "anlyse"], "analyse")]
)
def test_a_misspelt_command_gets_a_suggestion(frex, typed, meant):
    result = frex(*typed)
    assert result.code == 2
    assert f"Did you mean '{meant}'?" in " ".join(result.err.replace("│", " ").split())
