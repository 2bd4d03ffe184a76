"""Labels: conversion of names or matrices to columns of the tree, without redundant ancestors."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from frex.corpus.matrices import Matrix, as_indicators, is_matrix
from frex.errors import InputError
from frex.tree import TopicTree

if TYPE_CHECKING:
    from collections.abc import Sequence


class CheckedLabels(NamedTuple):
    """Labels as columns of a tree, and the number of dropped labels that are not in the tree."""

    labels: sparse.csr_array
    tree: TopicTree
    n_unknown: int


def as_labels(
    value: Any,
    n_documents: int,
    tree: TopicTree | None,
    *,
    topics: Sequence[str] | None = None,
    ids: Sequence[str] | None = None,
    unknown: str = "error",
) -> CheckedLabels:
    """Validate labels in any form and convert them to the tree's order.

    Parameters
    ----------
    value
        A matrix of zeros and ones, or for each document its topic names (one name, or several).
    n_documents
        Expected number of rows.
    tree
        The tree; None makes every topic a top-level one.
    topics
        Names of the matrix's columns; by default a data frame's own, else the tree's topics.
    ids
        Document ids, for messages.
    unknown
        ``"error"`` or ``"drop"``: what to do with a label that is not in the tree.
    """
    if is_matrix(value):
        ordered = tree.topics if topics is None and tree is not None else topics
        matrix = as_indicators(value, ordered, ids)
        labels, names = matrix.values, _column_names(matrix, topics, tree)
    else:
        labels, names = _from_names(value, ids)
    if labels.shape[0] != n_documents:
        raise InputError(
            f"{labels.shape[0]} documents have labels and {n_documents} have counts",
            remedy="Give one row of labels for each row of counts.",
        )
    if tree is None:
        tree = TopicTree(names, [None] * len(names))
    return _in_tree_order(labels, names, tree, ids, unknown)


def _column_names(
    matrix: Matrix, topics: Sequence[str] | None, tree: TopicTree | None
) -> tuple[str, ...]:
    n_columns = matrix.values.shape[1]
    names = topics if topics is not None else matrix.columns
    if names is None:
        names = tree.topics if tree else [f"t{k + 1}" for k in range(n_columns)]
    if len(names) != n_columns:
        raise InputError(
            f"the labels have {n_columns} columns, and {len(names)} topics are named",
            remedy="Give one column for each topic, in the order of the tree's topics, "
            "or name the columns.",
        )
    if len(set(names)) < len(names):
        repeated = next(name for name in names if list(names).count(name) > 1)
        raise InputError(
            f"two columns of the labels are named {repeated!r}", remedy="Remove one of them."
        )
    return tuple(names)


def _from_names(value: Any, ids: Sequence[str] | None) -> tuple[sparse.csr_array, tuple[str, ...]]:
    """Convert each document's topic names to columns, in the order of the sorted names."""
    rows = [_names_of(given, row, ids) for row, given in enumerate(value)]
    names = sorted({name for row in rows for name in row})
    column = {name: k for k, name in enumerate(names)}
    indices = np.fromiter((column[name] for row in rows for name in row), np.int32)
    indptr = np.cumsum([0, *map(len, rows)])
    data = np.ones(len(indices), dtype=np.int64)
    labels = sparse.csr_array((data, indices, indptr), shape=(len(rows), len(names)))
    labels.sum_duplicates()  # a label given twice is one label
    return labels.astype(np.bool_), tuple(names)


def is_code(value: Any) -> bool:
    """Whether a name is an integer, which some use for documents and topics."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def _names_of(given: Any, row: int, ids: Sequence[str] | None) -> list[str]:
    alone = isinstance(given, str) or is_code(given)
    names = [given] if alone else [] if given is None else given
    if hasattr(names, "__iter__"):
        names = [
            str(name).strip() if isinstance(name, str) or is_code(name) else name for name in names
        ]
        if all(isinstance(name, str) for name in names):
            return names
    who = ids[row] if ids is not None and row < len(ids) else f"number {row}"
    raise InputError(
        f"document {who!r}: the labels are {given!r}",
        remedy="Give a list of topic names for each document.",
    )


def _in_tree_order(
    labels: sparse.csr_array,
    names: Sequence[str],
    tree: TopicTree,
    ids: Sequence[str] | None,
    unknown: str,
) -> CheckedLabels:
    known = tree.known_labels
    target = np.array([known.columns.get(name, -1) for name in names], np.int64)
    coo = labels.tocoo()
    rows, columns = coo.coords
    lost = target[columns] < 0
    refused = [name in known.shared or unknown == "error" for name in names]
    if (bad := np.flatnonzero(lost & np.array(refused, bool)[columns])).size:
        name, row = names[columns[bad[0]]], int(rows[bad[0]])
        raise known.error(name, document=ids[row] if ids is not None else f"number {row}")
    rows, columns = rows[~lost], columns[~lost]
    ones = np.ones(len(rows), dtype=np.bool_)
    shape = (labels.shape[0], tree.n_topics)
    placed = sparse.coo_array((ones, (rows, target[columns])), shape=shape).tocsr()
    placed.sum_duplicates()  # a topic may have two names; this also sorts
    return CheckedLabels(placed, tree, int(lost.sum()))


def remove_redundant_ancestors(labels: sparse.csr_array, tree: TopicTree) -> sparse.csr_array:
    """Remove a document's label where it also has a more specific one below it.

    This is the paper's preprocessing: an editor's system may add the ancestors of every label,
    which would hide the documents that are about the ancestor in general. All parents of a topic
    count.

    Parameters
    ----------
    labels
        Documents x topics.
    tree
        The topics.

    Returns
    -------
    scipy.sparse.csr_array
        The labels that remain, as booleans.
    """
    if np.diff(labels.indptr).max(initial=0) < 2:  # a document's only label is above none
        alone = sparse.csr_array(labels.astype(np.bool_))
        alone.eliminate_zeros()
        return alone
    implied = (labels.astype(np.int32) @ ancestry_matrix(tree)).astype(np.bool_)
    kept = sparse.csr_array(labels.astype(np.bool_) > labels.astype(np.bool_).multiply(implied))
    kept.eliminate_zeros()
    kept.sort_indices()
    return kept


def with_ancestors(
    labels: sparse.csr_array[np.bool_], tree: TopicTree
) -> sparse.csr_array[np.bool_]:
    """Add to each label the topics above it, by any parent.

    Parameters
    ----------
    labels
        Documents x topics.
    tree
        The topics.

    Returns
    -------
    scipy.sparse.csr_array
        The labels and those above them, as booleans.
    """
    own = labels.astype(np.int32)
    closed = sparse.csr_array(own + own @ ancestry_matrix(tree))
    closed.sort_indices()
    return closed.astype(np.bool_)


def ancestry_matrix(tree: TopicTree) -> sparse.csr_array:
    """Return topics x topics: 1 if the column is above the row, by any parent."""
    starts, nodes = tree.ancestry
    ones = np.ones(len(nodes), dtype=np.int32)
    return sparse.csr_array((ones, nodes - 1, starts[1:]), shape=(tree.n_topics, tree.n_topics))
