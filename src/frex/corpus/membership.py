"""The membership table: multi-label documents of each topic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import sparse

from frex.errors import InputError
from frex.tree import ROOT
from frex.tree.graph import find_ancestry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.corpus.corpus import Corpus
    from frex.tree import TopicTree

FEW = 5
"""A topic with fewer documents at or below it cannot be estimated well."""
NO_DOCUMENTS, FEW_DOCUMENTS = "no documents", "few documents"


def membership_table(
    corpus: Corpus, *, backend: Literal["pandas", "polars", "pyarrow"] = "pandas"
) -> Any:
    """Return the paper's Tables 2 and 3, with one row per topic and the whole corpus last.

    Columns: `topic`, `title`, `level`, `documents`, `below` (the documents that have the topic or
    one below it as a label), and the shares of the topic's documents that have several labels at
    all (`mixed`), labels in several top-level branches (`cross_1`), and several labels of level 2
    (`cross_2`) or of level 3 (`cross_3`), if the tree has such levels, within one top-level branch;
    `note`, which marks topics with no documents below them or with fewer than `FEW`. This reading
    of the paper's columns was checked on a sample of RCV1: counting a label's ancestors, or
    siblings only, does not reproduce the published figures.

    Parameters
    ----------
    corpus
        A corpus with labels.
    backend
        The data frame library of the result: ``"pandas"``, ``"polars"`` or ``"pyarrow"``.
    """
    if corpus.tree is None:
        raise InputError("the corpus has no labels", remedy="Prepare it with a tree.")
    import narwhals as nw  # noqa: PLC0415 - keeps `import frex` quick

    tree = corpus.tree
    shares = {"mixed": np.diff(corpus.labels.indptr) > 1}
    levels = range(1, min(3, int(tree.levels.max())) + 1)
    shares |= {f"cross_{level}": _crosses(corpus, level) for level in levels}
    per_topic = corpus.labels.T.astype(np.float64)
    documents = np.append(np.asarray(per_topic.sum(axis=1)).astype(np.int64), len(corpus))
    below = count_below(corpus.labels, tree)
    columns: dict[str, Any] = {
        "topic": [*tree.topics, ROOT],
        "title": [*tree.titles[1:], "all documents"],
        "level": np.append(tree.levels[1:], 0).astype(np.int64).tolist(),
        "documents": documents.tolist(),
        "below": [*below.tolist(), len(corpus)],
    }
    for name, rows in shares.items():
        met = np.append(per_topic @ rows.astype(np.float64), rows.sum())
        with np.errstate(invalid="ignore"):  # NaN for a topic without documents
            columns[name] = (met / documents).tolist()
    columns["note"] = [NO_DOCUMENTS if n == 0 else FEW_DOCUMENTS if n < FEW else "" for n in below]
    columns["note"].append("")
    return nw.from_dict(columns, backend=backend).to_native()


def count_below(labels: sparse.csr_array, tree: TopicTree) -> NDArray[np.int64]:
    """Count for each topic the documents that have it, or a topic below it, as a label.

    Parameters
    ----------
    labels
        Documents x topics.
    tree
        The topics.
    """
    starts, above = find_ancestry([(), *((int(parent),) for parent in tree.parents[1:])])
    rows = np.repeat(np.arange(tree.n_nodes), np.diff(starts))
    nodes = np.arange(1, tree.n_nodes)
    pairs = np.concatenate([rows, nodes]) - 1, np.concatenate([above, nodes]) - 1
    ancestry = sparse.csr_array(
        (np.ones(len(pairs[0]), np.int32), pairs), shape=(tree.n_topics, tree.n_topics)
    )
    found = (labels.astype(np.int32) @ ancestry) > 0
    return np.asarray(found.sum(axis=0), dtype=np.int64).ravel()


def _crosses(corpus: Corpus, level: int) -> NDArray[np.bool_]:
    """Tell which documents have several labels of a level within one top-level branch.

    At level 1 there is one branch, the corpus, and every label stands for its top-level topic.
    """
    tree = corpus.tree
    assert tree is not None
    topic_levels = tree.levels[1:]
    tops = np.arange(tree.n_nodes)
    for node in range(1, tree.n_nodes):  # parents come first
        tops[node] = tops[tree.parents[node]] or node
    chosen = np.flatnonzero(topic_levels == level if level > 1 else topic_levels > 0)
    group = sparse.csr_array(
        (np.ones(len(chosen)), (chosen, tops[chosen + 1])), shape=(tree.n_topics, tree.n_nodes)
    )
    in_branch = corpus.labels.astype(np.float64) @ group
    if level == 1:
        crossing: NDArray[np.bool_] = np.diff(in_branch.indptr) > 1
        return crossing
    several = in_branch.tocoo()
    crossing = np.zeros(len(corpus), dtype=np.bool_)
    crossing[several.coords[0][several.data > 1]] = True
    return crossing
