"""The graph of all parents: cycles and ancestors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Ancestry(NamedTuple):
    """All ancestors of each node, concatenated."""

    starts: NDArray[np.int64]  #: node n has `nodes[starts[n]:starts[n + 1]]`
    nodes: NDArray[np.int32]  #: ascending for each node; the root is not among them


def parents_first(parents: Sequence[Sequence[int]]) -> list[int]:
    """Sort the members of a graph topologically, each after all its parents.

    Parameters
    ----------
    parents
        The parents of each.

    Returns
    -------
    The order, without the members of cycles and their descendants.
    """
    children: list[list[int]] = [[] for _ in parents]
    for child, above in enumerate(parents):
        for parent in above:
            children[parent].append(child)
    waiting = [len(above) for above in parents]
    order = [member for member, n in enumerate(waiting) if n == 0]
    for member in order:  # grows during the loop
        for child in children[member]:
            waiting[child] -= 1
            if waiting[child] == 0:
                order.append(child)
    return order


def find_cycle(parents: Sequence[Sequence[int]], order: Sequence[int]) -> list[int]:
    """Return the members of one cycle, each followed by a parent, the first again at the end.

    Parameters
    ----------
    parents
        The parents of each.
    order
        What `parents_first` returns: it lacks at least one.
    """
    left = set(range(len(parents))).difference(order)
    member = min(left)
    seen: dict[int, None] = {}  # in the order of the walk
    while member not in seen:
        seen[member] = None
        member = next(parent for parent in parents[member] if parent in left)
    path = list(seen)
    return [*path[path.index(member) :], member]


def count_levels(parents: Sequence[Sequence[int]], order: Sequence[int]) -> list[int]:
    """Return the length of the longest path from each member to a root, including itself.

    Parameters
    ----------
    parents
        The parents of each.
    order
        What `parents_first` returns, of a graph without cycles.
    """
    levels = [1] * len(parents)
    for member in order:
        levels[member] += max((levels[parent] for parent in parents[member]), default=0)
    return levels


def find_ancestry(parents: Sequence[Sequence[int]]) -> Ancestry:
    """Return the ancestors of all nodes; the work is proportional to their number.

    Parameters
    ----------
    parents
        The parents of each node; node 0 is the root, which has none.
    """
    above: list[NDArray[np.int32]] = [np.empty(0, np.int32)] * len(parents)
    for node in parents_first(parents):
        known = [parent for parent in parents[node] if parent > 0]
        if len(known) == 1:
            higher = above[known[0]]
            above[node] = np.insert(higher, higher.searchsorted(known[0]), known[0])
        elif known:
            parts = [np.array(known, np.int32), *(above[parent] for parent in known)]
            above[node] = np.unique(np.concatenate(parts))
    starts = np.cumsum([0, *map(len, above)], dtype=np.int64)
    return Ancestry(starts, np.concatenate(above))
