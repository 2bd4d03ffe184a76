"""Exclusivity of every word in every topic: its rate over the sum of those compared with it."""

from __future__ import annotations

import numpy as np

from frex.sampler.kernels.options import parallel

SCALE = 2.0**-40
"""A power of two, so that it changes no bit of a share."""


@parallel("rates")
def exclusivity(stretch, rates, set_starts, set_nodes, set_of_topic, apart, out):
    """Fill phi[f,k] = beta[f,k] / sum of beta[f,j] over the topic's comparison set.

    Topics share a set's sum; where `apart` is 1 the topic is not in the set, and is added. A rate
    is at most 8e307 (`elementary.exp`), of which two have no sum in double precision: so all are
    scaled down.
    """
    n_sets = len(set_starts) - 1
    for f in range(*stretch):
        sums = np.zeros(n_sets)
        for s in range(n_sets):
            for place in range(set_starts[s], set_starts[s + 1]):
                sums[s] += SCALE * rates[f, set_nodes[place]]
        for k in range(len(set_of_topic)):
            own = SCALE * rates[f, k + 1]
            out[f, k] = own / (sums[set_of_topic[k]] + apart[k] * own)
