"""Topics that documents do not tell apart: those that are never filed but together.

Where every document of a topic has some other topic too, and the other way round, words say what
the two are about and never which of them: their rates come from the tree's prior, and which has
what share of a document is as likely one way as the other. More documents of the same kind do not
help; one that has only one of them does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

FEWEST = 3
"""Documents that topics must have in common: with one or two it may be by chance."""


def never_apart(labels: csr_array) -> list[list[int]]:
    """Return groups of topics that have the very same documents, the largest first.

    Parameters
    ----------
    labels
        Documents x topics; what is stored is a label.

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
