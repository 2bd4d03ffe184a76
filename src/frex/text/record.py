"""The options of an analyzer in the form in which a folder stores them."""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from frex.errors import InputError
from frex.text.documents import TEXT_FIELDS
from frex.text.tokens import Analyzer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_OTHER, _FIELDS = "python", "fields"


def analyzer_record(analyzer: Analyzer, text_fields: Sequence[str] = TEXT_FIELDS) -> dict[str, Any]:
    """Return the options of an analyzer as JSON values; for a user's class, only its name.

    Parameters
    ----------
    analyzer
        Splits text into words.
    text_fields
        The fields of a document's text; the default is not stored.
    """
    read = {} if tuple(text_fields) == TEXT_FIELDS else {_FIELDS: list(text_fields)}
    if type(analyzer) is not Analyzer:
        return {_OTHER: f"{type(analyzer).__module__}.{type(analyzer).__qualname__}"} | read
    record = asdict(analyzer) | read
    if isinstance(record["stop_words"], tuple):
        record["stop_words"] = list(record["stop_words"])
    return record


def analyzer_from(record: Mapping[str, Any]) -> Analyzer:
    """Return the analyzer of a record from `analyzer_record`.

    Parameters
    ----------
    record
        Record of a corpus or of a fit.
    """
    if _OTHER in record:
        raise InputError(
            f"the words were made by {record[_OTHER]}, a Python class that no folder can hold",
            remedy="Count the documents with it, frex.Corpus.from_texts(texts, analyzer=...), and "
            "give the corpus instead of the texts.",
        )
    record = {name: value for name, value in record.items() if name != _FIELDS}
    unknown = record.keys() - {field.name for field in fields(Analyzer)}
    if unknown:
        raise InputError(
            f"the words were made with {', '.join(sorted(unknown))}, which this frex does not know",
            remedy="Use the version of frex that prepared the corpus, or a later one.",
        )
    stops = record.get("stop_words")
    return Analyzer(**{**record, "stop_words": tuple(stops) if isinstance(stops, list) else stops})


def text_fields_from(record: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return the fields of a document's text.

    Parameters
    ----------
    record
        Record of a corpus or of a fit, or None.
    """
    return tuple((record or {}).get(_FIELDS, TEXT_FIELDS))
