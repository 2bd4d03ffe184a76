"""Records of a part of a tree, of a tree with other parents, or of a saved tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.errors import InputError
from frex.tree.records import ROOT, TopicRecord

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from frex.tree.topics import TopicTree


def records_of(
    tree: TopicTree, nodes: Iterable[int], chosen: Mapping[int, int]
) -> list[TopicRecord]:
    """Return the records of some nodes, in order, with those of their parents that are included.

    Parameters
    ----------
    tree
        The tree.
    nodes
        Topics, including all topics above them.
    chosen
        The first parent of some topics; for the others it is the tree's.
    """
    kept = list(nodes)
    known = {0, *kept}
    records = []
    for node in kept:
        name, parents = tree.names[node], tree.all_parents(node)
        first = chosen.get(node, parents[0])
        if first not in parents:
            raise InputError(
                f"topic {name!r} has no parent {tree.names[first]!r}",
                remedy=f"Choose one of {', '.join(tree.names[parent] for parent in parents)}.",
            )
        others = [parent for parent in parents if parent != first and parent in known]
        title, aliases = tree.titles[node], tree.aliases[node]
        records += [
            TopicRecord(name, tree.names[parent], title, aliases=aliases)
            for parent in (first, *others)
        ]
    return records


def saved_records(saved: Mapping[str, Sequence[Any]]) -> list[TopicRecord]:
    """Return the records of a tree from `TopicTree.to_dict`.

    Parameters
    ----------
    saved
        The saved tree; in version 0.1 topics have one parent and no aliases.
    """
    names = [ROOT, *saved["topics"]]
    none: list[list[Any]] = [[]] * len(saved["topics"])
    rows = zip(
        saved["topics"],
        saved["parents"],
        saved["titles"],
        saved.get("other_parents", none),
        saved.get("aliases", none),
        strict=True,
    )
    return [
        TopicRecord(topic, names[above], title, aliases=tuple(aliases))
        for topic, parent, title, others, aliases in rows
        for above in (parent, *others)
    ]
