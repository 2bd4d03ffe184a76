"""Decompression of files as a stream of bytes, in bounded memory.

A file of 67 kB may expand to 4 GB, so a reader gets a limited number of decompressed bytes at a
time, and may stop.
"""

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
"""The endings of compressed files."""

MOST_MEMORY = 256 << 20
"""Most memory for the decompression of an xz file; files of ``xz -9`` need 65 MiB."""


GROWTH = 200
"""Largest compression ratio of a file of text; regular files have 5 to 50."""


def most_unpacked(size: int) -> int:
    """Return the most decompressed bytes of a file of text that is read into memory.

    Parameters
    ----------
    size
        Bytes of the compressed file.
    """
    return max(GROWTH * size, 1 << 25)


class DamagedError(Exception):
    """A compressed file that is truncated or altered."""


def unpack(raw: BinaryIO, ending: str, size: int = 1 << 20) -> Iterator[bytes]:
    """Yield the decompressed bytes of a file; `DamagedError` is raised after the valid part.

    Parameters
    ----------
    raw
        The file, open for reading.
    ending
        One of `PACKED`, or empty for an uncompressed file.
    size
        Approximate number of bytes to yield at a time.
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
            yield from _unpack_zstd(raw)
            return
        case ".xz":
            yield from _unpack_xz(raw, size)
            return
        case ".gz":
            file = gzip.GzipFile(fileobj=raw)
        case ".bz2":
            file = bz2.open(raw)  # noqa: SIM115 - it holds nothing that `raw` does not
        case _:
            file = raw
    # unlike `read`, `read1` returns the bytes before a damaged place
    while chunk := file.read1(size):
        yield chunk


def _unpack_xz(raw: BinaryIO, size: int) -> Iterator[bytes]:
    """Decompress stream after stream; other data after the first stream is ignored."""
    packed, is_first = _more(raw, size), True
    while packed:
        stream = lzma.LZMADecompressor(memlimit=MOST_MEMORY)
        try:
            chunk = stream.decompress(packed, size)
        except lzma.LZMAError:
            if is_first:
                raise
            return
        while not stream.eof:
            yield chunk
            chunk = stream.decompress(_more(raw, size) if stream.needs_input else b"", size)
        yield chunk
        packed = (stream.unused_data or raw.read(size)).lstrip(b"\0")  # zeros pad a stream
        is_first = False


def _unpack_zstd(raw: BinaryIO) -> Iterator[bytes]:
    """Decompress frame after frame, block by block; a decompressed block has at most 128 KiB.

    The library decompresses all of its input at once, and its file object does not detect
    truncation.
    """
    library = require("zstandard", "zstd", "reading .zst files")
    while magic := raw.read(4):
        number = int.from_bytes(magic, "little")
        if 0x184D2A50 <= number <= 0x184D2A5F:  # a skippable frame
            left = int.from_bytes(_more(raw, 4), "little")
            while left:
                left -= len(_more(raw, min(left, 1 << 20)))
            continue
        frame = library.ZstdDecompressor().decompressobj()
        for piece in _zstd_pieces(raw, magic):
            yield frame.decompress(piece)


def _zstd_pieces(raw: BinaryIO, magic: bytes) -> Iterator[bytes]:
    """Yield the header of a frame with its magic number, its blocks, and its checksum.

    RFC 8878: the header begins with flags that determine its length. A block begins with three
    bytes for whether it is the last, its type and its length.
    """
    yield magic  # the library rejects other data
    flags = _more(raw, 1)
    size_of_content, is_single = flags[0] >> 6, flags[0] >> 5 & 1
    n_head = (not is_single) + (0, 1, 2, 4)[flags[0] & 3] + (is_single, 2, 4, 8)[size_of_content]
    yield flags + _all(raw, n_head)
    is_last = False
    while not is_last:
        block = _all(raw, 3)
        about = int.from_bytes(block, "little")
        is_last, is_repeated, length = bool(about & 1), about >> 1 & 3 == 1, about >> 3
        yield block + _all(raw, 1 if is_repeated else length)
    if flags[0] >> 2 & 1:
        yield _all(raw, 4)


def _more(raw: BinaryIO, size: int) -> bytes:
    """Return the next bytes, at most `size`; raise an error at the end of the file."""
    data = raw.read(size)
    if not data:
        raise EOFError("the file ends too early")
    return data


def _all(raw: BinaryIO, size: int) -> bytes:
    """Return the next `size` bytes."""
    data = raw.read(size)
    if len(data) < size:
        raise EOFError("the file ends too early")
    return data
