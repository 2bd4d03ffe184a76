"""What a document's other labels say of a label.

Where labels come together (a program's interface and its toolkit), a label without its companions
is doubtful, and one whose companions are all there is likely to be missing, whatever the words are.
Each label is regressed on the others by ridge regression, no label on itself:

    c[d,k] = sum over j != k of y[d,j] B[j,k],    B[j,k] = -P[j,k] / P[k,k],    P = (Y'Y + r I)^-1,

which is the least squares solution for all labels at once (Steck 2019). P is learned from documents
of the other folds, as all is that judges a document. A logistic regression joins c, from 0 to 1,
and the log odds that words give. Labels can only speak for each other: where they come together by
chance alone, a document's only label, beside which there is no other, would be the surest of all.
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
"""Documents' worth of labels that come together with no others."""

SPEAKS = 0.1
"""What a label adds to c that is named as one that speaks for another."""

INVERSE_PENALTY = 1e3
"""scikit-learn's C: three numbers need no more."""


def said_by_companions(judged: OutOfFold) -> Array:
    """Return c for each place, learned from documents of other folds.

    Parameters
    ----------
    judged
        Documents and their labels, with folds.
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
    """Return B, topics x topics: how much the label of each row says of that of each column.

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
    """Return log odds by words and by a document's other labels.

    Parameters
    ----------
    judged
        Documents and their labels.
    odds
        What words say, at each place.
    """
    said = np.clip(said_by_companions(judged), 0.0, 1.0)
    fair = np.flatnonzero((judged.seen > 0) & judged.near)
    fair = fair[:: max(1, -(-len(fair) // MOST_PLACES))]
    if judged.given[fair].all() or not judged.given[fair].any():
        return odds
    table = np.column_stack([odds, said])
    model = LogisticRegression(C=INVERSE_PENALTY).fit(table[fair], judged.given[fair])
    return odds if model.coef_[0, 1] <= 0 else np.asarray(model.decision_function(table))
