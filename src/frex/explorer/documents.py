"""What the page says of documents: how many a topic has, the typical ones, who shares them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from frex.corpus.membership import count_below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.posterior import Posterior

NEIGHBOURS = 12
"""Topics that are shown as sharing documents with one."""


def count_documents(posterior: Posterior) -> dict[str, list[Any]]:
    """Count documents by node of the taxonomy, the root first.

    Returns
    -------
    By the page's names: `documents` that have the label; those that have it or one `below`;
    and the mean `membership` of the documents that have it, None where none has.
    """
    labels, memberships = posterior.labels, posterior.membership_matrix()
    documents = np.bincount(labels.indices, minlength=labels.shape[1])
    sums: NDArray[np.float64] = np.asarray(memberships.sum(axis=0)).ravel()
    below = count_below(labels, posterior.tree)
    n_nodes = posterior.taxonomy.n_nodes
    counted: dict[str, list[Any]] = {
        "documents": [0] * n_nodes,
        "below": [labels.shape[0]] + [0] * (n_nodes - 1),
        "membership": [None] * n_nodes,
    }
    for topic, node in enumerate((posterior.columns + 1).tolist()):
        n = int(documents[topic])
        counted["documents"][node] = n
        counted["below"][node] = int(below[topic])
        counted["membership"][node] = round(float(sums[topic] / n), 3) if n else None
    return counted


def make_neighbours(posterior: Posterior) -> list[list[list[float]]]:
    """Return for each topic those that share most documents with it.

    A row is the other's node in the taxonomy, the number of documents that have both labels, and in
    those the mean memberships in the topic and in the other.
    """
    labels, nodes = posterior.labels.astype(np.int32), (posterior.columns + 1).tolist()
    shared = csr_array(labels.T @ labels)
    here = csr_array(posterior.membership_matrix().T @ labels)
    there = csr_array(here.T)  # here[k, j]: sum of memberships in k, where j is a label too
    for matrix in (shared, here, there):  # one pattern, so that their entries stand side by side
        matrix.sort_indices()
    found = []
    for topic in range(labels.shape[1]):
        first, last = shared.indptr[topic : topic + 2]
        entries = first + np.argsort(-shared.data[first:last], kind="stable")
        others = [entry for entry in entries if shared.indices[entry] != topic]
        found.append(
            [
                [
                    nodes[shared.indices[entry]],
                    int(shared.data[entry]),
                    round(float(here.data[entry] / shared.data[entry]), 3),
                    round(float(there.data[entry] / shared.data[entry]), 3),
                ]
                for entry in others[:NEIGHBOURS]
            ]
        )
    return found


def typical_rows(posterior: Posterior, topic: int) -> list[list[Any]]:
    """Return a topic's most typical documents: name, score, and the words that speak for it."""
    typical = posterior.typical
    if typical is None:
        return []
    rows = range(int(typical.starts[topic]), int(typical.starts[topic + 1]))
    return [
        [
            posterior.ids[int(typical.documents[row])],
            round(float(typical.scores[row]), 3),
            [int(word) for word in typical.words[row] if word >= 0],
        ]
        for row in rows
    ]
