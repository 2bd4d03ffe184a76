"""`TopicRecord`: topics as a reader found them, checked before a tree is made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

ROOT = "ROOT"
"""The name of node 0, the corpus as a whole; no document is labelled with it."""


class TopicRecord(NamedTuple):
    """One topic as a reader found it; the line is kept for the error that may follow."""

    topic: str
    parent: str | None
    title: str | None = None
    line: int | None = None  # counted from 1


def parent_name(record: TopicRecord) -> str:
    """Return the name of a topic's parent, which may be the root."""
    return record.parent if record.parent is not None else ROOT


def check_records(
    records: Sequence[TopicRecord], path: str | PathLike[str] | None
) -> dict[str, TopicRecord]:
    """Refuse bad names, repeated topics and unknown parents; return the records by name."""
    if not records:
        raise InputError("the tree has no topics", path=path, remedy="Give at least one topic.")
    by_name: dict[str, TopicRecord] = {}
    for record in records:
        _check_name(record, path)
        first = by_name.setdefault(record.topic, record)
        if first is record:
            continue
        seen = f" (first on line {first.line})" if first.line is not None else ""
        if parent_name(first) != parent_name(record):
            raise InputError(
                f"topic {record.topic!r} has two parents, {parent_name(first)!r} and "
                f"{parent_name(record)!r}{seen}",
                path=path,
                line=record.line,
                remedy="Keep one: the model needs a tree.",
            )
        raise InputError(
            f"topic {record.topic!r} appears twice{seen}",
            path=path,
            line=record.line,
            remedy="Remove one of them, or give them different names.",
        )
    for record in records:
        if parent_name(record) != ROOT and record.parent not in by_name:
            raise InputError(
                f"topic {record.topic!r} has the parent {record.parent!r}, which is not a topic",
                path=path,
                line=record.line,
                remedy="Add the parent as a topic of its own; "
                f"a top-level topic has an empty parent or {ROOT}.",
            )
    return by_name


def _check_name(record: TopicRecord, path: str | PathLike[str] | None) -> None:
    name: object = record.topic  # an array or a data frame may hold anything
    reason = None
    if not isinstance(name, str):
        reason = "is not text"
    elif not name.strip():
        reason = "is empty"
    elif name == ROOT:
        reason = "is the name of the root"
    elif name != name.strip():
        reason = "has spaces around it"
    elif not all(_is_plain(text) for text in (name, record.title or "", record.parent or "")):
        reason = "has a line break, another control character or an unpaired surrogate in it"
    if reason:
        raise InputError(
            f"a topic's name {reason}: {name!r}", path=path, line=record.line, remedy="Rename it."
        )


def _is_plain(text: object) -> bool:
    """Whether a name can be printed on one line and written as UTF-8."""
    return isinstance(text, str) and not any(
        ord(c) < 32 or 0x7F <= ord(c) < 0xA0 or 0xD800 <= ord(c) < 0xE000 or c in "\u2028\u2029"
        for c in text
    )


def raise_cycle(
    by_name: Mapping[str, TopicRecord], reached: set[str], path: str | PathLike[str] | None
) -> None:
    """Name one cycle among the topics that the walk from the root did not reach."""
    name = next(n for n in by_name if n not in reached)
    seen: list[str] = []
    while name not in seen:
        seen.append(name)
        name = parent_name(by_name[name])
    cycle = [*seen[seen.index(name) :], name]
    raise InputError(
        f"topics are each other's ancestors: {' < '.join(cycle)}",
        path=path,
        line=by_name[name].line,
        remedy="Give one of them a parent outside the cycle, or none.",
    )
