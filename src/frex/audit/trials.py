"""The probability that a topic has an error, learned from artificial errors.

Trials make the error on purpose: they merge siblings, or place topics below other parents. A
logistic regression distinguishes the trials from the topics of the tree. One topic in twenty is
assumed to have the error itself: in an expectation-maximisation algorithm, each topic is weighted
by the probability that it has no error. Probabilities are out-of-fold.
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
"""Assumed share of topics with an error."""

FEWEST = 10
"""Least numbers of topics and of trials. With six, four features were enough to fit noise."""

ROUNDS = 5
INVERSE_PENALTY = 10.0
"""scikit-learn's C for standardised features, strong enough for few topics."""


def chances(topics: Array, trials: Array) -> Array:
    """Return the probability that each topic has the error of the trials.

    Parameters
    ----------
    topics, trials
        Features of topics and of trials, one row each.
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
