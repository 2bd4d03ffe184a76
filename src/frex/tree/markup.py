"""A tree as HTML for notebooks, with foldable branches and escaped names."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from frex.tree.topics import TopicTree

MOST = 3_000
"""Most topics in the HTML, because a notebook stores the output of every cell."""

_OPEN = 40
"""Most topics of a tree that is unfolded at first."""


def as_html(tree: TopicTree) -> str:
    """Return nested lists, in which inner topics can be folded."""
    state = " open" if tree.n_topics <= _OPEN else ""
    shown = min(tree.n_topics, MOST)
    parts = [f"<details open><summary>{html.escape(repr(tree))}</summary>"]
    ends: list[str] = []  # closing tags of the open nodes, the root first
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
