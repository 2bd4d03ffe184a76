"""The site keeps to the code: what it names exists, and its commands are commands."""

import re
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
import typer
from typer.core import TyperGroup

from frex.cli.lazy import every_command

DOCS = Path(__file__).parents[1] / "docs"
PAGES = sorted(
    page
    for page in DOCS.rglob("*.md")
    if not {"_build", "generated"} & set(page.parts) and page.name != "command-line.md"
)
NAME = re.compile(r"`(frex(?:\.\w+)+)`")
FENCED = re.compile(r"^```[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:\$ |mpirun -n \d+ )?frex ([a-z].*)$", re.MULTILINE)
INLINE = re.compile(r"`frex ([a-z][^`]*)`")


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
    """Return the options of every command, by its words; a group has none."""
    program = typer.main.get_command(import_module("frex.cli.main").app)
    return {
        words: None
        if isinstance(command, TyperGroup)
        else {"--help"}.union(*((*p.opts, *p.secondary_opts) for p in command.params))
        for words, command in every_command(program)
    }


KNOWN = commands()
OPTION = re.compile(r"(?<=[\s\[|`])--?[a-z][a-z-]*")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_command_on_a_page_is_one_and_takes_the_options(page):
    text = page.read_text(encoding="utf-8")
    found = COMMAND.findall(code(text)) + INLINE.findall(text)
    for line in (re.split(r"[#;]| \| ", whole)[0].rstrip() for whole in found):
        words = tuple(line.split())
        if KNOWN.get(words[:1], ()) is None and not (
            words[1:] and words[1].isalpha() and words[1].islower()
        ):
            continue  # a group is spoken of
        name = words[: 2 if KNOWN.get(words[:1], ()) is None else 1]
        assert name in KNOWN, line
        assert set(OPTION.findall(line)) <= KNOWN[name], line


ROOT = DOCS.parent
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#([\w-]+))?\)")


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "benchmarks/README.md"])
def test_links_between_files_lead_somewhere(name):
    page = ROOT / name
    for target, anchor in LINK.findall(page.read_text(encoding="utf-8")):
        path = page.parent / target
        assert path.exists(), target
        if anchor:
            heads = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in {re.sub(r"[^\w-]", "", h.lower().replace(" ", "-")) for h in heads}


def test_every_page_is_in_an_index():
    indexes = [DOCS / "index.md", *DOCS.glob("*/index.md")]
    text = "\n".join(page.read_text(encoding="utf-8") for page in indexes)
    listed = set(re.findall(r"^/?([\w/-]+)$", text, re.MULTILINE)) | {"index"}
    pages = {str(page.relative_to(DOCS).with_suffix("")) for page in PAGES}
    assert pages - listed == set()


def test_the_page_of_the_command_line_has_every_command_and_option(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    extension = import_module("command_line")
    (tmp_path / "reference").mkdir()
    extension.write_page(SimpleNamespace(srcdir=tmp_path))
    text = (tmp_path / "reference" / "command-line.md").read_text()
    for words, options in KNOWN.items():
        assert re.search(rf"^#+ frex {' '.join(words)}$", text, re.MULTILINE)
        for option in {option for option in options or () if option[0] == "-"} - {"--help"}:
            assert option in text
