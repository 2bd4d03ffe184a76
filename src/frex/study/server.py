"""Serving a study until Ctrl-C."""

from __future__ import annotations

import ipaddress
import socket
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from frex.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Callable

    from frex.study.folder import Study

HOST, PORT = "127.0.0.1", 8000


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def serve(
    study: Study,
    *,
    host: str = HOST,
    port: int = PORT,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a study until Ctrl-C; what is being answered then is finished.

    Parameters
    ----------
    study
        The study.
    host, port
        Where to listen; port 0 takes any that is free.
    ready
        Called with the address once evaluators can come.
    """
    purpose = "Serving a study"
    require("starlette", "study", purpose)
    uvicorn = require("uvicorn", "study", purpose)
    from frex.study.app import make_app  # noqa: PLC0415 - it needs the extra

    with closing(_listen(host, port)) as listener, study.answers() as answers:
        config = uvicorn.Config(
            make_app(study, answers),
            access_log=False,  # it would hold the evaluators' links
            lifespan="off",
            log_level="warning",
            server_header=False,
            timeout_graceful_shutdown=3,
        )
        if ready is not None:
            ready(_address(listener))
        with suppress(KeyboardInterrupt):  # uvicorn raises it again when all is done
            uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens, so that whoever comes from now on is served."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise InputError(
            f"cannot listen on {host}, port {port}: {error.strerror}",
            remedy="Choose another --port or --host.",
        ) from error


def _address(listener: socket.socket) -> str:
    """Return what a browser asks for; a server on all addresses is known by the machine's name."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = socket.gethostname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
