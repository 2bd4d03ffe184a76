"""Checks of every request: the host that it names, the token, and no form of another site."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import ipaddress
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from frex.errors import InputError
from frex.serve.requests import RefusedError
from frex.web import is_loopback

if TYPE_CHECKING:
    from collections.abc import Iterable

    from starlette.datastructures import Headers

OPEN = ("/health", "/ready")
"""Paths that need no token."""

_SHORTEST_TOKEN = 16
_LOCAL = ("localhost", "127.0.0.1", "::1")


class Guard:
    """Refuses requests before their bodies are read.

    Parameters
    ----------
    host
        Where the server listens.
    names
        Other host names of the server.
    token
        The token that a request must contain; None for none.
    """

    def __init__(self, host: str, names: Iterable[str], token: str | None) -> None:
        self._local = is_loopback(host)
        own = () if self._local else (host, socket.gethostname(), socket.getfqdn())
        self._given = {name.lower() for name in names}
        self._names = {name.lower() for name in (*_LOCAL, *own)} | self._given
        self._token = None if token is None else _digest(token.encode())

    def check(self, method: str, path: str, headers: Headers) -> None:
        """Refuse a request, or let it pass.

        Parameters
        ----------
        method, path, headers
            Its own.
        """
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise RefusedError("the server is not known by that host's name", 403, "Forbidden")
        if self._token is not None and path not in OPEN and not self._has_token(headers):
            raise RefusedError("a token is needed", 401, "Unauthorized")
        if method not in ("GET", "HEAD") and self._is_from_elsewhere(headers, host):
            raise RefusedError("the request is of another site's page", 403, "Forbidden")

    def _is_ours(self, host: str) -> bool:
        """Return whether a host is one of our names; a foreign name could lead here."""
        name = _hostname(f"//{host}")
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return not self._local  # an address is nobody's name

    def _is_from_elsewhere(self, headers: Headers, host: str) -> bool:
        """Return whether the browser says that a page of another site made the request."""
        origin = headers.get("origin")
        if origin is None:
            return headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none")
        return origin.partition("://")[2] != host and _hostname(origin) not in self._given

    def _has_token(self, headers: Headers) -> bool:
        assert self._token is not None
        scheme, _, given = headers.get("authorization", "").partition(" ")
        token = given.strip().encode("latin-1")
        if scheme.lower() == "basic":  # as browsers, and addresses such as http://any:TOKEN@host
            try:
                token = base64.b64decode(token, validate=True).partition(b":")[2]
            except binascii.Error:
                return False
        elif scheme.lower() != "bearer":
            return False
        return hmac.compare_digest(_digest(token), self._token)


def _hostname(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _digest(token: bytes) -> bytes:
    return hashlib.sha256(token).digest()


def check_token(token: str, *, whence: str) -> str:
    """Return a token, if it can be sent and cannot be guessed.

    Parameters
    ----------
    token
        As it was read; surrounding white space is ignored.
    whence
        Where it was read, for the error message.
    """
    token = token.strip()
    if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable():
        raise InputError(
            f"{whence} has no token of {_SHORTEST_TOKEN} plain characters or more",
            remedy="Make one: python -c 'import secrets; print(secrets.token_urlsafe())'",
        )
    return token
