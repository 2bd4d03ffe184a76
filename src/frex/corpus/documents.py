"""Details of documents: title, link, date, beginning of the text, and further fields.

Details are columns of text, with one value for each document in the order of the ids, empty if
unknown. Texts are shown literally; only an address that begins with http or https becomes a link.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.storage.rules import strings_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from frex.storage import FolderReader, FolderWriter
    from frex.storage.rules import Rule

TITLE, URL, DATE, SNIPPET = KNOWN = ("title", "url", "date", "snippet")
"""Columns with a meaning; all others are only shown."""

DATE_REMEDY = "Write dates as 2019-03-04, 2019-03 or 2019."

META = {"details?": [str]}
"""Form of the columns in a folder's manifest: their names."""

_BLOCK = 1 << 16  # documents written at a time
_YEAR_OR_MONTH = re.compile(r"(?!0000)\d{4}(-(0[1-9]|1[0-2]))?")
_LINK = re.compile(r"https?://[^\s<>\"'\x00-\x20\x7f]+", re.IGNORECASE)


@dataclass(frozen=True)
class Details:
    """Details of some documents.

    Attributes
    ----------
    columns
        By name, a text for each document, empty if unknown: `title`, `url`, `date`
        (ISO 8601: a year, a month, a day, or a day and a time), `snippet` (beginning of the text),
        and any others, in this order.

    Examples
    --------
    >>> from frex.corpus.documents import Details
    >>> details = Details({'title': ['Gold', ''], 'url': ['https://a.org/1', 'ftp://a.org/2']})
    >>> details.of(1)
    {'url': 'ftp://a.org/2'}
    >>> details.link(0), details.link(1)
    ('https://a.org/1', '')
    """

    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.columns)

    def of(self, row: int) -> dict[str, str]:
        """Return the details of a document, by number."""
        values = ((name, column[row]) for name, column in self.columns.items())
        return {name: value for name, value in values if value}

    def value(self, name: str, row: int) -> str:
        """Return one detail of a document, by number; an empty text if unknown."""
        return self.columns[name][row] if name in self.columns else ""

    def title(self, row: int) -> str:
        """Return the title of a document; an empty text if it has none."""
        return self.value(TITLE, row)

    def link(self, row: int) -> str:
        """Return a document's address if it can be a link; otherwise an empty text."""
        return link_of(self.value(URL, row))

    def days(self) -> NDArray[np.datetime64]:
        """Return the documents' days, NaT if unknown; a year is represented by its first day."""
        days = (_day(text) for text in self.columns.get(DATE, ()))
        return np.array(list(days), dtype="datetime64[D]")

    def take(self, rows: ArrayLike) -> Details:
        """Return the details of some documents, by number."""
        numbers = np.asarray(rows, dtype=np.int64).tolist()
        return Details({name: [c[i] for i in numbers] for name, c in self.columns.items()})

    def part(self, rows: slice) -> Details:
        """Return the details of a range of documents."""
        return Details({name: column[rows] for name, column in self.columns.items()})


def link_of(text: str) -> str:
    """Return an address that can be a link, of http or https; otherwise an empty text."""
    return text if _LINK.fullmatch(text) else ""


def joined(parts: Sequence[tuple[int, Details]]) -> Details:
    """Concatenate the details of several corpora.

    Parameters
    ----------
    parts
        For each corpus, the number of its documents and their details.
    """
    names = in_order(name for _, part in parts for name in part.columns)
    return Details(
        {
            name: [text for n, part in parts for text in part.columns.get(name) or [""] * n]
            for name in names
        }
    )


def from_rows(rows: Sequence[Mapping[str, str]], names: Iterable[str] | None = None) -> Details:
    """Return the details of documents from a row for each.

    Parameters
    ----------
    rows
        Details of each document.
    names
        The columns; by default all columns of the rows.
    """
    found = in_order(name for row in rows for name in row) if names is None else names
    return Details({name: [row.get(name, "") for row in rows] for name in found})


