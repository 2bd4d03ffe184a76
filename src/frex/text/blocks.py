"""Division of a stream of bytes into blocks of whole lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.text.batches import BLOCK
from frex.text.documents import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Piece = tuple[int, bytes | Fault]

LONGEST = 32 << 20
"""The longest line in bytes; a file with a longer one counts as damaged."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def cut(chunks: Iterable[bytes]) -> Iterator[Piece]:
    """Divide a stream into blocks of about `BLOCK` bytes.

    Yields the number of a block's first line and its bytes, or the reason why that line cannot be
    read. If a stream ends in a `Fault`, its whole lines are yielded first.
    """
    cutter = _Cutter()
    try:
        for chunk in chunks:
            yield from cutter.feed(chunk)
    except Fault as fault:
        yield from cutter.flush()
        yield cutter.line, fault
    else:
        cutter.lines += cutter.rest
        yield from cutter.flush()


class _Cutter:
    def __init__(self) -> None:
        self.line = 1  # number of the first of the lines
        self.lines: list[bytes] = []  # whole lines
        self.rest: list[bytes] = []  # beginning of the next line
        self._overlong = False  # inside a line that is skipped

    def feed(self, chunk: bytes) -> Iterator[Piece]:
        if self._overlong:
            _, newline, chunk = chunk.partition(b"\n")
            if not newline:
                return
            self._overlong = False
            self.line += 1
        end = chunk.rfind(b"\n") + 1
        if end:
            self.lines += [*self.rest, chunk[:end]]
            self.rest = []
        self.rest.append(chunk[end:])
        if _size(self.lines) >= BLOCK:
            yield from self.flush()
        if _size(self.rest) > LONGEST:
            yield from self.flush()
            yield self.line, Fault("line too long", f"more than {LONGEST >> 20} MiB")
            self.rest = []
            self._overlong = True

    def flush(self) -> Iterator[Piece]:
        block = b"".join(self.lines)
        self.lines = []
        if block:
            yield self.line, block.removeprefix(BYTE_ORDER_MARK) if self.line == 1 else block
            self.line += block.count(b"\n")


def _size(parts: list[bytes]) -> int:
    return sum(map(len, parts))
