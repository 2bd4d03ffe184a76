"""Schemas of JSON values, written like the values: ``{"topics": [str], "titles?": [str]}``.

A form is one of

- `str`, `int`, `float`, `bool`, `None` or `dict`: a value of that type; an `int` is also valid for
  a `float`; texts must be valid UTF-8, integers must fit into 64 bits, other numbers must be
  finite;
- ``[form]``: a list of such values; ``{str: form}``: an object with any names;
- ``{"name": form, "other?": form}``: an object with these names, the second of which is optional;
  it may have further names;
- ``(form, form)``: one of several forms.
"""

from __future__ import annotations

import sys
from typing import Any

_NAMES = {
    str: "text",
    int: "a whole number of 64 bits",
    float: "a finite number",
    bool: "true or false",
    None: "null",
    dict: "an object",
}


def mismatch(value: Any, form: Any) -> str | None:
    """Return why a JSON value does not have a form, as a phrase; None if it does."""
    if isinstance(form, tuple):
        complaints = [mismatch(value, choice) for choice in form]
        return None if None in complaints else complaints[-1]
    if isinstance(form, list):
        if type(value) is not list:
            return f"is {_shown(value)}, not a list"
        if form == [str] and set(map(type, value)) <= {str} and _encodes("".join(value)):
            return None  # fast path for a vocabulary
        return _first(((f"item {i}", item, form[0]) for i, item in enumerate(value)))
    if isinstance(form, dict):
        if type(value) is not dict:
            return f"is {_shown(value)}, not an object"
        if str in form:
            items = ((_shown(name), item, form[str]) for name, item in value.items())
            return _first([*((_shown(name), name, str) for name in value)]) or _first(items)
        missing = [name for name in form if not name.endswith("?") and name not in value]
        if missing:
            return f"has no {missing[0]!r}"
        known = {name.removesuffix("?"): inner for name, inner in form.items()}
        return _first((repr(n), value[n], inner) for n, inner in known.items() if n in value)
    return None if _is(value, form) else f"is {_shown(value)}, not {_NAMES[form]}"


def _first(items: Any) -> str | None:
    """Return the first mismatch among values, each with its name and form."""
    for name, value, form in items:
        complaint = mismatch(value, form)
        if complaint:
            return f"{name} {complaint}"
    return None


def _is(value: Any, kind: Any) -> bool:
    if kind is None:
        return value is None
    if kind is str:
        return type(value) is str and (value.isascii() or _encodes(value))
    if kind is int:
        return type(value) is int and -(2**63) <= value < 2**63
    if kind is float:
        return type(value) in (int, float) and abs(value) <= sys.float_info.max
    return type(value) is kind


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _shown(value: Any) -> str:
    text = ascii(value) if value is None or isinstance(value, bool | int | float | str) else ""
    return text if 0 < len(text) <= 40 else f"of type {type(value).__name__}"
