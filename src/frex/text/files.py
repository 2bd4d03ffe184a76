"""Files of documents, plain or compressed, read in bounded memory."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from frex.errors import InputError
from frex.storage.packed import PACKED, DamagedError, unpack
from frex.text.batches import BLOCK, BrokenBatch, LineBatch
from frex.text.blocks import cut
from frex.text.documents import STANDARD_INPUT, Broken, Document, Fault, Fields
from frex.text.folders import read_folder, table_fields, text_files
from frex.text.sheets import read_sheet
from frex.text.tables import read_parquet, read_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from os import PathLike
    from typing import BinaryIO, Self

    from frex.text.batches import Batch

LINES = (".jsonl", ".ndjson", ".json")
TABLES = {".csv": None, ".tsv": "\t", ".tab": "\t"}
WHOLE = {
    ".parquet": read_parquet,
    ".xlsx": read_sheet,
}  # readers of formats with internal compression
FOLDER = "folder"


def read_documents(
    paths: Sequence[str | PathLike[str]], fields: Fields | None = None
) -> Iterator[Document]:
    """Yield the documents of files one by one; a broken line raises an `InputError`.

    Parameters
    ----------
    paths
        ``.jsonl``, ``.csv``, ``.tsv`` (each also with ``.gz``, ``.xz``, ``.bz2``, ``.zst``),
        ``.parquet`` or ``.xlsx`` files, folders of ``.txt`` and ``.md`` files; ``-`` is JSON lines
        from standard input.
    fields
        Names of the fields.

    Yields
    ------
    Document
        A document with id, text and labels.

    Raises
    ------
    InputError
        A line is broken; the error names file and line.

    Examples
    --------
    >>> from frex.text import read_documents
    >>> document = next(read_documents(['docs.jsonl']))
    >>> document.id, document.labels
    ('metal-0', ('metal',))
    """
    for batch in read_batches(paths, fields or Fields()):
        for item in batch.documents():
            if isinstance(item, Broken):
                raise item.error()
            yield item


def read_batches(
    paths: Sequence[str | PathLike[str]],
    fields: Fields,
    known: Collection[str] = (),
    table: str | PathLike[str] | None = None,
) -> Iterator[Batch]:
    """Check that all files exist, and return an iterator over their batches, in order.

    Parameters
    ----------
    paths
        Files of documents, or folders of text files.
    fields
        Names of the fields.
    known, table
        For folders: the valid labels, and a table about the text files; see
        `frex.text.folders.read_folder`.
    """
    sources = [_find(path) for path in paths]
    folders = [source for source in sources if source.kind == FOLDER]
    for source in folders:
        text_files(Path(source.path))  # raises an error early
    if table is not None and len(folders) != 1:
        raise InputError(
            f"a table tells of the files of one folder, and {len(folders)} are given",
            path=table,
            remedy="Give the folder; or leave out the table: --table.",
        )

    def batches(source: Source) -> Iterator[Batch]:
        if source.kind != FOLDER:
            return _read_file(source, fields)
        rows = None if table is None else read_documents([table], table_fields(fields))
        return read_folder(Path(source.path), fields, known, rows)

    return (batch for source in sources for batch in batches(source))


def input_bytes(paths: Sequence[str | PathLike[str]]) -> int | None:
    """Return the sum of the sizes of all batches; None if standard input is among them."""
    sources = [_find(path) for path in paths]
    if any(source.path == STANDARD_INPUT for source in sources):
        return None
    return sum(map(_size, sources))


def _size(source: Source) -> int:
    if source.kind == FOLDER:
        return sum(path.stat().st_size for path, _ in text_files(Path(source.path)))
    return Path(source.path).stat().st_size


class Source(NamedTuple):
    """A file, and its format by its name."""

    path: str
    kind: str  # the suffix of its format
    compression: str  # the suffix of its compression, or nothing


def _find(path: str | PathLike[str]) -> Source:
    if str(path) == STANDARD_INPUT:
        return Source(STANDARD_INPUT, ".jsonl", "")
    file = Path(path)
    if not file.exists():
        raise InputError("does not exist", path=file, remedy="Check the path.")
    if file.is_dir():
        return Source(str(file), FOLDER, "")
    suffixes = [suffix.lower() for suffix in file.suffixes]
    compression = suffixes.pop() if suffixes and suffixes[-1] in PACKED else ""
    kind = suffixes[-1] if suffixes else ""
    if kind in WHOLE and compression:
        raise InputError(
            f"{kind} files are compressed inside", path=file, remedy="Unpack it and give that."
        )
    if kind not in (*LINES, *TABLES, *WHOLE):
        raise InputError(
            "the name does not tell the format",
            path=file,
            remedy="Call it .jsonl, .csv, .tsv, .parquet or .xlsx; behind the first three may "
            "stand .gz, .xz, .bz2 or .zst. Or give a folder of .txt and .md files.",
        )
    return Source(str(file), kind, compression)


def _read_file(source: Source, fields: Fields) -> Iterator[Batch]:
    if source.kind in WHOLE:
        yield from WHOLE[source.kind](source.path, fields)
        return
    with Stream(source) as stream:
        blocks = cut(stream.chunks())
        if source.kind in TABLES:
            yield from read_table(source.path, blocks, fields, TABLES[source.kind], stream.advance)
            return
        for line, block in blocks:
            if isinstance(block, Fault):
                yield BrokenBatch(block.at(source.path, line))
            else:
                yield LineBatch(source.path, line, block, fields, stream.advance())


class Stream:
    """The decompressed bytes of a file."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._told = 0

    def __enter__(self) -> Self:
        try:
            self._raw: BinaryIO = (
                sys.stdin.buffer
                if self._source.path == STANDARD_INPUT
                else Path(self._source.path).open("rb")
            )
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=self._source.path) from error
        return self

    def __exit__(self, *_: object) -> None:
        if self._source.path != STANDARD_INPUT:
            self._raw.close()

    def advance(self) -> int:
        """Return the number of bytes of the file itself that were read since the last call."""
        if not self._raw.seekable():
            return 0
        before, self._told = self._told, self._raw.tell()
        return self._told - before

    def chunks(self) -> Iterator[bytes]:
        """Yield the decompressed bytes; a damaged file ends in a `Fault` after its valid part."""
        try:
            yield from unpack(self._raw, self._source.compression, BLOCK)
        except DamagedError as error:
            raise Fault("damaged file", str(error), "Copy it anew, or pack it again.") from error
