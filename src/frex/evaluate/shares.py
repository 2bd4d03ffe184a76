"""The shares of given distributions in another one: a mixture fitted by EM.

Shares maximise the mean log probability of a topic's words under the mixture, as memberships do for
a document.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]

TOGETHER, ALONE = 12, 200
"""Numbers of steps with all components, and with the remaining components."""

LEFT, LEAST, ENOUGH = 32, 1e-4, 1e-5
"""Most remaining components, the least share of one of them, and the change in a step at which the
iteration stops."""


def mixture_shares(topics: Array, components: Array) -> Array:
    """Return the shares of components in each topic: topics x components.

    Parameters
    ----------
    topics
        Topics x words, distributions.
    components
        Components x words, distributions without zeros. The last one, the background, starts with
        half of every topic.
    """
    start = np.full(len(components), 0.5 / max(len(components) - 1, 1))
    start[-1] = 0.5
    shares = np.tile(start, (len(topics), 1))
    for _ in range(TOGETHER):
        shares *= (topics / (shares @ components)) @ components.T
    found = np.zeros_like(shares)
    for row, (topic, begun) in enumerate(zip(topics, shares, strict=True)):
        left = np.argsort(-begun, kind="stable")[:LEFT]
        left = left[begun[left] > LEAST]
        found[row, left] = _alone(topic, components[left], begun[left] / begun[left].sum())
    return found


def explained(topics: Array, mixtures: Array, background: Array) -> Array:
    """Return the share of each topic's divergence from the background that its mixture explains.

    The divergence is Kullback and Leibler's. A topic equal to the background has 0.

    Parameters
    ----------
    topics, mixtures
        Topics x words.
    background
        A distribution over words.
    """
    seen = topics > 0
    logs = np.log(topics, out=np.zeros_like(topics), where=seen)
    whole = (topics * (logs - np.log(background))).sum(axis=1)
    left = (topics * (logs - np.log(mixtures, out=logs.copy(), where=seen))).sum(axis=1)
    return np.where(whole > 1e-9, 1 - left / np.maximum(whole, 1e-9), 0.0).clip(0, 1)


def _alone(topic: Array, components: Array, shares: Array) -> Array:
    seen = topic > 0
    topic, components = topic[seen], components[:, seen]
    for _ in range(ALONE):
        before = shares
        shares = shares * (components @ (topic / (shares @ components)))
        if np.abs(shares - before).max() < ENOUGH:
            break
    return shares
