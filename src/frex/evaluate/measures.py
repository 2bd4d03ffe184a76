"""Measures of predicted labels and of rankings by scores.

With P predicted labels, N true ones and TP that are both, precision is TP / P, recall TP / N and F1
2 TP / (P + N). Micro: counted over all documents and topics. Macro: the mean over topics with a
document in the test part; all three are 0 for a topic that is never predicted. Hierarchical
(Kiritchenko et al., 2006): micro, after adding all topics above each label, by any parent, so that
a sibling of the right topic is better than an unrelated topic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.metrics import coverage_error, label_ranking_average_precision_score

from frex.corpus import with_ancestors

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]
    Labels: TypeAlias = csr_array[np.bool_]

MEASURES = {
    "micro_precision": "micro precision",
    "micro_recall": "micro recall",
    "micro_f1": "micro F1",
    "macro_precision": "macro precision",
    "macro_recall": "macro recall",
    "macro_f1": "macro F1",
    "hierarchical_precision": "hierarchical precision",
    "hierarchical_recall": "hierarchical recall",
    "hierarchical_f1": "hierarchical F1",
    "ranking_precision": "ranking average precision",
    "precision_at_1": "precision at 1",
    "coverage_error": "coverage error",
}
"""All measures by name, with display names; the last is better if it is small."""


class _Counts(NamedTuple):
    """Labels by topic."""

    true: Array
    predicted: Array
    actual: Array


def measure(actual: Labels, predicted: Labels, scores: Array, tree: TopicTree) -> dict[str, float]:
    """Return every one of `MEASURES`.

    Parameters
    ----------
    actual, predicted
        Labels, documents x topics, without redundant ones above a more specific label. Every
        document has at least one true label.
    scores
        Scores, documents x topics; larger means more probable.
    tree
        The topics.
    """
    counts = _count(actual, predicted)
    closed = _count(with_ancestors(actual, tree), with_ancestors(predicted, tree))
    dense = actual.toarray()
    values = (
        *_rates(*(column.sum() for column in counts)),
        *(
            float(column[counts.actual > 0].mean())
            for column in _rates(counts.true, counts.predicted, counts.actual)
        ),
        *_rates(*(column.sum() for column in closed)),
        label_ranking_average_precision_score(dense, scores),
        dense[np.arange(len(dense)), scores.argmax(axis=1)].mean(),
        coverage_error(dense, scores),
    )
    return dict(zip(MEASURES, map(float, values), strict=True))


def _count(actual: Labels, predicted: Labels) -> _Counts:
    both = actual.multiply(predicted)
    true, chosen, wanted = (
        np.asarray(labels.sum(axis=0), dtype=np.float64) for labels in (both, predicted, actual)
    )
    return _Counts(true, chosen, wanted)


def _rates(true: Array, predicted: Array, actual: Array) -> tuple[Array, Array, Array]:
    """Return precision, recall and F1; 0 for a denominator of 0."""
    return (
        true / np.maximum(predicted, 1.0),
        true / np.maximum(actual, 1.0),
        2.0 * true / np.maximum(predicted + actual, 1.0),
    )
