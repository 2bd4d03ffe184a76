"""The site keeps to the code: what it names exists, and its commands are commands."""

import re
from importlib import import_module
from pathlib import Path

import pytest
import typer

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(
    page
    for page in DOCS.rglob("*.md")
    if "_build" not in page.parts and page.name != "command-line.md"
)
NAME = re.compile(r"`(frex(?:\.\w+)+)`")
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:\$ |mpirun -n \d+ )?frex ([a-z][a-z0-9 -]*)", re.MULTILINE)
INLINE = re.compile(r"`frex ([a-z][a-z0-9 -]*)")


def code(text):
    """Return the code of a page: what is fenced, and what is set in by four spaces."""
    indented = [line[4:] for line in text.splitlines() if line.startswith("    ")]
    return "\n".join([*FENCED.findall(text), *indented])


def find(name):
    """Return what a dotted name means: the longest module in it, and then attributes."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        try:
            found = import_module(".".join(parts[:n]))
        except ModuleNotFoundError:
            continue
        for part in parts[n:]:
            found = getattr(found, part)
        return found
    raise AssertionError(name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_name_on_a_page_exists(page):
    for name in set(NAME.findall(page.read_text(encoding="utf-8"))):
        find(name)


def commands():
    """Return the names of all commands, with those of groups before them."""
    program = typer.main.get_command(import_module("frex.cli.main").app)
    names = {}
    for name in program.list_commands(typer.Context(program)):
        command = program.get_command(typer.Context(program), name)
        below = getattr(command, "list_commands", None)
        names[name] = set(below(typer.Context(command))) if below else None
    return names


KNOWN = commands()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_command_on_a_page_is_one(page):
    text = page.read_text(encoding="utf-8")
    for words in COMMAND.findall(code(text)) + INLINE.findall(text):
        command, *rest = words.split()
        assert command in KNOWN, words
        if KNOWN[command] is not None and rest and not rest[0].startswith("-"):
            assert rest[0] in KNOWN[command], words


def test_every_page_is_in_the_index():
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([\w/-]+)$", index, re.MULTILINE)) | {"index"}
    pages = {str(page.relative_to(DOCS).with_suffix("")) for page in PAGES}
    assert pages - listed == set()
