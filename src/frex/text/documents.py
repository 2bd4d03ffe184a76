"""`Document`, and the validation of a record of any file format."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from frex.corpus.documents import DATE, DATE_REMEDY, as_detail
from frex.corpus.labels import is_code
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

STANDARD_INPUT = "-"

TEXT_FIELDS = ("text",)
"""The field of the text, where no other is named."""

_NOTHING: Mapping[str, str] = {}
_NATURAL = {name: name for name in ("id", "labels", "title", "url", "date")}


class Document(NamedTuple):
    """A text with its labels and its place in the input."""

    id: str
    text: str
    labels: tuple[str, ...] = ()
    path: str | None = None
    line: int | None = None  # counted from 1; a table's record has the first of its lines
    details: Mapping[str, str] = _NOTHING  # title, url, date and further fields


class Broken(NamedTuple):
    """A place in a file that is no document, and why; plain data, so that processes can send it."""

    reason: str  # one of few phrases, which are counted
    detail: str
    path: str | None
    line: int | None
    remedy: str | None = None

    def error(self) -> InputError:
        """Return the error that stops a run at this place."""
        message = f"{self.reason}: {self.detail}" if self.detail else self.reason
        return InputError(message, path=self.path, line=self.line, remedy=self.remedy)


@dataclass(frozen=True)
class Fields:
    """Names of the fields, or columns, of a document.

    Parameters
    ----------
    id
        The document's id, text or an integer. If it is missing or empty, the id is the document's
        place, ``FILE:LINE``. None: use the place for all documents.
    text
        One or more fields of text, joined by a blank line.
    labels
        The topics of a document: a list of names, or one name. None: read none.
    separator
        Separator of labels in a column of text (CSV, TSV, Parquet).
    title, url, date
        The document's title, address and date: ISO 8601, or a year. Documents may lack them. None:
        read none.
    keep
        Further fields to store and show with a document.
    labelled
        Whether every document has labels; then a table without their column is an error.

    Examples
    --------
    >>> from frex.text import Fields
    >>> Fields(id='guid', text=('title', 'body'), keep=('author',)).names()
    ('guid', 'title', 'body', 'labels', 'url', 'date', 'author')
    """

    id: str | None = "id"
    text: tuple[str, ...] = TEXT_FIELDS
    labels: str | None = "labels"
    separator: str = "|"
    title: str | None = "title"
    url: str | None = "url"
    date: str | None = "date"
    keep: tuple[str, ...] = ()
    labelled: bool = False

    def __post_init__(self) -> None:
        text: object = self.text
        if isinstance(text, str):  # a common mistake, because text is a sequence too
            object.__setattr__(self, "text", (text,))
        if not self.text:
            raise InputError("no text field is named", remedy="Name at least one.")
        if not self.separator:
            raise InputError("the separator of labels is empty", remedy="Give a character.")

    def names(self) -> tuple[str, ...]:
        """Return the names of all fields that are read."""
        names = (self.id, *self.text, self.labels, *(field for _, field in self.details))
        return tuple(dict.fromkeys(name for name in names if name is not None))

    @cached_property
    def details(self) -> tuple[tuple[str, str], ...]:
        """The stored details of a document: pairs of detail and field."""
        known = (("title", self.title), ("url", self.url), ("date", self.date))
        return (
            *((name, field) for name, field in known if field),
            *((field, field) for field in self.keep),
        )

    @property
    def asked(self) -> list[str]:
        """The explicitly named fields, which a table must have."""
        chosen = [("id", self.id), ("labels", self.labels), *self.details]
        named = [f for name, f in chosen if f is not None and _NATURAL.get(name) != f]
        if self.labelled and self.labels is not None:
            named.append(self.labels)
        return [*self.text, *named]


def as_document(
    record: Mapping[str, Any], fields: Fields, path: str | None, line: int | None
) -> Document | Broken:
    """Make a document from a record, after validation.

    Parameters
    ----------
    record
        Field names and values from JSON or a table.
    fields
        The fields to read.
    path, line
        Place of the record.
    """
    name = record.get(fields.id) if fields.id is not None else None
    try:
        return Document(
            f"{path}:{line}" if name is None or name == "" else _as_id(name),
            _as_text([_present(record, field) for field in fields.text], fields),
            _as_labels(record.get(fields.labels) if fields.labels is not None else None),
            path,
            line,
            _as_details({name: record.get(field) for name, field in fields.details}),
        )
    except Fault as fault:
        return fault.at(path, line)


def checked(document: Document) -> Document | Broken:
    """Validate a document that was not made by `as_document`."""
    try:
        return document._replace(
            id=_as_id(document.id),
            text=_as_text([document.text], Fields()),
            labels=_as_labels(document.labels),
            details=_as_details(document.details),
        )
    except Fault as fault:
        return fault.at(document.path, document.line)


class Fault(Exception):  # noqa: N818 - caught on the spot; users see an InputError
    """Why a record is not a document: the reason, a detail and a remedy."""

    def __init__(self, reason: str, detail: str, remedy: str | None = None) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
        self.remedy = remedy

    def at(self, path: str | None, line: int | None) -> Broken:
        """Return the fault with its place."""
        return Broken(self.reason, self.detail, path, line, self.remedy)


def _present(record: Mapping[str, Any], field: str) -> Any:
    try:
        return record[field]
    except KeyError:
        found = ", ".join(map(_shown, list(record)[:8])) or "none"
        raise Fault(
            "no text",
            f"there is no field {field!r}; the fields are {found}",
            "Add it, or name the fields that hold text.",
        ) from None


def _as_text(parts: list[Any], fields: Fields) -> str:
    for field, part in zip(fields.text, parts, strict=True):
        if part is not None and not isinstance(part, str):
            raise Fault("wrong type", f"{field!r} is {_shown(part)}, not text")
    given = [part for part in parts if part is not None]
    if not given:
        raise Fault(
            "no text",
            f"{fields.text[0]!r} is null",
            'Write "" where a document has no text, name the field that has it: --text, '
            "Fields(text=...); or pass over such lines: --on-error skip, on_error='skip'.",
        )
    return plain("\n\n".join(given), "the text")


def _as_id(value: Any) -> str:
    if is_code(value):
        return str(value)
    if not isinstance(value, str):
        raise Fault("wrong type", f"the id is {_shown(value)}, not text or a whole number")
    return plain(value, "the id")


def _as_labels(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    labels = (value,) if isinstance(value, str) or is_code(value) else value
    if not isinstance(labels, list | tuple):
        raise Fault("wrong type", f"the labels are {_shown(value)}", "Give a list of topic names.")
    return tuple(_as_label(label) for label in labels)


def _as_label(value: Any) -> str:
    if is_code(value):  # a topic's code
        return str(value)
    if not isinstance(value, str):
        raise Fault(
            "wrong type",
            f"a label is {_shown(value)}, not text or a whole number",
            "Give topics by name.",
        )
    return plain(value, "a label").strip()


def _as_details(given: Mapping[str, Any]) -> dict[str, str]:
    details = {}
    for name, value in given.items():
        if value is None or value == "":
            continue
        try:
            text = as_detail(name, value)
        except ValueError as error:
            is_date = name == DATE
            raise Fault(
                "wrong date" if is_date else "wrong type",
                str(error),
                f"{DATE_REMEDY} Or leave them out: --date '', date=None." if is_date else None,
            ) from None
        if text:
            details[name] = plain(text, f"the {name}")
    return details


def plain(text: str, what: str) -> str:
    """Raise a fault for text that cannot be written as UTF-8, or that contains NUL."""
    if "\0" in text:
        raise Fault("NUL character", f"in {what}", "Check that the file is UTF-8 text.")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            code = ord(text[error.start])
            if 0xDC80 <= code <= 0xDCFF:  # Python's escape of a byte that is not UTF-8
                raise Fault(
                    "not UTF-8",
                    f"byte 0x{code - 0xDC00:02x} in {what}",
                    "Convert the file to UTF-8.",
                ) from None
            raise Fault(
                "unpaired surrogate", f"\\u{code:04x} in {what}, which is no character"
            ) from None
    return text


def _shown(value: Any) -> str:
    if value is not None and not isinstance(value, str | int | float):
        return f"of type {type(value).__name__}"
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."
