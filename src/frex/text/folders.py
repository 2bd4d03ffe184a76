"""A folder of text files, with labels from subfolders or from a table."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from frex.errors import InputError
from frex.text.batches import BLOCK, BrokenBatch
from frex.text.documents import Broken, Document, Fault, Fields, as_document

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from frex.text.batches import Batch

ENDINGS = (".txt", ".md")
"""Endings of files that are documents."""

LARGEST = 32 << 20
"""Most bytes of a document's file."""

_FRONT = re.compile(r"\A---[ \t]*\n(.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_FRONT_LINE = re.compile(r"^(title|date|url):[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^#+[ \t]+(\S.*?)[ \t]*#*[ \t]*$", re.MULTILINE)
_TARGET = re.compile(r"(?<=\])\([^()\s]*(?:[ \t]+\"[^\"]*\")?\)")


class TextFile(NamedTuple):
    """A file, and what is known of it before it is read."""

    path: str
    name: str  #: path relative to the folder, with /
    labels: tuple[str, ...]
    details: Mapping[str, str]
    size: int


@dataclass(frozen=True)
class FileBatch:
    """Some files of a folder."""

    files: list[TextFile]
    fields: Fields

    @property
    def size(self) -> int:
        """Number of bytes of the files."""
        return sum(file.size for file in self.files)

    def documents(self) -> Iterator[Document | Broken]:
        """Yield a document for each file."""
        for file in self.files:
            try:
                yield _document(file, self.fields)
            except Fault as fault:
                yield fault.at(file.path, None)


def text_files(folder: Path) -> list[tuple[Path, str]]:
    """Return the text files in a folder and below it, with their relative paths, in order."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.lower().endswith(ENDINGS) and not name.startswith("."):
                path = Path(place, name)
                found.append((path, path.relative_to(folder).as_posix()))
    if not found:
        raise InputError(
            f"has no {' or '.join(ENDINGS)} files, nor have its subfolders",
            path=folder,
            remedy="Give a folder of text files, or files of documents.",
        )
    return sorted(found, key=lambda pair: pair[1])


def read_folder(
    folder: Path,
    fields: Fields,
    known: Collection[str] = (),
    table: Iterable[Document] | None = None,
) -> Iterator[Batch]:
    """Yield the text files of a folder in batches.

    The label of a file is the path of its subfolders if `known` has it, else the last subfolder.

    Parameters
    ----------
    folder
        The folder.
    fields
        Whether to read labels, titles, addresses and dates.
    known
        The valid labels.
    table
        Details of the files: documents without text, whose ids are relative paths of files, with or
        without their ending. Its labels take precedence over folders.
    """
    found = text_files(folder)
    told, unknown = _rows_by_file(table, [name for _, name in found])
    yield from map(BrokenBatch, unknown)
    files: list[TextFile] = []
    size = 0
    for path, name in found:
        row = told.get(name)
        labels = row.labels if row is not None else ()
        if not labels and fields.labels is not None:
            labels = _folder_label(name, known)
        n_bytes = path.stat().st_size
        files.append(TextFile(str(path), name, labels, {} if row is None else row.details, n_bytes))
        size += n_bytes
        if size >= BLOCK:
            yield FileBatch(files, fields)
            files, size = [], 0
    if files:
        yield FileBatch(files, fields)


def table_fields(fields: Fields) -> Fields:
    """Return the fields of a table about files, which has no text."""
    if fields.id is None:
        raise InputError("the column of the files' names is not named", remedy="Name it: --id.")
    return replace(fields, text=(fields.id,), labelled=False)  # folders have labels too


def _rows_by_file(
    table: Iterable[Document] | None, names: list[str]
) -> tuple[dict[str, Document], list[Broken]]:
    """Return the rows of a table by file, and the rows without a file."""
    ends = {name: name for name in names}
    without: dict[str, list[str]] = {}
    for whole in names:
        without.setdefault(whole.rpartition(".")[0], []).append(whole)
    ends |= {short: found[0] for short, found in without.items() if len(found) == 1}
    told: dict[str, Document] = {}
    unknown = []
    for row in table or ():
        name = ends.get(row.id.replace(os.sep, "/").removeprefix("./"))
        if name is None or name in told:
            what = "there is no such file" if name is None else "an earlier row is about it too"
            remedy = "Name files from the folder on: sport/golf/a.txt. Or take the row out."
            unknown.append(
                Broken("a row about no file", f"{row.id!r}: {what}", row.path, row.line, remedy)
            )
        else:
            told[name] = row
    return told, unknown


def _folder_label(name: str, known: Collection[str]) -> tuple[str, ...]:
    folder, _, _ = name.rpartition("/")
    if not folder:
        return ()
    return (folder if folder in known else folder.rpartition("/")[2],)


def _document(file: TextFile, fields: Fields) -> Document:
    if file.size > LARGEST:
        raise Fault("too large", f"{file.size:,} bytes", "Cut it into documents.")
    try:
        text = Path(file.path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        detail = f"byte 0x{error.object[error.start]:02x}, at {error.start:,}"
        raise Fault("not UTF-8", detail, "Convert the file to UTF-8.") from None
    except OSError as error:
        raise Fault("cannot be read", str(error.strerror)) from None
    found: dict[str, Any] = {}
    if file.path.lower().endswith(".md"):
        text, found = _markdown(text)
    found = {"title": Path(file.name).stem} | found
    wanted = {name for name, field in fields.details}
    about = {n: v for n, v in (found | dict(file.details)).items() if n in wanted}
    record = {"id": file.name, "text": text, "labels": file.labels, **about}
    made = as_document(record, Fields(keep=tuple(about)), file.path, None)
    if isinstance(made, Broken):
        raise Fault(made.reason, made.detail, made.remedy)
    return made


def _markdown(text: str) -> tuple[str, dict[str, str]]:
    """Return a text without front matter and link targets, and the details of its head."""
    text = text.replace("\r\n", "\n")
    about: dict[str, str] = {}
    if front := _FRONT.match(text):
        about = {name: value.strip("'\"") for name, value in _FRONT_LINE.findall(front[1])}
        text = text[front.end() :]
    text = _TARGET.sub("", text)
    if "title" not in about and (heading := _HEADING.search(text)):
        about["title"] = heading[1]
    return text, about
