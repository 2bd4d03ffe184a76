"""Packed files, unpacked as a stream of bytes."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from typing import TYPE_CHECKING, Any

from frex.errors import require

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

PACKED = (".gz", ".xz", ".bz2", ".zst")
"""The endings of packed files."""


class DamagedError(Exception):
    """A packed file that is cut short or altered."""


def unpack(raw: BinaryIO, ending: str, size: int = 1 << 20) -> Iterator[bytes]:
    """Yield the unpacked bytes of a file; `DamagedError` comes after all that is whole.

    Parameters
    ----------
    raw
        The file, open for reading.
    ending
        One of `PACKED`, or nothing for a file that is not packed.
    size
        About how many bytes to yield at a time.
    """
    damage: tuple[type[Exception], ...] = (EOFError, OSError, zlib.error, lzma.LZMAError)
    if ending == ".zst":
        damage = (*damage, require("zstandard", "zstd", "reading .zst files").ZstdError)
    try:
        yield from _chunks(raw, ending, size)
    except damage as error:
        raise DamagedError(str(error)) from error


def _chunks(raw: BinaryIO, ending: str, size: int) -> Iterator[bytes]:
    file: Any
    match ending:
        case ".zst":
            yield from _unpack_zstd(raw, size // 16)
            return
        case ".gz":
            file = gzip.GzipFile(fileobj=raw)
        case ".xz":
            file = lzma.open(raw)  # noqa: SIM115 - it holds nothing that `raw` does not
        case ".bz2":
            file = bz2.open(raw)  # noqa: SIM115 - the same
        case _:
            file = raw
    # unlike `read`, `read1` hands out what stands before a damaged place
    while chunk := file.read1(size):
        yield chunk


def _unpack_zstd(raw: BinaryIO, size: int) -> Iterator[bytes]:
    """Unpack frame after frame; the library's own file object takes a cut file for a whole one."""
    library = require("zstandard", "zstd", "reading .zst files")
    frame = None
    while packed := raw.read(size):
        while packed:
            frame = frame or library.ZstdDecompressor().decompressobj()
            yield frame.decompress(packed)
            packed, frame = (frame.unused_data, None) if frame.eof else (b"", frame)
    if frame is not None:
        raise EOFError("the file ends too early")
