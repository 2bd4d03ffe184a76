"""`Join`: the log odds of a label, from the scores of HPC and of the linear scorer.

This is a logistic regression with one coefficient for each of `frex.predict.judges.FEATURES`, the
same for all topics, learned on out-of-fold scores. It has so few parameters that it does not
overfit. Its log odds are linear in the features, so they can be explained word by word. A curve
(`frex.predict.curve`) calibrates them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from frex.predict.curve import Curve, learn_curve
from frex.predict.judges import FEATURES

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.predict.judged import OutOfFold

    Array: TypeAlias = NDArray[np.float64]
    Single: TypeAlias = NDArray[np.float32]

INVERSE_PENALTY = 1.0
"""scikit-learn's C for standardised features: the prior of the coefficients is normal with mean 0
and variance 1. With thousands of labels the prior has no influence. With 20 to 60 documents, the
share of labels among likely ones was overestimated by 9 points without the prior, and by 5 with
it."""

MOST_PLACES = 1 << 18
"""Most rows of the regression, which has few parameters."""


class Join(NamedTuple):
    """The learned logistic regression."""

    intercept: float
    coefficients: Array  #: one for each of `FEATURES`; 0 for those that are left out
    curve: Curve

    def log_odds(self, features: Single) -> Array:
        """Return the log odds of labels.

        Parameters
        ----------
        features
            The features of each along the last axis.
        """
        return self.curve.bend(features @ self.coefficients + self.intercept)

    def combine(self, planes: Sequence[Single]) -> Single:
        """Return log odds before the curve, documents x topics.

        Parameters
        ----------
        planes
            The features, each documents x topics.
        """
        odds = np.full(planes[0].shape, np.float32(self.intercept))
        for plane, coefficient in zip(planes, self.coefficients, strict=True):
            if coefficient:
                odds += np.float32(coefficient) * plane
        return odds

    def log_odds_of_planes(self, planes: Sequence[Single]) -> Array:
        """Return log odds, documents x topics.

        Parameters
        ----------
        planes
            The features, each documents x topics.
        """
        return self.curve.bend(self.combine(planes))


def learn_join(judged: OutOfFold, features: Sequence[str] = FEATURES) -> Join:
    """Learn the coefficients from out-of-fold scores.

    Parameters
    ----------
    judged
        The result of `frex.predict.out_of_fold`.
    features
        Names of the features to use.

    Examples
    --------
    >>> from frex import read_corpus
    >>> from frex.predict import learn_join, out_of_fold
    >>> judged = out_of_fold(read_corpus('CORPUS'), n_folds=3)
    >>> learn_join(judged, ['words']).coefficients.round() > 0
    array([False, False, False, False, False,  True, False, False, False,
           False])
    """
    places = np.flatnonzero(learnable(judged))
    places = places[:: max(1, -(-len(places) // MOST_PLACES))]
    table, target = judged.features[places], judged.given[places]
    weights = judged.weights[places]
    use = [FEATURES.index(name) for name in features]
    found = np.zeros(1 + len(FEATURES))
    found[[0, *(1 + place for place in use)]] = regress(table[:, use], target, weights)
    odds = found[0] + table @ found[1:]
    return Join(float(found[0]), found[1:], learn_curve(odds, target, weights))


def loss(odds: Array, target: NDArray[np.bool_]) -> float:
    """Return the negative log likelihood of labels.

    Parameters
    ----------
    odds, target
        Log odds of labels, and whether they are given.
    """
    return float((np.logaddexp(0.0, odds) - target * odds).sum())


def learnable(judged: OutOfFold) -> NDArray[np.bool_]:
    """Return the entries for learning: of labelled documents, and topics that the judge knew."""
    teach: NDArray[np.bool_] = (judged.seen > 0) & of_labelled(judged)
    return teach


def of_labelled(judged: OutOfFold) -> NDArray[np.bool_]:
    """Return the entries of labelled documents."""
    n_given = np.diff(np.concatenate([[0], np.cumsum(judged.given)])[judged.starts])
    places: NDArray[np.bool_] = np.repeat(n_given > 0, np.diff(judged.starts))
    return places


def regress(features: Single, target: NDArray[np.bool_], weights: Single | None = None) -> Array:
    """Return intercept and coefficients of a logistic regression.

    Parameters
    ----------
    features
        Rows x features.
    target
        The target of each row. If all are equal, the slopes are 0.
    weights
        Weight of each row.
    """
    n_yes, n = int(target.sum()), len(target)
    if n_yes in {0, n}:
        return np.concatenate(
            [[np.log((n_yes + 0.5) / (n - n_yes + 0.5))], np.zeros(features.shape[1])]
        )
    centre = features.mean(axis=0, dtype=np.float64)
    spread = features.std(axis=0, dtype=np.float64)
    spread[spread < 1e-6] = np.inf  # a constant feature
    regression = LogisticRegression(C=INVERSE_PENALTY, solver="newton-cholesky")
    regression.fit((features - centre) / spread, target, sample_weight=weights)
    slopes = regression.coef_[0] / spread
    found: Array = np.concatenate([regression.intercept_ - slopes @ centre, slopes])
    return found
