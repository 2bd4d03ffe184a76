"""Serving a study until Ctrl-C."""

from __future__ import annotations

import ipaddress
import signal
import socket
import threading
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from frex.errors import InputError, require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    """Serve a study until Ctrl-C, or SIGTERM; what is being answered then is finished.

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
    require("uvicorn", "study", purpose)
    from frex.study.app import make_app  # noqa: PLC0415 - they need the extra
    from frex.study.connections import Server  # noqa: PLC0415

    with closing(_listen(host, port)) as listener, study.answers() as answers:
        server = Server(make_app(study, answers))
        # uvicorn raises either signal again when all is done
        with suppress(KeyboardInterrupt), _ended_by_sigterm():
            if ready is not None:
                ready(_address(listener))
            server.run(sockets=[listener])


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Take SIGTERM, by which a system ends its services, for Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may handle signals
        return
    usual = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual)


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
