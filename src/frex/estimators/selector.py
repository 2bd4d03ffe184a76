"""`FrexSelector`: feature selection by FREX for a classifier, from counts and labels alone.

The paper names feature selection as a use of FREX (its section 2.3). It needs no fit. With n[c,f]
the count of word f in the documents of class c, N[c] its sum over words, and p[f] the word's share
of the sum over classes, the expected count in a class is N[c] p[f], and the rate of the class is
shrunk towards the overall rate:

    beta[c,f] = p[f] (n[c,f] + a) / (N[c] p[f] + a)

This is the posterior mean if n[c,f] is Poisson and the ratio of the two rates is Gamma(a, a). So a
word that occurs once in a class is hardly exclusive to it. A word's score is its best FREX in any
class.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import check_is_fitted, check_non_negative, validate_data

from frex.errors import InputError
from frex.scores import frex

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    Array = NDArray[np.float64]


class FrexSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Keep the words that are frequent in a class and exclusive to it.

    Parameters
    ----------
    k
        Number of words; all if there are fewer.
    weight
        The weight of exclusivity in FREX; frequency has the rest.
    smoothing
        Strength of the shrinkage towards the overall rates: the a of the module's equation, in
        occurrences of a word. Of 0.01, 0.1, 0.3, 1, 3 and 10 the default was among
        the best on the validation part of one split of debtags.

    Attributes
    ----------
    scores_
        The best FREX of each word in any class; 0 for words that no labelled document has.
    n_features_in_
        Number of words.

    Examples
    --------
    >>> from sklearn.feature_extraction.text import CountVectorizer
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> from frex import FrexSelector
    >>> texts = ["the ball and the goal", "the vote", "the goal of a ball", "a vote of the state"]
    >>> labels = ["sport", "politics", "sport", "politics"]
    >>> model = make_pipeline(CountVectorizer(), FrexSelector(k=3), LinearSVC()).fit(texts, labels)
    >>> sorted(model[:-1].get_feature_names_out())
    ['ball', 'goal', 'vote']
    """

    def __init__(self, k: int = 1000, *, weight: float = 0.5, smoothing: float = 0.1) -> None:
        self.k = k
        self.weight = weight
        self.smoothing = smoothing

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803 - scikit-learn's names
        """Score the words.

        Parameters
        ----------
        X
            Documents x words, counts or other non-negative weights.
        y
            The class of each document; or documents x classes of zeros and ones, in which a
            document may have several classes, or none, in which case it is ignored.
        """
        if self.k < 1 or self.smoothing <= 0:
            raise InputError(
                f"k is {self.k} and smoothing {self.smoothing}",
                remedy="Choose a k of 1 or more, and a smoothing above 0.",
            )
        counts, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=np.float64, multi_output=True
        )
        check_non_negative(counts, "FrexSelector")
        rates = _rates(sparse.csr_array(counts), _classes(y), self.smoothing)
        best = frex(rates, weight=self.weight).max(axis=0)
        self.scores_ = np.where(rates.any(axis=0), best, 0.0)
        return self

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self, "scores_")
        chosen = np.argsort(-self.scores_, kind="stable")[: self.k]
        mask = np.zeros(len(self.scores_), dtype=np.bool_)
        mask[chosen] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.positive_only = True
        return tags


def _classes(y: Any) -> sparse.csr_array:
    """Return the indicator matrix, documents x classes, of classes with documents."""
    check_classification_targets(y)
    if type_of_target(y) == "multilabel-indicator":
        labels = sparse.csr_array(y, dtype=np.float64)
    else:
        classes, column = np.unique(y, return_inverse=True)
        rows = np.arange(len(column))
        labels = sparse.csr_array((np.ones(len(rows)), (rows, column)), (len(rows), len(classes)))
    kept = np.flatnonzero(np.asarray(labels.sum(axis=0)))
    if not len(kept):
        raise InputError("no document has a class", remedy="Give labels to learn from.")
    return labels[:, kept]


def _rates(counts: sparse.csr_array, classes: sparse.csr_array, smoothing: float) -> Array:
    """Return the smoothed rates of words in classes, by the module's equation."""
    found = np.asarray((classes.T @ counts).todense())
    total = found.sum(axis=0)
    background = total / max(float(total.sum()), np.finfo(float).tiny)
    expected = found.sum(axis=1, keepdims=True) * background
    rates: Array = background * (found + smoothing) / (expected + smoothing)
    return rates
