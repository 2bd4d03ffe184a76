"""Batches of unparsed documents.

The process that reads a file only divides it into batches, which is cheap. The worker that counts
the words of a batch also parses it, by `documents`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from frex.text.documents import Broken, Document, Fault, Fields, as_document, checked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    Record = dict[str, Any] | Broken

BLOCK = 1 << 20
"""Approximate bytes of text in a batch: about a thousand abstracts."""


class Batch(Protocol):
    """Some unparsed documents."""

    @property
    def size(self) -> int:
        """Amount of input, in the unit of the progress report."""

    def documents(self) -> Iterator[Document | Broken]:
        """Yield the documents and the broken places."""


@dataclass(frozen=True)
class LineBatch:
    """Whole lines of a JSON lines file."""

    path: str
    first_line: int
    data: bytes
    fields: Fields
    size: int

    def documents(self) -> Iterator[Document | Broken]:
        """Yield a document for every line that is not blank."""
        for line, text in enumerate(self._lines(), start=self.first_line):
            try:
                record = _parse(text)
            except Fault as fault:
                yield fault.at(self.path, line)
            else:
                if record is not None:
                    yield as_document(record, self.fields, self.path, line)

    def _lines(self) -> Iterable[str | bytes]:
        try:
            return self.data.decode().split("\n")
        except UnicodeDecodeError:
            return self.data.split(b"\n")


def _parse(line: str | bytes) -> dict[str, Any] | None:
    """Return the object on a line of JSON; None for a blank line."""
    if not line or line.isspace():
        return None
    try:
        record = json.loads(line.decode() if isinstance(line, bytes) else line)
    except UnicodeDecodeError as error:
        detail = f"byte 0x{line[error.start]:02x}, column {error.start + 1}"
        raise Fault("not UTF-8", detail, "Convert the file to UTF-8.") from None
    except json.JSONDecodeError as error:
        detail = f"{error.msg}, column {error.colno}"
        raise Fault("not valid JSON", detail, "Write one JSON object a line.") from None
    except (ValueError, RecursionError):  # a number of thousands of digits; endless nesting
        raise Fault("not valid JSON", "a number too long, or nested too deep") from None
    if not isinstance(record, dict):
        raise Fault(
            "not a JSON object", f"a {type(record).__name__}", "Write one JSON object a line."
        )
    return record


@dataclass(frozen=True)
class RecordBatch:
    """Records of a table, each with its first line, or the reason why it is broken."""

    path: str
    records: list[tuple[int, Record]]
    fields: Fields
    size: int

    def documents(self) -> Iterator[Document | Broken]:
        """Yield a document for every record."""
        name = self.fields.labels
        for line, record in self.records:
            if isinstance(record, Broken):
                yield record
                continue
            if name is not None and isinstance(record.get(name), str):
                labels = record[name].split(self.fields.separator)
                record[name] = [label for label in labels if label.strip()]
            yield as_document(record, self.fields, self.path, line)


@dataclass(frozen=True)
class BrokenBatch:
    """A place where no line can be read."""

    place: Broken
    size: int = 0

    def documents(self) -> Iterator[Document | Broken]:
        """Yield the broken place."""
        yield self.place


@dataclass(frozen=True)
class DocumentBatch:
    """Documents from another reader."""

    made: list[Document]

    @property
    def size(self) -> int:
        """The number of documents."""
        return len(self.made)

    def documents(self) -> Iterator[Document | Broken]:
        """Yield the documents after validation."""
        return map(checked, self.made)


def batches_of(documents: Iterable[Document]) -> Iterator[DocumentBatch]:
    """Group documents into batches of about `BLOCK` characters."""
    made: list[Document] = []
    size = 0
    for document in documents:
        made.append(document)
        size += len(str(document.text))
        if size >= BLOCK:
            yield DocumentBatch(made)
            made, size = [], 0
    if made:
        yield DocumentBatch(made)
