"""The saturation of documents' lengths, chosen on documents that took no part in the fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.predict.evidence import SATURATION, SATURATIONS
from frex.predict.join import loss, regress

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from frex.predict.judges import Judge, Reading

FEWEST_LABELS = 30
"""Least number of labels for a choice of the saturation."""


def choose_saturation(judge: Judge, reading: Reading, labels: csr_array[np.bool_]) -> float:
    """Return the saturation for which a logistic regression on the features predicts labels best.

    Parameters
    ----------
    judge
        A judge trained on other documents.
    reading
        Its scores of held-out documents.
    labels
        Labels of the held-out documents, documents x topics.
    """
    target = labels.toarray().astype(np.bool_)
    if target.sum() < FEWEST_LABELS or target.all():
        return SATURATION
    losses = []
    for saturation in SATURATIONS:
        features = np.stack(judge.features(reading, saturation), axis=-1)
        found = regress(features.reshape(target.size, -1), target.ravel())
        odds = found[0] + features @ found[1:]
        losses.append(loss(odds, target))
    return SATURATIONS[int(np.argmin(losses))]
