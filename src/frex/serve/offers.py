"""Suggested topics of a document: an inner topic if it is uncertain which topic below applies.

The score of a branch is the probability that at least one of its topics is a label,
1 - prod (1 - p), as if they were independent; if scores are shares of the document, their sum. If
no topic of a branch is a label, but the branch is more likely than not, the deepest such inner
topic gets the score of the branch. It is then listed before the topics below it, which keep their
own scores.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.tree import TopicTree

LIKELY = 0.5
"""Lowest score of a suggested branch."""

_MOST = 1.0 - 1e-12


def offered(
    tree: TopicTree,
    scores: NDArray[np.float64],
    sure: NDArray[np.bool_],
    *,
    are_shares: bool = False,
) -> NDArray[np.float64]:
    """Return the scores of a document's topics, with those of the suggested branches.

    Parameters
    ----------
    tree
        The topics.
    scores
        The probability that each is a label.
    sure
        Whether each is a label.
    are_shares
        Whether the scores are shares of the document instead.
    """
    if are_shares:
        branches = np.minimum(tree.sum_up(scores), 1.0)
    else:
        branches = -np.expm1(tree.sum_up(np.log1p(-np.minimum(scores, _MOST))))
    likely = (branches >= LIKELY) & (tree.sum_up(sure.astype(np.int64)) == 0)
    parents = np.asarray(tree.parents[1:]) - 1
    inner = np.zeros(len(likely), np.bool_)
    inner[parents[parents >= 0]] = True
    below = np.zeros(len(likely), np.bool_)  # another likely topic is below it
    below[parents[likely & (parents >= 0)]] = True
    return np.where(likely & inner & ~below, branches, scores)


def best(scores: NDArray[np.float64], limit: int, threshold: float) -> NDArray[np.int64]:
    """Return the topics with the highest scores, the best first.

    Parameters
    ----------
    scores
        Of a document's topics.
    limit
        How many at most.
    threshold
        The lowest score.
    """
    order = np.argsort(-scores, kind="stable")[:limit]
    return order[scores[order] >= threshold]
