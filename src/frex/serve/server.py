"""Serving fits until Ctrl-C."""

from __future__ import annotations

import os
import sys
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from frex.errors import FrexError, InputError, require
from frex.web import address, ended_by_sigterm, is_loopback, listen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from frex.serve.service import Service

HOST, PORT = "127.0.0.1", 8000

VARIABLE = "FREX_SERVE_TOKEN"
"""The environment variable that may hold the token."""

_GRACE_S = 90
"""Longer than any request may take."""


def serve(
    fits: Sequence[str | PathLike[str]],
    *,
    host: str = HOST,
    port: int = PORT,
    workers: int = 0,
    token_file: str | PathLike[str] | None = None,
    names: Sequence[str] = (),
    say: Callable[[str], object] = lambda _: None,
) -> None:
    """Serve fits until Ctrl-C, or SIGTERM; current requests are finished.

    Parameters
    ----------
    fits
        Their folders, or NAME=FOLDER.
    host, port
        Where to listen; port 0 takes any that is free. A host that other machines can reach needs a
        token.
    workers
        How many processes answer; 0 for one per core.
    token_file
        A file with the token that requests must contain; by default the environment variable
        `VARIABLE` may hold it.
    names
        Other names under which clients ask for the server, such as that of a proxy.
    say
        Called with messages.

    Raises
    ------
    InputError
        A fit cannot be served, or the place is taken.
    """
    if sys.platform == "win32":
        raise FrexError("frex serve needs Linux, macOS or another system of their kind.")
    purpose = "Serving fits"
    require("starlette", "serve", purpose)
    require("uvicorn", "serve", purpose)
    from frex.serve.app import Application  # noqa: PLC0415 - they need the extra
    from frex.serve.fits import named_fits  # noqa: PLC0415
    from frex.serve.guards import Guard, check_token  # noqa: PLC0415
    from frex.serve.pool import FailedError  # noqa: PLC0415
    from frex.serve.service import Service  # noqa: PLC0415
    from frex.text.workers import available_cores  # noqa: PLC0415
    from frex.web.connections import Server  # noqa: PLC0415

    token = _token(token_file)
    if token is not None:
        token = check_token(token, whence=VARIABLE if token_file is None else str(token_file))
    elif not is_loopback(host):
        raise InputError(
            f"{host} may be reached from other machines, and there is no token",
            remedy=f"Give --token-file FILE, or set {VARIABLE}.",
        )
    service = Service(
        named_fits([os.fspath(fit) for fit in fits]), workers or available_cores(), say
    )
    failed: list[FrexError] = []

    async def run() -> None:
        try:
            await service.start()
            say(f"{address(listener)}: {_served(service)}. Ctrl-C ends it.")
            await service.watch()
        except FrexError as error:
            failed.append(error)
        except FailedError:
            failed.append(FrexError("no worker could be started"))
        finally:
            server.should_exit = True

    with closing(listen(host, port)) as listener:
        app = Application(service, Guard(host, names, token), run)
        server = Server(app, "frex.serve", has_lifespan=True, grace_s=_GRACE_S)
        # uvicorn raises either signal again when all is done
        with suppress(KeyboardInterrupt), ended_by_sigterm():
            server.run(sockets=[listener])
    if failed:
        raise failed[0]


def _token(file: str | PathLike[str] | None) -> str | None:
    if file is None:
        return os.environ.get(VARIABLE)
    try:
        return Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        raise InputError(
            f"the token cannot be read: {getattr(error, 'strerror', None) or error}",
            path=file, remedy="Give a file with one line.",
        ) from error  # fmt: skip


def _served(service: Service) -> str:
    fits = [f"{name}, {one.about['topics']:,} topics" for name, one in service.loaded.items()]
    n_workers = service.pool.n_workers
    return f"{'; '.join(fits)}; {n_workers} worker{'' if n_workers == 1 else 's'}"
