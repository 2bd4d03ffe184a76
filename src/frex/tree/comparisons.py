"""Comparison sets: the topics against which a topic's exclusivity is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from frex.tree.topics import TopicTree

Compare: TypeAlias = str | int | tuple[str, ...]
"""``"siblings"``, ``"all"``, the number of a level, or the names of topics."""


def compared_with(
    tree: TopicTree, node: int, compare: str | int | Iterable[str]
) -> tuple[int, ...]:
    """Return the nodes of a comparison set, which may or may not include the topic itself.

    Parameters
    ----------
    tree
        The topics.
    node
        A topic's number.
    compare
        As for `TopicTree.comparison_set`.
    """
    if node == 0:
        raise InputError("the root has no comparison set", remedy="Name a topic.")
    if isinstance(compare, int):
        return tree.at_level(compare)
    if not isinstance(compare, str):
        return tuple(sorted({tree.node(name) for name in compare}))
    if compare == "siblings":
        parent = int(tree.parents[node])
        group = tree.children(parent)
        return group if len(group) > 1 else (parent,)
    if compare == "all":
        return tree.topic_nodes
    raise InputError(
        f"there is no comparison set {compare!r}",
        remedy="Use 'siblings', 'all', a level's number, or a list of topics.",
    )


def comparison_name(compare: Compare) -> str:
    """Return the name of a comparison set in a fit: siblings, level-2, or golf,chess."""
    if isinstance(compare, str):
        return compare
    return f"level-{compare}" if isinstance(compare, int) else ",".join(compare)


def compare_fitted(compare: Compare, left_out: Collection[str]) -> Compare:
    """Return a comparison set among the topics that are fitted.

    Parameters
    ----------
    compare
        The requested set.
    left_out
        Names of the topics without documents.
    """
    if isinstance(compare, str | int):
        return compare
    fitted = tuple(name for name in compare if name not in left_out)
    if not fitted:
        raise InputError(
            f"none of the topics to compare with has documents: {', '.join(compare)}",
            remedy="Name topics that have, or 'siblings'.",
        )
    return fitted
