"""The labels' part of (eta, lambda): its integrals over affinities, each rank for some topics.

They took 9 ms of a scan of a hundred topics: with 16 ranks as much as the words of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.model.labels import label_probability_derivatives, log_label_probability

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.model.hyperparameters import AffinityStatistics
    from frex.sampler.ranks.exchange import Ranks


def share_labels(
    affinity_mean: NDArray[np.float64],
    log_affinity_sd: float,
    statistics: AffinityStatistics,
    ranks: Ranks,
) -> tuple[float, NDArray[np.float64]]:
    """Return `label_log_likelihood` and `label_gradient` of `frex.model`, bit for bit.

    All topics have a grid of as many points as the widest needs, which is that of the highest or
    the lowest mean: with these two in its share, a rank finds the grid of all.
    """
    n_topics, sd = len(affinity_mean), np.exp(log_affinity_sd)
    own = affinity_mean[ranks.stretch(n_topics)]
    ends = affinity_mean[[affinity_mean.argmin(), affinity_mean.argmax()]]
    mean = np.concatenate([own, ends])
    parts = label_probability_derivatives(mean, sd)
    mine = np.stack(
        [*log_label_probability(mean, sd), *parts.gradient_p0, *parts.gradient_p1], axis=1
    )
    table = ranks.join(mine[: len(own)], n_topics).T.copy()  # so that each is contiguous
    log_p0, log_p1, gradient_p0, gradient_p1 = table[0], table[1], table[2:4], table[4:6]
    n_absent, n_single = statistics.n_absent, statistics.n_single
    in_mean, in_log_sd = n_absent * gradient_p0 + n_single * gradient_p1
    value = float(n_absent @ log_p0 + n_single @ log_p1)
    return value, np.append(in_mean, in_log_sd.sum())
