"""The nodes that a topic corresponds to, by the shares of a mixture of their distributions.

A topic has one name if one node has the largest part of it, or if it is the branch of a node;
several names if several nodes share it; and none if nodes explain little of its divergence from the
background.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.evaluate.nodes import Nodes

    Array: TypeAlias = NDArray[np.float64]

MOST = 2 / 3
"""Least share of a node or branch in a topic that is named after it alone."""

PART = 1 / 6
"""Least share of a node that is one of several names."""

ALIKE = 3 / 4
"""Least overlap of a topic's mixture with that of a branch that it is named after."""

EXPLAINED = 1 / 3
"""Least share of a named topic's divergence that nodes explain."""


class Name(NamedTuple):
    """What a topic is called."""

    rows: NDArray[np.int64]  #: rows of its nodes, the largest share first
    shares: Array  #: share of each, among all nodes
    junk: bool  #: whether the nodes are only the nearest ones


def name_topics(
    nodes: Nodes, shares: Array, explained: Array, divergences: Array
) -> tuple[Name, ...]:
    """Return the names of topics.

    Parameters
    ----------
    nodes
        The nodes of the fit.
    shares
        Topics x (nodes with documents, then the background).
    explained
        The share of each topic's divergence that they explain.
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
    """Return the node with the largest part of a topic, or the smallest branch that it matches."""
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
    """Return the nodes that share a topic, or the smallest branch with the largest part of it."""
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
    """Return the shares of each branch's nodes in its distribution."""
    tokens = nodes.exposures * below[nodes.n_own :]
    return np.asarray(tokens / tokens.sum(axis=1, keepdims=True))
