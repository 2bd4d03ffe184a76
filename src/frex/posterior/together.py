"""Topics that documents cannot distinguish, because they always occur together.

If every document of one topic also has a second topic, and vice versa, the words determine what the
two topics are about together, but not which word belongs to which: their rates depend on the tree's
prior, and their memberships are interchangeable. More such documents do not help; a document with
only one of the topics does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEWEST = 3
"""Least number of common documents; with one or two it may be chance."""


def never_apart(labels: csr_array) -> list[list[int]]:
    """Return groups of topics that have exactly the same documents, the largest first.

    Parameters
    ----------
    labels
        Documents x topics; every stored entry is a label.

    Examples
    --------
    >>> from frex.posterior.together import never_apart
    >>> from scipy.sparse import csr_array
    >>> never_apart(csr_array([[1, 1, 0, 1], [1, 1, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1]]))
    [[0, 1]]
    """
    by_topic = labels.tocsc()
    by_topic.sort_indices()
    groups: dict[bytes, list[int]] = {}
    for topic in range(by_topic.shape[1]):
        documents = by_topic.indices[by_topic.indptr[topic] : by_topic.indptr[topic + 1]]
        if len(documents) >= FEWEST:
            groups.setdefault(documents.tobytes(), []).append(topic)
    counts = np.diff(by_topic.indptr)
    found = [topics for topics in groups.values() if len(topics) > 1]
    return sorted(found, key=lambda topics: -counts[topics[0]])
