"""The most labels that a new document gets.

A document that is unlike those of the fit, for example much longer, may have many topics above
their thresholds. So it gets no more labels than a document of the fit has. But if words say little
about many labels, the best F1 is that of more labels than any document has, up to all of them. So
labels of the out-of-fold documents decide: if F1 is higher without this limit, the limit is the
largest number of labels that one of these documents gets by the thresholds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import logit

from frex.predict.expected import SHARES

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.predict.judged import OutOfFold

    Array: TypeAlias = NDArray[np.float64]


def learn_most(
    judged: OutOfFold, odds: Array, thresholds: Array, given: int, criterion: str = "both"
) -> int:
    """Return the most labels of a new document.

    Parameters
    ----------
    judged
        Out-of-fold scores.
    odds
        Log odds of their entries.
    thresholds
        The threshold of each topic.
    given
        Most labels of a labelled document; if it is 1, labels exclude one another.
    criterion
        The F1 that decides: ``"micro"``, ``"macro"``, or ``"both"``, their mean.
    """
    with np.errstate(divide="ignore"):
        lead = odds - logit(thresholds)[judged.columns]
    reached = (lead >= 0) & (judged.seen > 0)
    n_reached = np.bincount(judged.documents, judged.weights * reached)
    if given == 1 or n_reached.max(initial=0) <= given:
        return given
    order = np.lexsort((-lead, ~reached, judged.documents))
    place = np.empty(len(order))
    place[order] = _running(judged.weights[order].astype(np.float64), judged.starts)
    limited = reached & (place <= given)
    if _f1(judged, reached, criterion) <= _f1(judged, limited, criterion):
        return given
    return int(np.ceil(n_reached.max()))


def _running(values: Array, starts: NDArray[np.int64]) -> Array:
    """Return running sums that begin anew at each document."""
    sums = np.cumsum(values)
    before = np.concatenate([[0.0], sums])[starts[:-1]]
    found: Array = sums - np.repeat(before, np.diff(starts))
    return found


def _f1(judged: OutOfFold, chosen: NDArray[np.bool_], criterion: str) -> float:
    """Return the F1 of labels; macro F1 over topics that have documents."""

    def by_topic(entries: NDArray[np.bool_]) -> Array:
        counts = np.bincount(judged.columns, judged.weights * entries, len(judged.topics))
        return counts.astype(np.float64)

    true, actual = by_topic(chosen & judged.given), by_topic(judged.given)
    size, share = by_topic(chosen) + actual, SHARES[criterion]
    macro = (2.0 * true / np.maximum(size, 1.0))[actual > 0].mean()
    return float((1.0 - share) * 2.0 * true.sum() / size.sum() + share * macro)
