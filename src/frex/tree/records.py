"""`TopicRecord`: a reader's topics, validated before a tree is made from them.

A topic with several parents has a record for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from frex.errors import InputError
from frex.tree.graph import count_levels, find_cycle, parents_first
from frex.tree.limits import check_levels

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

ROOT = "ROOT"
"""The name of node 0, which represents the whole corpus and is not a label."""


class TopicRecord(NamedTuple):
    """A topic and one of its parents from a reader."""

    topic: str
    parent: str | None
    title: str | None = None
    line: int | None = None  # counted from 1, for errors
    aliases: tuple[str, ...] = ()  # other names in documents


def parent_name(record: TopicRecord) -> str:
    """Return the name of a topic's parent, which may be the root."""
    return record.parent if record.parent is not None else ROOT


def check_records(
    records: Sequence[TopicRecord], path: str | PathLike[str] | None
) -> dict[str, list[TopicRecord]]:
    """Return the records by topic.

    Invalid names, repeated rows, unknown parents, cycles and too many levels are errors.
    """
    if not records:
        raise InputError("the tree has no topics", path=path, remedy="Give at least one topic.")
    by_topic: dict[str, list[TopicRecord]] = {}
    for record in records:
        _check_name(record, path)
        by_topic.setdefault(record.topic, []).append(record)
    for same in by_topic.values():
        _check_repetition(same, path)
    for record in records:
        if parent_name(record) != ROOT and record.parent not in by_topic:
            raise InputError(
                f"topic {record.topic!r} has the parent {record.parent!r}, which is not a topic",
                path=path,
                line=record.line,
                remedy="Add the parent as a topic of its own; "
                f"a top-level topic has an empty parent or {ROOT}.",
            )
    _check_graph(by_topic, path)
    return by_topic


def _check_repetition(same: Sequence[TopicRecord], path: str | PathLike[str] | None) -> None:
    """Raise an error for a topic that is twice below the same parent."""
    first: dict[str, TopicRecord] = {}
    for record in same:
        earlier = first.setdefault(parent_name(record), record)
        if earlier is not record:
            seen = f" (first on line {earlier.line})" if earlier.line is not None else ""
            raise InputError(
                f"topic {record.topic!r} appears twice{seen}",
                path=path,
                line=record.line,
                remedy="Remove one of them, or give them different names.",
            )


def _check_graph(
    by_topic: Mapping[str, Sequence[TopicRecord]], path: str | PathLike[str] | None
) -> None:
    """Raise an error for cycles, by any parents, and for too many levels."""
    number = {topic: n for n, topic in enumerate(by_topic)}
    parents = [
        [number[record.parent] for record in same if record.parent not in (None, ROOT)]
        for same in by_topic.values()
    ]
    topics = list(by_topic)
    order = parents_first(parents)
    if len(order) == len(parents):
        levels = count_levels(parents, order)
        for member in order:
            check_levels(levels[member], path, by_topic[topics[member]][0].line)
        return
    cycle = [topics[member] for member in find_cycle(parents, order)]
    record = next(r for r in by_topic[cycle[0]] if parent_name(r) == cycle[1])
    raise InputError(
        f"topics are each other's ancestors: {' < '.join(cycle)}",
        path=path,
        line=record.line,
        remedy="Give one of them a parent outside the cycle, or none.",
    )


def several_parents_error(
    records: Sequence[TopicRecord], path: str | PathLike[str] | None = None
) -> InputError:
    """Return the error for a topic with several parents, if only one is allowed."""
    first, second, *_ = records
    seen = f" (first on line {first.line})" if first.line is not None else ""
    return InputError(
        f"topic {first.topic!r} has several parents, {parent_name(first)!r} and "
        f"{parent_name(second)!r}{seen}",
        path=path,
        line=second.line,
        remedy="Keep one, or have one chosen for the model's tree: --several-parents best or "
        "first, several_parents='best' or 'first'.",
    )


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