def in_order(names: Iterable[str]) -> list[str]:
    """Return distinct names of columns: those with a meaning first, others in their order."""
    met = list(dict.fromkeys(names))
    return [name for name in KNOWN if name in met] + [name for name in met if name not in KNOWN]


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return a name for a column that is not taken by another column of the table."""
    others = set(taken)
    while name in others:
        name = f"document_{name}"
    return name


def as_detail(name: str, value: Any) -> str:
    """Return a value as text; raise `ValueError` if it is not valid.

    Parameters
    ----------
    name
        The column.
    value
        Text, a number, a date, or a list of them; None and NaN are missing values.
    """
    if value is None or value == "" or (isinstance(value, float) and math.isnan(value)):
        return ""
    if name == DATE:
        return as_date(value)
    if isinstance(value, list | tuple):
        return ", ".join(filter(None, (as_detail(name, item) for item in value)))
    if isinstance(value, dt.date | np.datetime64):
        return as_date(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)  # a column of integers with missing values
    if not isinstance(value, str | int | float | np.generic):
        raise ValueError(f"the {name} is of type {type(value).__name__}, not text")  # noqa: TRY004 - caught with the others
    return " ".join(str(value).split())


def as_date(value: Any) -> str:
    """Return a date in ISO's extended format, in its given precision; raise `ValueError` else.

    Examples
    --------
    >>> from frex.corpus.documents import as_date
    >>> as_date(1987), as_date('1987-02'), as_date('19870226'), as_date('1987-02-26T15:01:01Z')
    ('1987', '1987-02', '1987-02-26', '1987-02-26T15:01:01+00:00')
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        value = f"{value:04d}"
    text = str(value).strip()
    if text in ("", "NaT"):
        return ""
    if _YEAR_OR_MONTH.fullmatch(text):
        return text
    try:
        when = dt.datetime.fromisoformat(text)
    except ValueError:
        shown = ascii(text) if len(text) <= 40 else f"{text[:37]!a}..."
        raise ValueError(f"{shown} is not a date") from None
    no_time = when.time() == dt.time() and when.tzinfo is None
    return when.date().isoformat() if no_time else when.isoformat()


def as_details(value: Any, ids: Sequence[str]) -> Details:
    """Validate details of documents, a data frame or lists by name.

    Parameters
    ----------
    value
        The columns, or None.
    ids
        The ids of the documents.
    """
    if value is None or isinstance(value, Details):
        value = {} if value is None else value.columns
    import narwhals as nw  # noqa: PLC0415 - workers that count words do not need it

    frame = nw.from_native(value, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):
        value = {str(name): frame[name].to_list() for name in frame.columns}
    columns: dict[str, list[str]] = {}
    for name in in_order(value):
        texts = list(value[name])
        if not isinstance(name, str) or not name or len(texts) != len(ids):
            raise InputError(
                f"details: {name!r} has {len(texts):,} values for {len(ids):,} documents",
                remedy="Give a name and one value for each document; None where there is none.",
            )
        columns[name] = [_checked(name, text, ids[row]) for row, text in enumerate(texts)]
    return Details({name: texts for name, texts in columns.items() if any(texts)})


def _checked(name: str, value: Any, document: str) -> str:
    try:
        text = as_detail(name, value)
        text.encode()
    except ValueError as error:  # UnicodeEncodeError is one
        raise InputError(
            f"document {document!r}: {error}", remedy=DATE_REMEDY if name == DATE else None
        ) from error
    return text


def snippet(text: str, n: int, title: str = "") -> str:
    """Return the beginning of a text, at most n characters, cut between words if possible.

    Parameters
    ----------
    text
        The document.
    n
        Most characters.
    title
        The title, which is left out if the text begins with it.
    """
    if n <= 0:
        return ""
    start = text[: 4 * (n + len(title)) + 100]  # white space may be long
    words = " ".join(start.split())
    words = words.removeprefix(title).lstrip() if title else words
    if len(words) <= n:
        return words
    cut = words[: n + 1].rfind(" ")
    return words[: cut if cut > n // 2 else n]


def write_details(folder: FolderWriter, details: Details) -> None:
    """Write the details of documents into the folder of a corpus or a fit."""
    writer = DetailsWriter(folder, list(details.columns))
    n = max(map(len, details.columns.values()), default=0)
    for start in range(0, n, _BLOCK):
        writer.append(details.part(slice(start, start + _BLOCK)))
    writer.close()


class DetailsWriter:
    """Write details of documents in batches.

    Parameters
    ----------
    folder
        The folder to write.
    names
        The columns. A column has a user's name, so its file has a number instead.
    """

    def __init__(self, folder: FolderWriter, names: Sequence[str]) -> None:
        self._columns = {
            name: folder.strings_appender(f"details_{number}") for number, name in enumerate(names)
        }
        if names:
            folder.meta["details"] = list(names)

    def append(self, details: Details) -> None:
        """Add documents."""
        for name, column in self._columns.items():
            column.append(details.columns[name])

    def close(self) -> None:
        """Write the final lengths and close the files."""
        for column in self._columns.values():
            column.close()


def details_rules(folder: FolderReader, n_documents: int) -> dict[str, Rule]:
    """Return the rules for the arrays of details."""
    names = folder.meta.get("details", [])
    if len(set(names)) < len(names) or not all(names):
        raise folder.damaged("manifest.json", "names an empty column of details, or one twice")
    rules: dict[str, Rule] = {}
    for number in range(len(names)):
        file = f"details_{number}"
        rules |= strings_rules(file, n_documents, *folder.shape(file))
    return rules


def read_details(folder: FolderReader) -> Details:
    """Return the details in the folder of a corpus or a fit; the texts stay on disk."""
    names = folder.meta.get("details", [])
    return Details({name: folder.strings(f"details_{n}") for n, name in enumerate(names)})


def _day(text: str) -> np.datetime64:
    try:
        return np.datetime64(as_date(text)[:10] or "NaT", "D")
    except ValueError:  # the folder was not made by `prepare`
        return np.datetime64("NaT", "D")
