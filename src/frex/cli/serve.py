"""The command `serve`: suggestions over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import frex.serve
import frex.web
from frex.cli.screen import say

_HOST, _PORT = "127.0.0.1", 8000


def serve(
    fits: Annotated[
        list[str],
        typer.Argument(help="Fit folders. NAME=FIT names a project, else it is the folder's name."),
    ],
    *,
    host: Annotated[
        str,
        typer.Option(
            help="Address to listen on. 127.0.0.1 is reached from this machine only; others need a "
            "token."
        ),
    ] = _HOST,
    port: Annotated[
        int, typer.Option(help="The port; 0 takes any that is free.", min=0, max=65535)
    ] = _PORT,
    workers: Annotated[
        int, typer.Option(help="Processes that answer; 0 is one for each core.", min=0)
    ] = 0,
    token_file: Annotated[
        Path | None,
        typer.Option(
            help="A file with the token that requests must contain; or set FREX_SERVE_TOKEN."
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="Another host name in requests, such as a proxy's. May be repeated."),
    ] = None,
) -> None:
    """Suggest topics over HTTP, as Annif's REST API does, and on a page, until Ctrl-C."""
    if not frex.web.is_loopback(host):
        typer.secho(
            f"warning: {host} may be reached from other machines, and nothing is encrypted. "
            "Keep to a network that you trust, or put a server with HTTPS in front.",
            err=True,
            fg="yellow",
        )
    frex.serve.serve(
        fits,
        host=host,
        port=port,
        workers=workers,
        token_file=token_file,
        names=allow_host or (),
        say=say,
    )
    say("Ended.")
