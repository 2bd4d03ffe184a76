"""The address at which a server listens, and the signals that end it."""

from __future__ import annotations

import ipaddress
import signal
import socket
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUEUE = 1024  # connections that the system holds until they are accepted


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket, so that all connections from now on are served."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_QUEUE)
    except OSError as error:
        raise InputError(
            f"cannot listen on {host}, port {port}: {error.strerror}",
            remedy="Choose another --port or --host.",
        ) from error


def address(listener: socket.socket) -> str:
    """Return what a browser asks for; a server on all addresses is known by the machine's name."""
    host, port = listener.getsockname()[:2]
    if ipaddress.ip_address(host).is_unspecified:
        host = socket.gethostname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Treat SIGTERM, with which a system ends its services, as Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may handle signals
        return
    usual = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual)
