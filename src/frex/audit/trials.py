"""The probability that something is wrong with a topic, learned by doing the same on trial.

What two siblings look like that were filed as one, or a topic below a parent that is not its own,
is learned by filing siblings as one, and topics below other parents. A logistic regression tells
these from the topics as they are. Of the latter one in twenty is taken for wrong itself: by
expectation and maximisation each counts by the probability that it is right. No topic is judged by
a regression that saw it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression

from frex.audit.own_words import FOLDS

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]

WRONG = 0.05
"""Share of topics with which something is wrong."""

FEWEST = 10
"""Topics, and trials, from which something is learned. Six were enough for four features to be sure
of what was noise."""

ROUNDS = 5
INVERSE_PENALTY = 10.0
"""scikit-learn's C, of standardised features: few topics make no one sure."""


def chances(topics: Array, trials: Array) -> Array:
    """Return the probability of each topic that it is wrong as the trials are.

    Parameters
    ----------
    topics, trials
        Features of topics as they are, and of what was done on trial, a row each.
    """
    found = np.full(len(topics), WRONG)
    if min(len(topics), len(trials)) < FEWEST:
        return found
    features = np.concatenate([topics, trials])
    features = (features - features.mean(axis=0)) / np.maximum(features.std(axis=0), 1e-9)
    as_is, on_trial = np.split(features, [len(topics)])
    folds = np.arange(len(as_is)) % FOLDS
    for _ in range(ROUNDS):
        right = 1 - found
        for fold in range(FOLDS):
            seen, judged = folds != fold, folds == fold
            weights = right[seen] * len(on_trial) / right[seen].sum()
            model = LogisticRegression(C=INVERSE_PENALTY).fit(
                np.concatenate([as_is[seen], on_trial]),
                np.repeat([False, True], [seen.sum(), len(on_trial)]),
                np.concatenate([weights, np.ones(len(on_trial))]),
            )
            found[judged] = expit(model.decision_function(as_is[judged]) + logit(WRONG))
    return found
