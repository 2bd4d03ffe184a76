"""The penalty of the linear scorer, chosen on held-out documents.

The best penalty differs by a factor of ten between corpora: it is small if labels are noisy and
topics are many, and large if each topic has its own words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.predict.join import loss, regress
from frex.predict.judges import FEATURES, OF_HPC
from frex.predict.linear import PENALTY, learn_linear

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from frex.corpus import Corpus
    from frex.predict.judges import Judge, Reading

STEP = 10.0**0.5
"""Factor between penalties."""

MOST_STEPS = 2
"""Most steps to either side of `PENALTY`: 0.1 to 10."""

GAIN = 0.005
"""Least relative decrease of the loss for a step; useful steps decrease it by 0.01 to 0.03. Without
this threshold one fold of RCV1's sample, 180 documents, chose 3.2, while 1 is best for all five."""

FEWEST_LABELS = 30
"""Least number of labels for a choice."""

MOST_TOPICS = 200
"""Most topics for the choice; each is trained again for every penalty."""


def choose_penalty(
    judge: Judge,
    training: Corpus,
    reading: Reading,
    labels: csr_array[np.bool_],
    saturation: float,
) -> float:
    """Return the penalty for which a logistic regression on both scores predicts labels best.

    Parameters
    ----------
    judge
        A judge trained with `PENALTY`.
    training
        Its training documents.
    reading
        Its scores of held-out documents.
    labels
        Labels of the held-out documents, documents x topics of the judge.
    saturation
        As in `frex.predict.evidence`.
    """
    some = np.sort(np.random.default_rng(0).permutation(labels.shape[1])[:MOST_TOPICS])
    target = labels[:, some].toarray().astype(np.bool_)
    if target.sum() < FEWEST_LABELS or target.all():
        return PENALTY
    planes = dict(zip(FEATURES, judge.features(reading, saturation), strict=True))
    size, *of_hpc = (planes[name][:, some] for name in OF_HPC)
    likely = planes["likely"][:, some]
    given = training.labels[:, some]

    def cost(step: int) -> float:
        if step:
            scorer = learn_linear(
                training.counts, given, penalty=PENALTY * STEP**step,
                threads=judge.predictor.threads,
            )  # fmt: skip
            linear = scorer.decisions(reading.counts)
        else:
            linear = planes["linear"][:, some]
        features = [linear, size, linear * size, *of_hpc, linear * likely]
        table = np.stack([plane.ravel() for plane in features], axis=-1)
        found = regress(table, target.ravel())
        return loss(found[0] + table @ found[1:], target.ravel())

    costs = {step: cost(step) for step in (-1, 0, 1)}
    best = min((-1, 1), key=lambda step: costs[step])
    if costs[best] > (1.0 - GAIN) * costs[0]:
        return PENALTY
    while abs(best) < MOST_STEPS:
        costs[2 * best] = cost(2 * best)
        if costs[2 * best] > (1.0 - GAIN) * costs[best]:
            break
        best *= 2
    return PENALTY * STEP**best
