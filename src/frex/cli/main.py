"""The program `frex`: its commands, and the wall that no traceback passes."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer

from frex import __version__
from frex.cli.commands import COMMANDS
from frex.cli.lazy import LazyGroup
from frex.cli.screen import complain
from frex.errors import FrexError

if TYPE_CHECKING:
    from collections.abc import Callable


class Program(LazyGroup):
    """The group of all commands."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(COMMANDS, **attributes)


app = typer.Typer(
    name="frex",
    cls=Program,
    help="What each topic is about, in words both frequent in it and exclusive to it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"frex {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Options of the program itself."""


@cache
def _command() -> Callable[[list[str] | None], None]:
    """Build the parser once, which takes typer some 10 ms, also where `main` is called often."""
    return typer.main.get_command(app)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line: 0 done, 1 the run failed, 2 the command or the input is wrong."""
    try:
        _command()(arguments)
    except FrexError as error:
        complain(str(error))
        sys.exit(error.exit_code)
    except BrokenPipeError:  # whoever read our output has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        complain(f"{where}{error.strerror or error}")
        sys.exit(1)
    except MemoryError:
        complain("out of memory. Use fewer processes, or a smaller vocabulary.")
        sys.exit(1)
    except Exception as error:
        if os.environ.get("FREX_DEBUG"):
            raise
        complain(
            f"frex has a fault: {type(error).__name__}: {error}. Set FREX_DEBUG=1 to see where, "
            "and please report it."
        )
        sys.exit(1)
