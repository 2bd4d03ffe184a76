"""The tree of topics, or the neighbourhood of a topic, with its comparison set in frames.

A page has space for about fifty rows, but a taxonomy has hundreds of topics. Siblings that do not
fit are drawn as one row, *… 12 more*, and a topic whose children are not shown has the number of
topics below it after its title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from frex.plots.style import (
    BLUE,
    GREY,
    INK,
    PALE,
    PLAIN,
    VERMILLION,
    calm,
    head,
    new_figure,
    settle,
    shorten,
)
from frex.plots.topic import described

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from frex.tree import TopicTree

Role: TypeAlias = Literal["topic", "compared", "other", "elided"]

# in points: a row's height, the way between two levels, the letters, the least width, for the title
_ROW, _GAP, _FONT, _LEAST = 15.0, 30.0, 8.0, 300.0


class _Entry(NamedTuple):
    """An entry of the drawing: a node, or the omitted children of a node."""

    node: int  #: -1 for those left out
    parent: int  #: the row, in order of drawing, of the entry it hangs from; -1 for the root
    label: str
    role: Role


def tree_plot_data(
    tree: TopicTree,
    topic: str | int | None = None,
    *,
    compare: str | int | Sequence[str] = "siblings",
    rows: int = 56,
) -> pd.DataFrame:
    """Return the entries of the drawing, parents before children.

    Columns: `name` of the topic (empty for omitted topics), `label`, `role` (``"topic"``,
    ``"compared"``, ``"other"``, or ``"elided"`` for omitted topics), `parent` (its row in this
    table; -1 for the root), `level`, and `y`, the position from the top in rows.

    Parameters
    ----------
    tree
        The topics.
    topic
        The topic whose neighbourhood is drawn, by name, title or node: the path to it, its
        comparison set and its children. By default the whole tree.
    compare
        Its comparison set, as in `TopicTree.comparison_set`.
    rows
        Most rows. The path to the topic is always shown.

    Returns
    -------
    pandas.DataFrame
        The columns named above.

    Examples
    --------
    >>> from frex import read_tree
    >>> from frex.plots import tree_plot_data
    >>> tree_plot_data(read_tree('tree.csv'))['label'].tolist()
    ['ROOT', 'Trade', 'Metals', 'Grain', 'Sport']
    """
    node = tree.find(topic) if isinstance(topic, str) else topic
    compared = set() if node is None else set(tree.comparison_set(node, compare))
    entries = _fit(tree, node, compared, rows)
    parents = np.array([entry.parent for entry in entries])
    levels = np.zeros(len(entries), int)
    for row in range(1, len(entries)):
        levels[row] = levels[parents[row]] + 1
    return pd.DataFrame({
        "name": [tree.names[entry.node] if entry.node >= 0 else "" for entry in entries],
        "label": [entry.label for entry in entries],
        "role": [entry.role for entry in entries],
        "parent": parents,
        "level": levels,
        "y": _heights(parents),
    })  # fmt: skip


def tree_plot(
    tree: TopicTree,
    topic: str | int | None = None,
    *,
    compare: str | int | Sequence[str] = "siblings",
    rows: int = 56,
    left_out: int = 0,
    ax: Axes | None = None,
) -> Axes:
    """Draw the tree, or a topic's neighbourhood with its comparison set in frames.

    Parameters
    ----------
    tree, topic, compare, rows
        As in `tree_plot_data`.
    left_out
        Number of topics without documents that are not in the tree, for the heading.
    ax
        The Axes, with smaller letters if necessary; by default a new figure of sufficient size.

    Returns
    -------
    matplotlib.axes.Axes
        Where it was drawn.

    Examples
    --------
    >>> from frex import read_tree
    >>> from frex.plots import tree_plot
    >>> ax = tree_plot(read_tree('tree.csv'), 'metal')
    """
    data = tree_plot_data(tree, topic, compare=compare, rows=rows)
    with calm():
        widths = _widths(data)
        left = _columns(data["level"].to_numpy(), widths)
        width, height = max((left + widths).max(), _LEAST), _ROW * (data["y"].max() + 1)
        if ax is None:
            ax = new_figure(width / 72 + 0.4, height / 72 + 0.7).add_subplot()
        ax.set_xlim(-4, width + 4)
        ax.set_ylim(data["y"].max() + 0.6, -0.6)
        ax.set_axis_off()
        _head(ax, tree, topic, compare, left_out)
        _draw_branches(ax, data, left, widths)
        _draw_labels(ax, data, left, _scale(ax, width, 0.75 * height))
    return ax


class _Choice(NamedTuple):
    """Which nodes have a part in the drawing."""

    topic: int | None
    compared: set[int]
    opened: set[int]  #: may show children
    must: set[int]  #: are shown, whatever is left out


def _fit(tree: TopicTree, topic: int | None, compared: set[int], rows: int) -> list[_Entry]:
    """Choose the number of children that each topic may show besides the required ones."""
    above = {a for node in compared for a in tree.ancestors(node)}
    if topic is None:
        path, wide, opened = {0}, {0, *tree.children(0)}, set(range(tree.n_nodes))
    else:
        path = {0, topic, *tree.ancestors(topic)}
        wide, opened = path | compared | above, path | above
    most = max(len(tree.children(node)) for node in opened)
    for must in (wide, path):
        for few in range(min(most, rows), -1, -1):
            entries = _entries(tree, _Choice(topic, compared, opened, must), few)
            if _n_rows(entries) <= rows:
                return entries
    return entries


def _entries(tree: TopicTree, choice: _Choice, few: int) -> list[_Entry]:
    """Return the entries if every opened topic shows `few` of its optional children."""
    topic, compared, opened, must = choice
    entries: list[_Entry] = []
    stack = [(0, -1, 0)]
    while stack:
        node, parent, left_out = stack.pop()
        if left_out:
            entries.append(_Entry(-1, parent, f"… {left_out} more", "elided"))
            continue
        children = tree.children(node)
        free = [child for child in children if child not in must]
        hidden = set(free[few:]) if len(free) > few + 1 else set()
        shown = [child for child in children if child not in hidden] if node in opened else []
        row = len(entries)
        role: Role = "topic" if node == topic else "compared" if node in compared else "other"
        behind = "" if shown or not children else f"  +{_n_below(tree, node)}"
        entries.append(_Entry(node, parent, shorten(tree.titles[node]) + behind, role))
        if shown and hidden:
            stack.append((-1, row, len(hidden)))
        stack.extend((child, row, 0) for child in reversed(shown))
    return entries


def _n_below(tree: TopicTree, node: int) -> int:
    """Count the topics below a node, which are contiguous."""
    outside = np.flatnonzero(tree.levels[node + 1 :] <= tree.levels[node])
    return int(outside[0]) if len(outside) else tree.n_nodes - node - 1


def _n_rows(entries: Sequence[_Entry]) -> int:
    return len(entries) - len({entry.parent for entry in entries if entry.parent >= 0})


def _heights(parents: NDArray[np.int_]) -> NDArray[np.float64]:
    """Assign a row to each leaf, and place parents in the middle of their children."""
    y = np.full(len(parents), np.nan)
    inner = set(parents.tolist())
    leaves = [row for row in range(len(parents)) if row not in inner]
    y[leaves] = np.arange(len(leaves))
    for row in reversed(range(len(parents))):  # children come after their parents
        if row in inner:
            own = y[parents == row]
            y[row] = (own.min() + own.max()) / 2
    return y


def _font(role: Role, scale: float = 1.0) -> dict[str, Any]:
    colors = {"topic": INK, "compared": INK, "other": "#505050", "elided": GREY}
    return {
        "fontsize": _FONT * scale, "color": colors[role], **PLAIN,
        "fontweight": "bold" if role == "topic" else "normal",
        "fontstyle": "italic" if role == "elided" else "normal",
    }  # fmt: skip


def _frame(role: Role) -> dict[str, Any] | None:
    frames = {"topic": ("#FBE9DE", VERMILLION), "compared": ("white", BLUE)}
    if role not in frames:
        return None
    face, edge = frames[role]
    shape = "round,pad=0.25,rounding_size=0.5"
    return {"boxstyle": shape, "facecolor": face, "edgecolor": edge, "linewidth": 0.9}


def _widths(data: pd.DataFrame) -> NDArray[np.float64]:
    """Measure the labels, in points."""
    figure = new_figure(1, 1)
    rows = zip(data["label"], data["role"], strict=True)
    texts = [figure.text(0, 0, label, **_font(role)) for label, role in rows]
    return np.array([text.get_window_extent().width for text in texts]) * 72 / figure.dpi


def _columns(levels: NDArray[np.int_], widths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the left end of each label: right of the longest label one level up."""
    longest = [widths[levels == level].max() for level in range(levels.max() + 1)]
    starts = np.cumsum([0.0, *(width + _GAP for width in longest[:-1])])
    return np.asarray(starts[levels])


