"""Writes the page of the command line from the program itself, before the site is built."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sphinx.application import Sphinx

PAGE = Path("reference", "command-line.md")
HEAD = """# The command line

Every command says the same with `--help`. Exit codes: 0 done, 1 the run failed, 2 the command or
the input is wrong. An error names the file, the line and what helps; `FREX_DEBUG=1` shows where in
the code it was.
"""


def commands(program: Any, names: tuple[str, ...] = ("frex",)) -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name, groups before what is in them."""
    context = typer.Context(program, info_name=names[-1])
    for name in program.list_commands(context):
        command = program.get_command(context, name)
        yield " ".join((*names, name)), command
        if hasattr(command, "list_commands"):
            yield from commands(command, (*names, name))


def section(name: str, command: Any) -> str:
    """Return what the page says of a command."""
    lines = [f"{'#' * len(name.split())} {name}", "", paragraphs(command.help or ""), ""]
    if not hasattr(command, "list_commands"):
        shown = [parameter for parameter in command.params if not getattr(parameter, "hidden", 0)]
        arguments = [p for p in shown if p.param_type_name == "argument"]
        usage = " ".join(
            [name, "[OPTIONS]", *(argument.human_readable_name.upper() for argument in arguments)]
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
    if parameter.param_type_name == "argument":
        head = f"`{parameter.human_readable_name.upper()}`"
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
    choices = getattr(parameter.type, "choices", None)
    if choices:
        return "|".join(str(getattr(choice, "value", choice)) for choice in choices)
    return str(getattr(parameter.type, "name", "text")).replace("_", " ")


def write_page(app: Sphinx) -> None:
    """Write the page, unless it says the same already."""
    program = typer.main.get_command(import_module("frex.cli.main").app)
    text = "\n".join([HEAD, *(section(name, command) for name, command in commands(program))])
    page = Path(app.srcdir) / PAGE
    if not page.exists() or page.read_text(encoding="utf-8") != text:
        page.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Write the page when the build begins."""
    app.connect("builder-inited", write_page)
    return {"parallel_read_safe": True}
