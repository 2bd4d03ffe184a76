"""Parsing of requests: forms and JSON, read strictly. No error quotes a text."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

import numpy as np

from frex.serve.limits import MOST_CHARACTERS, MOST_DEPTH, MOST_DOCUMENTS, MOST_FIELDS, MOST_RESULTS

FORM, JSON = "application/x-www-form-urlencoded", "application/json"
DEFAULT_LIMIT = 10
_LARGEST = 2**31 - 1
_WHOLE = re.compile(r"[+-]?[0-9]{1,10}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_STRINGS = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_STEPS = np.zeros(256, np.int8)
_STEPS[[ord("["), ord("{")]] = 1
_STEPS[[ord("]"), ord("}")]] = -1


class RefusedError(Exception):
    """A request that cannot be answered.

    Parameters
    ----------
    detail
        Why, without quoting the document.
    status, title
        Status and title of HTTP.
    """

    def __init__(self, detail: str, status: int = 400, title: str = "Bad Request") -> None:
        super().__init__(detail)
        self.detail, self.status, self.title = detail, status, title


class Asked(NamedTuple):
    """What is asked for."""

    texts: list[str]
    names: list[str | None]  #: the documents', to be returned with the answers
    limit: int
    threshold: float
    language: str | None


def read_form(body: bytes) -> Asked:
    """Read a form with one document.

    Parameters
    ----------
    body
        As it was posted.
    """
    fields = _pairs(body.decode("utf-8", "replace"), "the form")
    if "text" not in fields:
        raise RefusedError("the form has no field text")
    return Asked([_text(fields["text"], "text")], [None], *_parameters(fields))


def read_batch(body: bytes, query: str) -> Asked:
    """Read JSON with several documents.

    Parameters
    ----------
    body
        As it was posted.
    query
        The query string of the address.
    """
    given = read_json(body)
    documents = given.get("documents") if isinstance(given, dict) else None
    if not isinstance(documents, list):
        raise RefusedError("the body is not an object with a list of documents")
    if len(documents) > MOST_DOCUMENTS:
        raise RefusedError(f"more than {MOST_DOCUMENTS} documents")
    texts, names = [], []
    for number, document in enumerate(documents):
        place = f"documents[{number}]"
        if not isinstance(document, dict) or not isinstance(document.get("text"), str):
            raise RefusedError(f"{place} is not an object with a text")
        texts.append(_text(document["text"], f"{place}.text"))
        name = document.get("document_id")
        if name is not None and not isinstance(name, str):
            raise RefusedError(f"{place}.document_id is no text")
        names.append(None if name is None else _sound(name))
        metadata = document.get("metadata", {})
        if not isinstance(metadata, dict) or not all(isinstance(v, str) for v in metadata.values()):
            raise RefusedError(f"{place}.metadata is not an object of texts")
    return Asked(texts, names, *_parameters(_pairs(query, "the address")))


def read_json(body: bytes) -> Any:
    """Read strict JSON: no NaN, no duplicate names, and limited depth.

    Parameters
    ----------
    body
        As it was posted.
    """
    bare = np.frombuffer(_STRINGS.sub(b"", body), np.uint8)
    if np.cumsum(_STEPS[bare], dtype=np.int32).max(initial=0) > MOST_DEPTH:
        raise RefusedError(f"the JSON has more than {MOST_DEPTH} levels")
    try:
        return json.loads(body.decode(), parse_constant=_no_number, object_pairs_hook=_object)
    except RefusedError:
        raise
    except (ValueError, RecursionError):  # its message would quote the text
        raise RefusedError("the body is no JSON in UTF-8") from None


def _no_number(_name: str) -> None:
    raise RefusedError("the JSON has a number that JSON does not know")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise RefusedError("the JSON has an object with a name twice")
    return made


def _pairs(text: str, where: str) -> dict[str, str]:
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise RefusedError(f"{where} has more than {MOST_FIELDS} fields") from None
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise RefusedError(f"{where} has a field twice")
    return fields


def _parameters(fields: dict[str, str]) -> tuple[int, float, str | None]:
    limit = fields.get("limit", str(DEFAULT_LIMIT))
    if not _WHOLE.fullmatch(limit) or not 0 <= int(limit) <= _LARGEST:
        raise RefusedError("limit is no whole number from 0")
    threshold = fields.get("threshold", "0")
    if not _NUMBER.fullmatch(threshold) or not 0.0 <= float(threshold) <= 1.0:
        raise RefusedError("threshold is no number from 0 to 1")
    return min(int(limit), MOST_RESULTS), float(threshold), fields.get("language") or None


def _text(text: str, place: str) -> str:
    if len(text) > MOST_CHARACTERS:
        raise RefusedError(
            f"{place} has more than {MOST_CHARACTERS:,} characters", 413, "Too large"
        )
    return _sound(text)


def _sound(text: str) -> str:
    """Return a text that UTF-8 can encode: JSON can contain unpaired surrogates."""
    return text.encode("utf-8", "replace").decode()