def _draw_branches(
    ax: Axes, data: pd.DataFrame, left: NDArray[np.float64], widths: NDArray[np.float64]
) -> None:
    look: dict[str, Any] = {"color": PALE, "linewidth": 0.8, "zorder": 1}
    y = data["y"].to_numpy()
    for parent in sorted(set(data["parent"]) - {-1}):
        children = np.flatnonzero(data["parent"] == parent)
        turn = left[children[0]] - _GAP / 2
        ax.hlines(y[parent], left[parent] + widths[parent] + 5, turn, **look)
        ax.vlines(turn, y[children].min(), y[children].max(), **look)
        ax.hlines(y[children], turn, left[children] - 5, **look)


def _draw_labels(ax: Axes, data: pd.DataFrame, left: NDArray[np.float64], scale: float) -> None:
    for x, y, label, role in zip(left, data["y"], data["label"], data["role"], strict=True):
        ax.text(x, y, label, va="center_baseline", bbox=_frame(role), **_font(role, scale))


def _scale(ax: Axes, width: float, height: float) -> float:
    """Return the scale of letters for Axes that are smaller than the tree."""
    unit = settle(ax)
    return min(1.0, ax.bbox.width * unit / width, ax.bbox.height * unit / height)


def _head(
    ax: Axes,
    tree: TopicTree,
    topic: str | int | None,
    compare: str | int | Sequence[str],
    left_out: int,
) -> None:
    levels = int(tree.levels.max())
    plural = "" if left_out == 1 else "s"
    missing = [f"not shown: {left_out:,} topic{plural} without documents"] if left_out else []
    if topic is None:
        deep = f"{levels} level{'' if levels == 1 else 's'}"
        head(ax, f"The tree: {tree.n_topics:,} topics on {deep}", "; ".join(missing))
        return
    node = tree.find(topic) if isinstance(topic, str) else topic
    compared = tree.comparison_set(node, compare)
    head(ax, f"{shorten(tree.titles[node])}: its place in the tree",
         "; ".join([f"framed: {described(tree, node, compared)}", *missing]))  # fmt: skip
