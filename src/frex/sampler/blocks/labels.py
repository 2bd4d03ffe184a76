"""The contribution of labels to the density of eta and lambda, with affinities integrated out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.model.hyperparameters import label_gradient, label_log_density
from frex.sampler.kernels.labels import label_probabilities

if TYPE_CHECKING:
    from frex.model.hyperparameters import AffinityStatistics
    from frex.sampler.arrays import Floats
    from frex.sampler.exchange import Exchange


def label_terms(mean: Floats, log_sd: float, exchange: Exchange | None = None) -> Floats:
    """Return log P0 and log P1 of topics, and the slopes of each in eta_k and log lambda.

    The shape is topics x 6. Every process computes those of its topics: all hundred topics would
    take 1.4 ms per scan, for any number of processes.
    """
    topics = slice(0, len(mean)) if exchange is None else exchange.stretch(len(mean))
    terms = np.empty((topics.stop - topics.start, 6))
    label_probabilities(mean, float(np.exp(log_sd)), topics.start, terms)
    return terms if exchange is None else exchange.all_stretches(terms, len(mean))


def label_density(
    terms: Floats, statistics: AffinityStatistics, *, with_value: bool = True
) -> tuple[float, Floats]:
    """Return the labels' log density, and its gradient in (eta, log lambda).

    Without the value, NaN for it.
    """
    columns = terms.T
    log_p0, log_p1 = columns[:2]
    value = label_log_density(log_p0, log_p1, statistics) if with_value else np.nan
    return value, label_gradient(log_p0, log_p1, columns[2:4], columns[4:], statistics)
