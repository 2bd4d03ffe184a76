"""A tree as HTML for notebooks: branches fold; a name is text, whatever is in it."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frex.tree.topics import TopicTree

MOST = 3_000
"""Topics that are written; a notebook keeps every cell's output in its file."""

_OPEN = 40
"""A tree of at most so many topics is unfolded at first."""


def as_html(tree: TopicTree) -> str:
    """Return a list of lists, in which a topic that has others below it can be folded."""
    state = " open" if tree.n_topics <= _OPEN else ""
    shown = min(tree.n_topics, MOST)
    parts = [f"<details open><summary>{html.escape(repr(tree))}</summary>"]
    ends: list[str] = []  # what closes the open nodes, the root first
    for node in range(1, shown + 1):
        level = int(tree.levels[node])
        parts += reversed(ends[level - 1 :])
        del ends[level - 1 :]
        first = tree.children(int(tree.parents[node]))[0] == node
        if first:
            parts.append('<ul style="margin:0">')
        last = "</ul>" if tree.children(int(tree.parents[node]))[-1] == node else ""
        if tree.children(node):
            parts.append(f"<li><details{state}><summary>{_label(tree, node)}</summary>")
            ends.append(f"</details></li>{last}")
        else:
            parts.append(f"<li>{_label(tree, node)}")
            ends.append(f"</li>{last}")
    parts += reversed(ends)
    if shown < tree.n_topics:
        parts.append(f"<p>… and {tree.n_topics - shown:,} more topics</p>")
    return "".join([*parts, "</details>"])


def _label(tree: TopicTree, node: int) -> str:
    name, title = tree.names[node], tree.titles[node]
    parts = [html.escape(title)]
    if title != name:
        parts.append(f'<code style="opacity:.6">{html.escape(name)}</code>')
    if also := tree.also_under(node):
        parts.append(f'<i style="opacity:.6">{html.escape(also)}</i>')
    return " ".join(parts)
