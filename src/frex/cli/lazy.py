"""Commands that are loaded when they are called, so that help and completion wait for nothing.

A group knows of each command its name, where it is and a line of help. The module of a command is
imported when the command is resolved; and the modules of frex that it imports in turn, as in
``import frex.corpus``, are only run when the command is invoked, after its options are parsed.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import LazyLoader
from typing import TYPE_CHECKING, Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType


class Later(NamedTuple):
    """A command that is not loaded yet."""

    module: str  #: in `frex.cli`
    function: str
    summary: str  #: the first paragraph of its docstring


class _Command(TyperCommand):
    """A command that says what is wrong with a value without the name of the exception."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options."""
        try:
            parsed: list[str] = super().parse_args(ctx, args)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix("Value error, ")
            raise
        return parsed


class LazyGroup(TyperGroup):
    """A group of commands, each imported when it is called.

    Parameters
    ----------
    later
        By name the commands, and groups of them.
    **attributes
        As of any group.
    """

    def __init__(self, later: Mapping[str, Later | LazyGroup], **attributes: Any) -> None:
        super().__init__(**attributes)
        self.later = later
        for name, entry in later.items():
            known = TyperCommand(name, help=entry.summary) if isinstance(entry, Later) else entry
            self.add_command(known, name)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find a command by its name, and load it."""
        name, command, rest = super().resolve_command(ctx, args)
        entry = self.later.get(name or "")  # none while a name is being completed
        return name, load(entry, name or "") if isinstance(entry, Later) else command, rest


@cache
def load(entry: Later, name: str) -> TyperCommand:
    """Return a command with its options; the modules that it works with are run when it is called.

    Parameters
    ----------
    entry
        Where it is.
    name
        As it is typed.
    """
    with run_when_used() as modules:
        function = getattr(import_module(f"frex.cli.{entry.module}"), entry.function)
    # not Rich's own markup, which takes the extra of frex[tagger] for a colour
    alone = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    alone.command(name, cls=_Command)(function)
    command: Any = typer.main.get_command(alone)
    call = command.callback

    def invoke(**options: Any) -> Any:
        run(modules)
        return call(**options)

    command.callback = invoke
    loaded: TyperCommand = command
    return loaded


def every_command(
    group: Any, before: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield all commands below a group, loaded, by their words; groups before what is in them.

    Parameters
    ----------
    group
        The program, or a group in it.
    before
        The words before those of the group's commands.
    """
    context = typer.Context(group)
    for name in group.list_commands(context):
        _, command, _ = group.resolve_command(context, [name])
        yield (*before, name), command
        if isinstance(command, TyperGroup):
            yield from every_command(command, (*before, name))


def run(modules: Sequence[ModuleType]) -> None:
    """Run modules that wait for their first use: all now, not one by one in several threads."""
    for module in modules:
        _ = module.__doc__


@contextmanager
def run_when_used() -> Iterator[list[ModuleType]]:
    """Have modules of frex that are imported in the block run at their first use; yield those."""
    finder = _LazyFinder()
    modules: list[ModuleType] = []
    sys.meta_path.insert(0, finder)
    try:
        yield modules
    finally:
        sys.meta_path.remove(finder)
        modules += [sys.modules[name] for name in finder.names if name in sys.modules]


class _LazyFinder:
    """Finds modules of frex as Python does, but has them run at their first use."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name.startswith("frex.") else None
        if spec is not None and spec.loader is not None:
            spec.loader = LazyLoader(spec.loader)
            self.names.append(name)
        return spec
