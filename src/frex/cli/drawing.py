"""Trees drawn in a terminal, where names may be longer than there is room for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frex.cli.screen import brief, cell_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from frex.tree import TopicTree

_LEAST = 16  # columns of a name that stay, however deep it stands


def drawn(
    tree: TopicTree, nodes: Sequence[int], shown: Sequence[str], room: int | None
) -> list[str]:
    """Return a line for each topic: the branches that lead to it, and what is shown of it.

    Where lines are too long a topic is shown by its title alone, as ``river`` instead of
    ``n09411430  river``; and a name goes without its parent's name at the front, which stands above
    it in the tree, as in ``… :: Linux`` below ``Operating System :: POSIX``. What is still too long
    loses its end.

    Parameters
    ----------
    tree
        The topics.
    nodes
        Which of them.
    shown
        What is shown of each: its name, or that and its title.
    room
        Columns that a line may take; None where there is no end of them.
    """
    outline = tree.outline()
    stems = [outline[node - 1].removesuffix(tree.names[node]) for node in nodes]
    lines = [stem + brief(text) for stem, text in zip(stems, shown, strict=True)]
    if room is None or max(map(cell_width, lines), default=0) <= room:
        return lines
    texts = [brief(_shorter(tree, node, text)) for node, text in zip(nodes, shown, strict=True)]
    return [
        stem + _cut(text, max(_LEAST, room - cell_width(stem)))
        for stem, text in zip(stems, texts, strict=True)
    ]


def _shorter(tree: TopicTree, node: int, text: str) -> str:
    """Return the title, where it is shown; else a name without the parent's that it begins with."""
    if text != tree.names[node]:
        return tree.titles[node] if text.endswith(tree.titles[node]) else text
    parent = tree.names[int(tree.parents[node])]
    return f"…{text.removeprefix(parent)}" if text.startswith(parent) else text


def _cut(text: str, width: int) -> str:
    if cell_width(text) <= width:
        return text
    while cell_width(text) >= width:
        text = text[:-1]
    return f"{text.rstrip()}…"
