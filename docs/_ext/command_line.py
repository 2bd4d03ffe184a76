"""Writes the page of the command line from the program itself, before the site is built."""

from __future__ import annotations

import re
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperArgument, TyperGroup

from frex.cli.lazy import every_command

if TYPE_CHECKING:
    from sphinx.application import Sphinx

PAGE = Path("reference", "command-line.md")
_KINDS = {int: "integer", float: "number", Path: "path"}
HEAD = """# The command line

Every command says the same with `--help`. Exit codes: 0 done, 1 the run failed, 2 the command or
the input is wrong. An error names the file, the line and what helps; `FREX_DEBUG=1` shows where in
the code it was.
"""


def section(words: tuple[str, ...], command: Any) -> str:
    """Return what the page says of a command."""
    name = " ".join(("frex", *words))
    lines = [f"{'#' * (len(words) + 1)} {name}", "", paragraphs(command.help or ""), ""]
    if not isinstance(command, TyperGroup):
        shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", 0)]
        arguments = [p for p in shown if isinstance(p, TyperArgument)]
        usage = " ".join(
            [
                name,
                "[OPTIONS]",
                *((argument.metavar or argument.name).upper() for argument in arguments),
            ]
        )
        lines += ["```text", usage, "```", ""]
        lines += [entry(parameter) for parameter in shown]
    return "\n".join(lines)


def paragraphs(text: str) -> str:
    """Return a docstring without what is for the terminal alone."""
    return escape(text.replace("\b", "").split("\f")[0].strip())


def escape(text: str) -> str:
    """Return text in which nothing is markup."""
    return re.sub(r"([\\`*_{}\[\]<>#$|~])", r"\\\1", text)


def entry(parameter: Any) -> str:
    """Return an option or argument as an entry of a definition list."""
    if isinstance(parameter, TyperArgument):
        head = f"`{(parameter.metavar or parameter.name).upper()}`"
    else:
        head = ", ".join(f"`{o}`" for o in (*parameter.opts, *parameter.secondary_opts))
        if not parameter.is_flag:
            head += f" *{escape(kind(parameter))}*"
    said = " ".join((parameter.help or "").split())
    extra = []
    if parameter.required:
        extra.append("Required.")
    elif parameter.multiple:
        extra.append("May be given several times.")
    default = parameter.default
    if isinstance(default, str | int | float) and not isinstance(default, bool):
        extra.append(f"Default: `{getattr(default, 'value', default)}`.")
    return f"{head}\n: {' '.join([escape(said), *extra]).strip() or '...'}\n"


def kind(parameter: Any) -> str:
    """Return what values an option takes."""
    annotation = parameter.type_descriptor.annotation
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return "|".join(str(choice.value) for choice in annotation)
    return _KINDS.get(annotation, "text")


def write_page(app: Sphinx) -> None:
    """Write the page, unless it says the same already."""
    program = typer.main.get_command(import_module("frex.cli.main").app)
    text = "\n".join([HEAD, *(section(*found) for found in every_command(program))])
    page = Path(app.srcdir) / PAGE
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the page when the build begins."""
    app.connect("builder-inited", write_page)
    return {"parallel_read_safe": True}
