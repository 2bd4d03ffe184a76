"""Nodes in parents-first order: from a reader's records to a tree's arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from frex.tree.records import ROOT, check_records, parent_name, several_parents_error

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike

    from frex.errors import InputError
    from frex.tree.records import TopicRecord


class Ordered(NamedTuple):
    """The attributes of `TopicTree` for each node, the root first."""

    names: tuple[str, ...]
    titles: tuple[str, ...]
    parents: tuple[int, ...]
    other_parents: tuple[tuple[int, ...], ...]
    aliases: tuple[tuple[str, ...], ...]
    second_parent: InputError | None  #: the error if several parents are not allowed


def in_order(records: Sequence[TopicRecord], path: str | PathLike[str] | None) -> Ordered:
    """Check records and number their topics depth first, siblings in the given order.

    Parameters
    ----------
    records
        Pairs of a topic and one of its parents.
    path
        The file, for errors.
    """
    by_topic = check_records(records, path)
    children: dict[str, list[str]] = {}
    for topic, same in by_topic.items():
        children.setdefault(parent_name(same[0]), []).append(topic)
    nodes = {ROOT: 0}
    stack = [*reversed(children.get(ROOT, []))]
    while stack:
        topic = stack.pop()
        nodes[topic] = len(nodes)
        stack.extend(reversed(children.get(topic, [])))
    given = [by_topic[topic] for topic in list(nodes)[1:]]
    above = [[nodes[parent_name(record)] for record in same] for same in given]
    several = (same for same in by_topic.values() if len(same) > 1)
    return Ordered(
        tuple(nodes),
        (ROOT, *(_first_title(same) for same in given)),
        (-1, *(first for first, *_ in above)),
        ((), *(tuple(sorted(others)) for _, *others in above)),
        ((), *(_all_aliases(same) for same in given)),
        next((several_parents_error(same, path) for same in several), None),
    )


def _first_title(same: Sequence[TopicRecord]) -> str:
    return next((record.title for record in same if record.title), same[0].topic)


def _all_aliases(same: Sequence[TopicRecord]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(alias for record in same for alias in record.aliases))
