"""The choice among several parents of a topic: the parent whose words are closest to the topic's.

A topic's branch is the documents of the topic and of all topics below it, by any parent; a
candidate's *other* branches are the documents of the candidate's branch without those of the
topic's. Both are sums of word counts, weighted by tf-idf, and the candidate with the largest cosine
between the two is taken:

    idf_f = log((D + 1) / D_f),  x_k = idf * n_k,  cos(x_k, x_p - x_k)

where n_k are the counts of branch k. A candidate without other documents ranks last. In case of a
tie, and for a topic without documents, the tree's parent is kept.

As a test, this rule chose the parent of topics with a single parent among up to six nodes of the
same level. It found the right one for 94 % of the topics of a handbook, 81 % of a law collection,
64 % of arXiv, 63 % of CWE and 40 % of EuroVoc; chance is 17 %. The mean log-likelihood of the
topic's words under the candidate's smoothed distribution found it for 95, 83, 56, 38 and 37 %.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from frex.corpus.labels import with_ancestors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.tree import TopicTree

PAIRS = 256
"""Number of pairs of topic and candidate that are compared at a time, to bound memory."""


class BranchWords:
    """The counts of the branches that the choice needs, accumulated in batches of documents.

    Parameters
    ----------
    tree
        The topics.
    n_words
        Size of the vocabulary.
    """

    def __init__(self, tree: TopicTree, n_words: int) -> None:
        self._tree = tree
        pairs = [
            (node, parent) for node in tree.several_parents for parent in tree.all_parents(node)
        ]
        self._pairs = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        self._nodes = np.unique(self._pairs)
        self._sums = [sparse.csr_array((len(self._nodes), n_words), dtype=np.int64)]
        self._n_documents = 0
        self._documents_of_word = np.zeros(n_words, dtype=np.int64)

    def add(self, counts: sparse.csr_array, labels: sparse.csr_array) -> None:
        """Add documents: their counts, and their labels in the columns of the tree."""
        self._n_documents += int(np.count_nonzero(np.diff(counts.indptr)))
        self._documents_of_word += np.bincount(counts.indices, minlength=counts.shape[1])
        everything = sparse.csr_array(np.ones((counts.shape[0], 1), dtype=np.bool_))
        branches = sparse.hstack([everything, with_ancestors(labels, self._tree)], format="csc")
        chosen = branches[:, self._nodes].T.astype(np.int64)
        self._sums.append(sparse.csr_array(chosen @ counts.astype(np.int64)))
        # sums of similar size are merged, so that a large one is not copied for every batch
        while len(self._sums) > 1 and 2 * self._sums[-1].nnz >= self._sums[-2].nnz:
            self._sums[-2:] = [self._sums[-2] + self._sums[-1]]

    def choose(self) -> TopicTree:
        """Return the tree in which each topic is below the best of its parents."""
        best: dict[int, tuple[float, int]] = {}
        for (node, parent), score in zip(
            self._pairs.tolist(), self._scores().tolist(), strict=True
        ):
            if node not in best or score > best[node][0]:
                best[node] = score, parent
        return self._tree.with_parents({node: parent for node, (_, parent) in best.items()})

    def _scores(self) -> NDArray[np.float64]:
        """Return the cosine of each pair of topic and candidate; -1 without other documents."""
        idf = np.log((self._n_documents + 1) / np.maximum(self._documents_of_word, 1))
        branches = sparse.csr_array(sum(self._sums[1:], self._sums[0]).multiply(idf))
        rows = np.searchsorted(self._nodes, self._pairs)
        parts = [np.empty(0)]
        for start in range(0, len(rows), PAIRS):
            topic, candidate = rows[start : start + PAIRS].T
            own = branches[topic]
            others = sparse.csr_array(branches[candidate] - own)  # 0 if the counts are equal
            others.eliminate_zeros()
            alone = (np.diff(others.indptr) == 0) & (np.diff(own.indptr) > 0)
            parts.append(np.where(alone, -1.0, _cosines(own, others)))
        return np.concatenate(parts)


def _cosines(a: sparse.csr_array, b: sparse.csr_array) -> NDArray[np.float64]:
    """Return the cosines of corresponding rows of two matrices; 0 if a row is empty."""
    products = a.multiply(b).sum(axis=1)
    lengths = np.sqrt(a.multiply(a).sum(axis=1) * b.multiply(b).sum(axis=1))
    cosines: NDArray[np.float64] = np.divide(
        products, lengths, out=np.zeros(len(lengths)), where=lengths > 0
    )
    return cosines


def move_labels(labels: sparse.csr_array, old: TopicTree, new: TopicTree) -> sparse.csr_array:
    """Permute labels from the columns of one tree to those of another with the same topics."""
    columns = old.label_columns(new)
    moved = sparse.csr_array(
        (labels.data, columns[labels.indices], labels.indptr), shape=labels.shape
    )
    moved.sort_indices()
    return moved
