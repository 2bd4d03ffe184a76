"""Messages between the server and its workers: a line of JSON and bytes, each with its length."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

if TYPE_CHECKING:
    from asyncio import StreamReader

_LENGTHS = struct.Struct("!II")


class Frame(NamedTuple):
    """A message."""

    head: dict[str, Any]
    body: bytes = b""


def packed(frame: Frame) -> bytes:
    """Return a message as bytes."""
    head = json.dumps(frame.head, allow_nan=False).encode()
    return _LENGTHS.pack(len(head), len(frame.body)) + head + frame.body


def read(source: BinaryIO) -> Frame | None:
    """Return the next message; None at the end of the input."""
    lengths = source.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    of_head, of_body = _LENGTHS.unpack(lengths)
    head, body = source.read(of_head), source.read(of_body)
    return Frame(json.loads(head), body) if len(body) == of_body else None


async def receive(source: StreamReader) -> Frame:
    """Return the next message; raise `asyncio.IncompleteReadError` at the end of the input."""
    of_head, of_body = _LENGTHS.unpack(await source.readexactly(_LENGTHS.size))
    head = json.loads(await source.readexactly(of_head))
    return Frame(head, await source.readexactly(of_body))
