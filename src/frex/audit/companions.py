"""The evidence of a document's other labels for a label.

If labels usually occur together (a program's interface and its toolkit), a label without its
companions is doubtful, and an absent label whose companions are present is probably missing,
whatever the words are. Each label is regressed on the others by ridge regression:

    c[d,k] = sum over j != k of y[d,j] B[j,k],    B[j,k] = -P[j,k] / P[k,k],    P = (Y'Y + r I)^-1,

which is the penalised least squares solution for all labels at once (Steck 2019). P is computed
from the documents of the other folds, so c is out-of-fold. A logistic regression combines c,
clipped to 0 to 1, with the log odds from words. Labels can only be evidence for each other, not
against. Otherwise, if labels are independent, the only label of a document would get the highest
odds, because there is no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.linear_model import LogisticRegression

from frex.predict.join import MOST_PLACES

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray
    from scipy.sparse import csr_array

    from frex.predict import OutOfFold

    Array: TypeAlias = NDArray[np.float64]

RIDGE = 10.0
"""The ridge penalty r, in documents."""

LEAST_WEIGHT = 0.1
"""Least contribution to c of a label that is reported as evidence for another."""

INVERSE_PENALTY = 1e3
"""scikit-learn's C; three parameters need no regularisation."""


def companion_scores(judged: OutOfFold) -> Array:
    """Return c for each entry, learned from documents of other folds.

    Parameters
    ----------
    judged
        Out-of-fold scores, with labels and folds.
    """
    labels: csr_array = judged.matrix(judged.given.astype(np.float64))
    documents, columns, said = judged.documents, judged.columns, np.zeros(len(judged.columns))
    for fold in np.unique(judged.folds):
        weights = companion_weights(labels[judged.folds != fold])
        own = np.flatnonzero(judged.folds[documents] == fold)
        rows, inverse = np.unique(documents[own], return_inverse=True)
        said[own] = (labels[rows] @ weights)[inverse, columns[own]]
    return said


def companion_weights(labels: csr_array) -> Array:
    """Return B, topics x topics: the weight of each row's label in the regression of each column's.

    Parameters
    ----------
    labels
        Documents x topics.
    """
    together = (labels.T @ labels).toarray().astype(np.float64)
    precision = np.linalg.inv(together + RIDGE * np.eye(labels.shape[1]))
    weights = -precision / np.diag(precision)
    np.fill_diagonal(weights, 0.0)
    return np.asarray(weights)


def with_companions(judged: OutOfFold, odds: Array) -> Array:
    """Return log odds from words and from a document's other labels.

    Parameters
    ----------
    judged
        Out-of-fold scores, with labels.
    odds
        Log odds from words, by entry.
    """
    said = np.clip(companion_scores(judged), 0.0, 1.0)
    fair = np.flatnonzero((judged.seen > 0) & judged.near)
    fair = fair[:: max(1, -(-len(fair) // MOST_PLACES))]
    if judged.given[fair].all() or not judged.given[fair].any():
        return odds
    table = np.column_stack([odds, said])
    model = LogisticRegression(C=INVERSE_PENALTY).fit(table[fair], judged.given[fair])
    return odds if model.coef_[0, 1] <= 0 else np.asarray(model.decision_function(table))
