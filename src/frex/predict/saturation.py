"""The saturation of documents' lengths, chosen on documents that took no part in the fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from frex.predict.evidence import SATURATION, SATURATIONS
from frex.predict.join import loss, regress
from frex.predict.judges import FEATURES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scipy.sparse import csr_array

    from frex.predict.judges import Judge, Reading

FEWEST_LABELS = 10 * (1 + len(FEATURES))
"""Least number of labels for a choice of the saturation: ten for each coefficient of the regression
by which it is chosen. With 50, labels of 30 documents had probabilities 14 points too high."""


ENOUGH_LABELS = 600
"""Number of labels that are enough for the choice. By the 250 labels of a single fold, one of two
splits of the RCV1 sample chose 50; by all folds they choose 10 and 7. For the documents of the test
5 to 10 are best, and the negative log likelihood of their labels is 1.5 % higher with 50."""


class Trial(NamedTuple):
    """Held-out documents and a judge trained on others."""

    judge: Judge
    reading: Reading
    labels: csr_array[np.bool_]  #: documents x topics of the judge


def choose_saturation(trials: Sequence[Trial]) -> float:
    """Return the saturation for which a logistic regression on the features predicts labels best.

    Parameters
    ----------
    trials
        Held-out documents of one or more judges.
    """
    target = np.concatenate([trial.labels.toarray().ravel() for trial in trials]).astype(np.bool_)
    if target.sum() < FEWEST_LABELS or target.all():
        return SATURATION
    losses = []
    for saturation in SATURATIONS:
        planes = [trial.judge.features(trial.reading, saturation) for trial in trials]
        features = np.concatenate(
            [np.stack(of_one, axis=-1).reshape(-1, len(of_one)) for of_one in planes]
        )
        found = regress(features, target)
        losses.append(loss(found[0] + features @ found[1:], target))
    return SATURATIONS[int(np.argmin(losses))]


def are_enough(trials: Sequence[Trial]) -> bool:
    """Whether the trials have enough labels to choose the saturation."""
    return sum(trial.labels.nnz for trial in trials) >= ENOUGH_LABELS
