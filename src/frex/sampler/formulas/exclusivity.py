"""Exclusivity of a word in a topic: its rate over the sum of those compared with it."""

from __future__ import annotations

from frex.sampler.formulas.options import formula

SCALE = 2.0**-40
"""A power of two, so that it changes no bit of a share.

A rate is at most 8e307 (`elementary.exp`), of which two have no sum in double precision: so all are
scaled down."""


@formula
def scaled_sum(f, rates, nodes, first, last):
    """Return the sum of a word's rates at some nodes, scaled down."""
    total = 0.0
    for place in range(first, last):
        total += SCALE * rates[f, nodes[place]]
    return total


@formula
def share(rate, total, outside):
    """Return a rate's share of a sum that is scaled down; it is not in it where `outside` is 1."""
    own = SCALE * rate
    return own / (total + outside * own)
