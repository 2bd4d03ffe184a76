"""Label probabilities of topics, with their slopes; `model/labels.py` explains them."""

from __future__ import annotations

import math

import numpy as np

from frex.model.labels import GAUSSIAN_STEP, LOGISTIC_STEP, REACH
from frex.model.priors import LOG_TWO_PI
from frex.sampler.formulas.elementary import exp
from frex.sampler.formulas.labels import highest_mode, log_integrands
from frex.sampler.kernels.options import inner, parallel


@inner
def log_sum(log_terms):
    """Return the log of a sum, and replace the terms by what is proportional to them."""
    highest = -math.inf
    for i in range(len(log_terms)):
        highest = max(highest, log_terms[i])
    total = 0.0
    for i in range(len(log_terms)):
        log_terms[i] = exp(log_terms[i] - highest)
        total += log_terms[i]
    return math.log(total) + highest


@parallel("terms")
def label_probabilities(stretch, mean, sd, first, terms):
    """Fill log P0 and log P1, and the slopes of each in eta_k and log lambda.

    `terms` is topics x 6, of those from `first` on. The three integrals of a topic, of logistic, of
    1 - logistic and of their product against the normal density, share one grid that holds the
    modes of all. Half of the work of the reference, and an eighth of its time: it is asked for
    eleven times a scan.
    """
    step = min(GAUSSIAN_STEP, LOGISTIC_STEP / sd)
    for row in range(*stretch):
        k = first + row
        start = -highest_mode(-mean[k], sd) - REACH
        width = highest_mode(mean[k], sd) + REACH - start
        n_steps = math.ceil(width / step) + 1
        own_step = width / n_steps
        grid = np.empty((3, n_steps + 1))
        present, absent, both = grid[0], grid[1], grid[2]
        for i in range(n_steps + 1):
            present[i], absent[i], both[i] = log_integrands(mean[k], sd, start + own_step * i)
        log_p1 = log_sum(present)
        log_p0 = log_sum(absent)
        log_q = log_sum(both)
        weight = 0.0
        shift = 0.0
        for i in range(n_steps + 1):
            weight += both[i]
            shift += both[i] * (start + own_step * i)
        shift *= sd / weight
        log_weight = math.log(own_step) - 0.5 * LOG_TWO_PI
        slope_p0 = -math.exp(log_q - log_p0)
        slope_p1 = math.exp(log_q - log_p1)
        terms[row, 0] = log_p0 + log_weight
        terms[row, 1] = log_p1 + log_weight
        terms[row, 2] = slope_p0
        terms[row, 3] = slope_p0 * shift
        terms[row, 4] = slope_p1
        terms[row, 5] = slope_p1 * shift
