"""XML documents, one a file, in folders, zip and tar archives: read one at a time, and safely.

A corpus of this form has a million files, so each is read out of its archive, parsed and forgotten.
No entity is expanded but the characters of HTML, and nothing is fetched: neither the DTD that a
document names, nor anything else outside it.
"""

from __future__ import annotations

import tarfile
import zipfile
import zlib
from html.entities import html5
from io import BytesIO
from lzma import LZMAError
from pathlib import Path
from typing import IO, TYPE_CHECKING, NoReturn, cast
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from frex.datasets.files import ARCHIVES
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LARGEST = 1 << 26
"""The largest document in bytes; what unpacks to more is taken to be none."""
LARGEST_ARCHIVE = 1 << 30
"""The same of an archive within an archive, which is held in memory."""
DEPTH = 2
"""Archives within archives that are opened: the days of a corpus, within one of all of it."""

# RuntimeError and NotImplementedError: a zip that is encrypted, or packed in a way unknown here
DAMAGE = (
    EOFError, zlib.error, LZMAError, OSError, tarfile.TarError, zipfile.BadZipFile, RuntimeError,
)  # fmt: skip


def xml_documents(paths: Sequence[Path]) -> Iterator[tuple[Path, Element]]:
    """Yield all documents with their places; those of an archive as ``archive.zip/member``.

    Parameters
    ----------
    paths
        ``.xml`` files, zip and tar archives of them, and folders of either.
    """
    if not paths:
        raise InputError("no data files were named", remedy="Name .xml files, or their archives.")
    n_found = 0
    for path in paths:
        for place, data in _files(Path(path)):
            yield place, parse(data, place)
            n_found += 1
    if not n_found:
        raise InputError(
            "no .xml file is here",
            path=", ".join(map(str, paths)),
            remedy="Name the corpus's archives, or the folder that holds them.",
        )


def parse(data: bytes, place: Path) -> Element:
    """Parse a document, with what XML can do to its reader left undone.

    Parameters
    ----------
    data, place
        The document, and where it is from.
    """
    builder = TreeBuilder()
    parser = expat.ParserCreate()

    def refuse(name: str, *_: object) -> NoReturn:
        raise InputError(
            f"it declares an entity, {name!r}, which a document of this corpus does not",
            path=place,
            line=parser.CurrentLineNumber,
            remedy="Use the file as its owner published it.",
        )

    parser.EntityDeclHandler = refuse
    parser.SkippedEntityHandler = lambda name, _: builder.data(html5.get(f"{name};", " "))
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"not XML: {error}",
            path=place,
            line=getattr(error, "lineno", None),
            remedy="Copy the official file again.",
        ) from error
    return builder.close()


def text_of(element: Element) -> str:
    """Return the text of an element and of all within it, in one line."""
    return " ".join("".join(element.itertext()).split())


def _files(path: Path) -> Iterator[tuple[Path, bytes]]:
    """Yield the bytes of every document at or below a path."""
    if path.is_dir():
        for inner in sorted(path.rglob("*")):
            if inner.is_file() and _is_wanted(inner.name):
                yield from _files(inner)
        return
    try:
        with path.open("rb") as stream:
            yield from _within(path, stream, DEPTH)
    except OSError as error:
        raise InputError(f"cannot read it: {error.strerror}", path=path) from error


def _within(place: Path, stream: IO[bytes], depth: int) -> Iterator[tuple[Path, bytes]]:
    """Yield a document, or those in an archive."""
    if place.name.lower().endswith(".xml"):
        yield place, _read(stream, place)
        return
    opened = _members if place.name.lower().endswith(ARCHIVES) else _zipped
    if not depth or not _is_wanted(place.name):
        return
    try:
        for member, inner in opened(stream, place):
            # an archive within an archive is read whole: one cannot go back in it where it is
            yield from _within(member, BytesIO(_read(inner, member)), depth - 1)
    except DAMAGE as error:
        raise InputError(
            f"damaged or cut short: {error}", path=place, remedy="Copy the file again."
        ) from error


def _zipped(stream: IO[bytes], place: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            if not info.is_dir() and _is_wanted(Path(info.filename).name):
                with archive.open(info) as member:
                    yield place / info.filename, member


def _members(stream: IO[bytes], place: Path) -> Iterator[tuple[Path, IO[bytes]]]:
    with tarfile.open(fileobj=stream) as archive:
        for info in archive:
            if info.isfile() and _is_wanted(Path(info.name).name):
                yield place / info.name, cast("IO[bytes]", archive.extractfile(info))


def _is_wanted(name: str) -> bool:
    """Tell documents and archives from what lies beside them, and from what an editor hides."""
    return name.lower().endswith((".xml", ".zip", *ARCHIVES)) and not name.startswith(".")


def _read(stream: IO[bytes], place: Path) -> bytes:
    largest = LARGEST if place.name.lower().endswith(".xml") else LARGEST_ARCHIVE
    data = stream.read(largest + 1)
    if len(data) > largest:
        raise InputError(
            f"larger than {largest >> 20:,} MiB", path=place, remedy="Check the file, or unpack it."
        )
    return data
