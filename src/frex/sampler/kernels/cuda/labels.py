"""How likely topics are to label a document, on the GPU: `model/labels.py` explains it.

A block has a topic. The trapezoidal rule's points are shared out among its threads.
"""

from __future__ import annotations

import math

from numba import cuda, float64

from frex.model.labels import _GAUSSIAN_STEP as GAUSSIAN_STEP
from frex.model.labels import _LOGISTIC_STEP as LOGISTIC_STEP
from frex.model.labels import _REACH as REACH
from frex.model.priors import LOG_TWO_PI
from frex.sampler.kernels.cuda.affinities import log_logistic
from frex.sampler.kernels.cuda.blocks import block_max, block_sum
from frex.sampler.kernels.cuda.options import SUM_THREADS, device, kernel


@device
def highest_mode(mean, sd):
    """Bound z at the mode of logistic(mean + sd z) Normal(z; 0, 1)."""
    return min(sd, (max(-mean, 0.0) + math.log1p(sd * sd)) / sd)


@kernel
def label_terms(affinity_mean, sd, out):
    """Fill by topic log P0, log P1 and the gradients of both in eta and log lambda: 6 columns.

    `affinity_mean` is by node, the root's being left out.
    """
    buffer = cuda.shared.array(SUM_THREADS, float64)
    topic = cuda.blockIdx.x
    mean = affinity_mean[topic + 1]
    start = -highest_mode(-mean, sd) - REACH
    width = highest_mode(mean, sd) + REACH - start
    n_steps = int(width / min(GAUSSIAN_STEP, LOGISTIC_STEP / sd)) + 2
    step = width / n_steps
    top0 = -math.inf
    top1 = -math.inf
    top2 = -math.inf
    for point in range(cuda.threadIdx.x, n_steps + 1, cuda.blockDim.x):
        z = start + step * point
        log_p, log_q = log_logistic(mean + sd * z), log_logistic(-mean - sd * z)
        top0 = max(top0, log_q - 0.5 * z * z)
        top1 = max(top1, log_p - 0.5 * z * z)
        top2 = max(top2, log_p + log_q - 0.5 * z * z)
    top0, top1, top2 = block_max(top0, buffer), block_max(top1, buffer), block_max(top2, buffer)
    sum0 = 0.0
    sum1 = 0.0
    sum2 = 0.0
    shift = 0.0
    for point in range(cuda.threadIdx.x, n_steps + 1, cuda.blockDim.x):
        z = start + step * point
        log_p, log_q = log_logistic(mean + sd * z), log_logistic(-mean - sd * z)
        sum0 += math.exp(log_q - 0.5 * z * z - top0)
        sum1 += math.exp(log_p - 0.5 * z * z - top1)
        both = math.exp(log_p + log_q - 0.5 * z * z - top2)
        sum2 += both
        shift += both * sd * z
    sum0, sum1 = block_sum(sum0, buffer), block_sum(sum1, buffer)
    sum2, shift = block_sum(sum2, buffer), block_sum(shift, buffer)
    if cuda.threadIdx.x == 0:
        log_weight = math.log(step) - 0.5 * LOG_TWO_PI
        log_p0, log_p1 = math.log(sum0) + top0, math.log(sum1) + top1
        log_both = math.log(sum2) + top2
        out[topic, 0] = log_p0 + log_weight
        out[topic, 1] = log_p1 + log_weight
        out[topic, 2] = -math.exp(log_both - log_p0)
        out[topic, 3] = -math.exp(log_both - log_p0) * shift / sum2
        out[topic, 4] = math.exp(log_both - log_p1)
        out[topic, 5] = math.exp(log_both - log_p1) * shift / sum2
