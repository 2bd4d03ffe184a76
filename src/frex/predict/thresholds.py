"""Thresholds that maximise F1 on labelled documents.

With TP true positives among P predicted labels, and N true ones, F1 is 2 TP / (P + N). Micro F1
counts over all topics; macro F1 is the mean over topics. One threshold for all topics is found by
search. Thresholds by topic are regularised: a topic's counts are smoothed by a few documents' worth
of those of all topics. For micro F1 the topics are coupled: at the best value F, the sum over
topics of 2 TP - F P is maximal (Dinkelbach), so F and the thresholds are updated in turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from frex.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]
    Labels: TypeAlias = NDArray[np.bool_]

By: TypeAlias = Literal["global", "topic"]
Criterion: TypeAlias = Literal["micro", "macro"] | Callable[["Labels", "Labels"], float]

GRID = 512
"""Number of candidate thresholds; fewer if there are fewer distinct probabilities."""

SHRINKAGE = 10.0
"""Prior weight, in labels, of the counts of all topics in a topic's own threshold."""


class Curves(NamedTuple):
    """Counts for each threshold of a grid."""

    grid: Array  #: ascending
    true: Array  #: topics x grid, true positives
    chosen: Array  #: topics x grid, predicted labels
    actual: Array  #: topics, true labels


def find_thresholds(
    probabilities: Array,
    labels: Labels,
    *,
    by: By = "global",
    criterion: Criterion = "micro",
) -> Array:
    """Return a threshold for each topic, at or above which it becomes a label.

    Parameters
    ----------
    probabilities, labels
        Those of held-out documents, documents x topics.
    by
        ``"global"``: the same for all topics; ``"topic"``: one for each.
    criterion
        ``"micro"`` or ``"macro"`` F1; or, for a global threshold, a function of true and predicted
        labels to maximise, such as one of `sklearn.metrics`.
    """
    if not labels.any():
        raise InputError(
            "no document has a label to set a threshold by", remedy="Give labelled documents."
        )
    if by not in ("global", "topic"):
        raise InputError(f"thresholds={by!r} is not a choice", remedy="Use 'global' or 'topic'.")
    n_topics = labels.shape[1]
    if callable(criterion):
        if by == "topic":
            raise InputError(
                "a function cannot set a threshold for each topic",
                remedy="Use thresholds='global', or criterion 'micro' or 'macro'.",
            )
        grid = _grid(probabilities)
        values = [criterion(labels, probabilities >= threshold) for threshold in grid]
        return np.full(n_topics, grid[_best(np.array(values))])
    columns = np.tile(np.arange(n_topics), len(labels))
    return thresholds_of(
        probabilities.ravel(), labels.ravel(), columns, n_topics, by=by, criterion=criterion
    )


def thresholds_of(
    probabilities: Array,
    given: Labels,
    columns: NDArray[np.integer[Any]],
    n_topics: int,
    *,
    by: By = "global",
    criterion: Criterion = "micro",
) -> Array:
    """Return a threshold for each topic, from entries that leave out improbable topics.

    Parameters
    ----------
    probabilities, given, columns
        For each entry: the probability of a label, whether it is given, and its topic.
    n_topics
        Number of topics.
    by, criterion
        As for `find_thresholds`.
    """
    if criterion not in ("micro", "macro"):
        raise InputError(
            f"criterion={criterion!r} is not a choice", remedy="Use 'micro', 'macro' or a function."
        )
    curves = measure(probabilities, given, columns, n_topics)
    if by == "global":
        if criterion == "micro":
            f1 = _f1(curves.true.sum(0), curves.chosen.sum(0), curves.actual.sum())
        else:
            f1 = _f1(curves.true, curves.chosen, curves.actual[:, None])[curves.actual > 0].mean(0)
        return np.full(n_topics, curves.grid[_best(f1)])
    return _per_topic(_shrunk(curves), criterion)


def measure(
    probabilities: Array, given: Labels, columns: NDArray[np.integer[Any]], n_topics: int
) -> Curves:
    """Count true positives and predicted labels of each topic for each threshold."""
    grid = _grid(probabilities)
    reached = np.searchsorted(grid, probabilities, side="right")  # thresholds passed
    cells = columns * (len(grid) + 1) + reached

    def passing(places: Any) -> Array:
        counts = np.bincount(cells[places], minlength=n_topics * (len(grid) + 1))
        table = counts.reshape(n_topics, -1)
        rest: Array = (table.sum(axis=1, keepdims=True) - np.cumsum(table, axis=1))[:, :-1]
        return rest.astype(np.float64)

    actual = np.bincount(columns[given], minlength=n_topics).astype(np.float64)
    return Curves(grid, passing(given), passing(slice(None)), actual)


def _grid(probabilities: Array) -> Array:
    """Return a grid of thresholds, densest at the highest probabilities."""
    distinct: Array = np.unique(probabilities)
    if len(distinct) <= GRID:
        return distinct
    # each smaller threshold admits a few percent more labels
    ranks = np.geomspace(1, len(distinct), GRID).astype(np.int64)
    return distinct[np.unique(len(distinct) - ranks)]


def _f1(true: Array, chosen: Array, actual: Array) -> Array:
    values: Array = 2.0 * true / np.maximum(chosen + actual, 1e-300)
    return values


def _best(values: Array) -> int:
    """Return the index of the best value; ties go to the highest threshold."""
    return len(values) - 1 - int(np.argmax(values[::-1]))


def _shrunk(curves: Curves) -> Curves:
    share = SHRINKAGE / curves.actual.sum()
    return Curves(
        curves.grid,
        curves.true + share * curves.true.sum(axis=0),
        curves.chosen + share * curves.chosen.sum(axis=0),
        curves.actual + share * curves.actual.sum(),
    )


def _per_topic(curves: Curves, criterion: str) -> Array:
    topics = np.arange(len(curves.actual))
    if criterion == "macro":
        places = [_best(f1) for f1 in _f1(curves.true, curves.chosen, curves.actual[:, None])]
        return curves.grid[places]
    best = 0.0
    while True:
        places = [_best(gain) for gain in 2.0 * curves.true - best * curves.chosen]
        true, chosen = curves.true[topics, places], curves.chosen[topics, places]
        reached = float(_f1(true.sum(), chosen.sum(), curves.actual.sum()))
        if reached <= best * (1.0 + 1e-12):
            return curves.grid[places]
        best = reached
