"""A tree as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frex.tree.topics import TopicTree


def outline(tree: TopicTree) -> list[str]:
    """Return each topic's name with the branches that lead to it, one line a topic."""
    lines = []
    prefixes = {0: ""}  # prefix of the branches of each node's children
    for node in range(1, tree.n_nodes):
        parent = int(tree.parents[node])
        last = tree.children(parent)[-1] == node
        lines.append(f"{prefixes[parent]}{'└── ' if last else '├── '}{tree.names[node]}")
        prefixes[node] = prefixes[parent] + ("    " if last else "│   ")
    return lines


def draw(tree: TopicTree, notes: Mapping[str, str]) -> str:
    """Draw the tree, with its topics' titles, notes and other parents behind their names."""
    lines = [f"{tree.names[0]}  {tree.n_topics} topic{'s' if tree.n_topics != 1 else ''}"]
    for node, line in enumerate(outline(tree), start=1):
        name, title = tree.names[node], tree.titles[node]
        told = name.endswith(title)  # the name of a path ends in its title
        parts = (line, "" if told else title, notes.get(name), tree.also_under(node))
        lines.append("  ".join(part for part in parts if part))
    return "\n".join(lines)
