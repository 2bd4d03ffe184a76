"""Reading posted bodies, with limits for one body and for all bodies at a time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from frex.serve.limits import MOST_BYTES, MOST_BYTES_HELD
from frex.serve.pool import BusyError
from frex.serve.requests import RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request


class Held:
    """The bytes of all bodies that are being read, wait, or are being processed."""

    def __init__(self) -> None:
        self.n_bytes = 0

    @contextmanager
    def share(self) -> Iterator[Share]:
        """Yield a share for one body, which is released at the end."""
        share = Share(self)
        try:
            yield share
        finally:
            self.n_bytes -= share.n_bytes


class Share:
    """The share of one body."""

    def __init__(self, held: Held) -> None:
        self._held, self.n_bytes = held, 0

    def take(self, n_bytes: int) -> None:
        """Take more bytes; refuse if there are too many."""
        if self.n_bytes + n_bytes > MOST_BYTES:
            raise too_large()
        if self._held.n_bytes + n_bytes > MOST_BYTES_HELD:
            raise BusyError
        self.n_bytes += n_bytes
        self._held.n_bytes += n_bytes


async def read_body(request: Request, share: Share, media_type: str) -> bytes:
    """Return the body of a request.

    Parameters
    ----------
    request
        The request.
    share
        Its share of the bytes.
    media_type
        The required media type.
    """
    _check_type(request, media_type)
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > MOST_BYTES:
        raise too_large()
    pieces = []
    async for piece in request.stream():
        share.take(len(piece))
        pieces.append(piece)
    return b"".join(pieces)


def too_large() -> RefusedError:
    """Return the error for a body that is too large."""
    return RefusedError(f"the body has more than {MOST_BYTES:,} bytes", 413, "Payload Too Large")


def _check_type(request: Request, media_type: str) -> None:
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    charset = parameters.strip().lower().replace('"', "")
    if kind.strip().lower() != media_type or charset not in ("", "charset=utf-8"):
        raise RefusedError(
            f"the body has to be {media_type}, in UTF-8", 415, "Unsupported Media Type"
        )
    if request.headers.get("content-encoding", "identity").lower() != "identity":
        raise RefusedError("the body is packed", 415, "Unsupported Media Type")
