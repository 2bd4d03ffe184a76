"""Exclusivity of every word in every topic: its rate over the sum of those compared with it."""

from __future__ import annotations

import numpy as np

from frex.sampler.formulas.exclusivity import scaled_sum, share
from frex.sampler.kernels.options import parallel


@parallel("rates")
def exclusivity(stretch, rates, set_starts, set_nodes, set_of_topic, outside, out):
    """Fill phi[f,k] = beta[f,k] / sum of beta[f,j] over the topic's comparison set.

    Topics share a set's sum; where `outside` is 1 the topic is not in the set, and is added.
    """
    n_sets = len(set_starts) - 1
    for f in range(*stretch):
        sums = np.zeros(n_sets)
        for s in range(n_sets):
            sums[s] = scaled_sum(f, rates, set_nodes, set_starts[s], set_starts[s + 1])
        for k in range(len(set_of_topic)):
            out[f, k] = share(rates[f, k + 1], sums[set_of_topic[k]], outside[k])
