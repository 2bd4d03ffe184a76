"""Documents on the page: their number for each topic, the typical ones, and shared ones.

In a fit without labels every document is in every topic. There the page shows the topics' shares of
the text, and the correlations of their memberships.
"""

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

_TINY = np.finfo(np.float64).tiny


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


def is_unsupervised(posterior: Posterior) -> bool:
    """Return whether a fit inferred its topics from the words, without labels."""
    return posterior.settings.get("n_topics") is not None


def text_shares(posterior: Posterior) -> list[float]:
    """Return by node of the taxonomy the share of the text that is about it or what is below."""
    exposures = np.nan_to_num(posterior.exposures)
    below = posterior.tree.sum_up(exposures) / max(float(exposures.sum()), _TINY)
    shares = np.zeros(posterior.taxonomy.n_nodes)
    shares[0] = 1.0
    shares[posterior.columns + 1] = below
    return [float(f"{share:.3g}") for share in shares]


def with_all_below(posterior: Posterior, values: csr_array) -> csr_array:
    """Return documents x topics summed over each topic and all below it.

    Parameters
    ----------
    posterior
        The fit.
    values
        Documents x topics.
    """
    tree = posterior.tree
    pairs = [
        (node - 1, above - 1)
        for node in range(1, tree.n_nodes)
        for above in (node, *tree.ancestors(node))
        if above > 0
    ]
    rows, columns = np.array(pairs).T
    shape = (tree.n_topics, tree.n_topics)
    return csr_array(values @ csr_array((np.ones(len(rows)), (rows, columns)), shape=shape))


def make_relations(posterior: Posterior, found: NDArray[np.float64]) -> list[list[list[float]]]:
    """Return for each topic those with the highest, and the lowest, correlation.

    A row is the other's node in the taxonomy and the correlation; for fits without labels.

    Parameters
    ----------
    posterior
        The fit.
    found
        `frex.explorer.relations.correlations`.
    """
    nodes = (posterior.columns + 1).tolist()
    rows = []
    for topic, values in enumerate(found):
        order = [other for other in np.argsort(-values, kind="stable") if other != topic]
        half = NEIGHBOURS // 2
        ends = order if len(order) <= NEIGHBOURS else [*order[:half], *order[-half:]]
        rows.append([[nodes[other], round(float(values[other]), 3)] for other in ends])
    return rows


def make_neighbours(posterior: Posterior, related: NDArray[np.float64]) -> list[list[list[float]]]:
    """Return for each topic those that share most documents with it.

    A row is the other's node in the taxonomy, the correlation of their memberships, the number of
    documents that have both labels, and in those the mean memberships in the topic and in the
    other.

    Parameters
    ----------
    posterior
        The fit.
    related
        `frex.explorer.relations.correlations`.
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
                    round(float(related[topic, shared.indices[entry]]), 3),
                    int(shared.data[entry]),
                    round(float(here.data[entry] / shared.data[entry]), 3),
                    round(float(there.data[entry] / shared.data[entry]), 3),
                ]
                for entry in others[:NEIGHBOURS]
            ]
        )
    return found


def typical_rows(posterior: Posterior, topic: int) -> list[dict[str, Any]]:
    """Return a topic's most typical documents, with the known details.

    For each: `id`, `title`, `url` (of the web only), `date`, `snippet`; `score`, and the numbers of
    the `words` that make it typical.
    """
    typical = posterior.typical
    if typical is None:
        return []
    rows = range(int(typical.starts[topic]), int(typical.starts[topic + 1]))
    return [
        {
            **_about(posterior, int(typical.documents[row])),
            "score": round(float(typical.scores[row]), 3),
            "words": [int(word) for word in typical.words[row] if word >= 0],
        }
        for row in rows
    ]


def _about(posterior: Posterior, document: int) -> dict[str, str]:
    """Return the known details of a document for the page."""
    details = posterior.details
    known = {
        "title": details.title(document),
        "url": details.link(document),
        "date": details.value("date", document),
        "snippet": details.value("snippet", document),
    }
    return {"id": posterior.ids[document], **{k: text for k, text in known.items() if text}}
