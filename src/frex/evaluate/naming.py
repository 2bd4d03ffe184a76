"""Which nodes a topic is about, told by the shares in which it is a mixture of their words.

A topic has one name where one node has most of it, or where it is the branch of one; several names
where several nodes share it; and none where nodes explain little of what is its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.evaluate.nodes import Nodes

    Array: TypeAlias = NDArray[np.float64]

MOST = 2 / 3
"""The share that one node, or one branch, has of a topic that is named after it alone."""

PART = 1 / 6
"""The least share of a node that is one name among several."""

ALIKE = 3 / 4
"""How much of a branch's own mixture a topic has in common with it that is the branch."""

EXPLAINED = 1 / 3
"""The least that nodes explain of a topic that has a name."""


class Name(NamedTuple):
    """What a topic is called."""

    rows: NDArray[np.int64]  #: of what it is about, the largest share first
    shares: Array  #: of each, of all that nodes have of the topic
    junk: bool  #: whether the nodes are only the nearest, and no name


def name_topics(
    nodes: Nodes, shares: Array, explained: Array, divergences: Array
) -> tuple[Name, ...]:
    """Return the names of topics.

    Parameters
    ----------
    nodes
        The nodes that have names to give.
    shares
        Topics x (nodes with documents, then the background).
    explained
        The share of each topic that they explain.
    divergences
        Topics x rows of `nodes`.
    """
    below = nodes.below()
    branches = _branch_mixtures(nodes, below)
    names = []
    for topic, own in enumerate(shares[:, :-1]):
        total = float(own.sum())
        if explained[topic] < EXPLAINED or total < 0.5:
            names.append(_nearest(divergences[topic], junk=True))
            continue
        names.append(
            _one(nodes, own / total, below, branches) or _several(nodes, own / total, below)
            or _nearest(divergences[topic], junk=True)
        )  # fmt: skip
    return tuple(names)


def _one(nodes: Nodes, own: Array, below: NDArray[np.bool_], branches: Array) -> Name | None:
    """Return the one node that has most of a topic, or the smallest branch that the topic is."""
    best = int(own.argmax())
    if own[best] >= MOST:
        return Name(np.array([best]), own[[best]], junk=False)
    held = below[nodes.n_own :] @ own
    common = np.minimum(own, branches).sum(axis=1)
    fits = np.flatnonzero((held >= MOST) & (common >= ALIKE))
    if not len(fits):
        return None
    row = int(fits[common[fits].argmax()])
    return Name(np.array([nodes.n_own + row]), held[[row]], junk=False)


def _several(nodes: Nodes, own: Array, below: NDArray[np.bool_]) -> Name | None:
    """Return the nodes that have a part each of a topic, or the smallest branch that has most."""
    parts = np.argsort(-own, kind="stable")[: int((own >= PART).sum())]
    if len(parts) and own[parts].sum() >= MOST / 2:
        return Name(parts, own[parts], junk=False)
    held = below[nodes.n_own :] @ own
    fits = np.flatnonzero(held >= MOST)
    if not len(fits):
        return None
    row = int(fits[below[nodes.n_own + fits].sum(axis=1).argmin()])
    return Name(np.array([nodes.n_own + row]), held[[row]], junk=False)


def _nearest(divergences: Array, *, junk: bool) -> Name:
    return Name(np.array([divergences.argmin()]), np.ones(1), junk)


def _branch_mixtures(nodes: Nodes, below: NDArray[np.bool_]) -> Array:
    """Return the shares in which each branch is a mixture of the nodes in it."""
    tokens = nodes.exposures * below[nodes.n_own :]
    return np.asarray(tokens / tokens.sum(axis=1, keepdims=True))
