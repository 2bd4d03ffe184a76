"""Topics that occur together: correlations of memberships over documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.posterior import Posterior

    Array: TypeAlias = NDArray[np.float64]
    Flags: TypeAlias = NDArray[np.bool_]

LEAST = 0.05
"""A correlation below this has no line on the map."""

LINES, MOST = 2.0, 300
"""Largest number of lines on the map, for each topic, and in all."""


def correlations(posterior: Posterior) -> Array:
    """Return Pearson's correlation of the memberships of each pair of topics, topics x topics.

    A document without the label has the membership 0. If all memberships of a topic are equal the
    correlation is 0.

    Parameters
    ----------
    posterior
        The fit.
    """
    memberships = posterior.membership_matrix()
    n = max(memberships.shape[0], 1)
    means = np.asarray(memberships.sum(axis=0)).ravel() / n
    covariance = (memberships.T @ memberships).toarray() / n - np.outer(means, means)
    spread = np.sqrt(np.clip(np.diag(covariance), 0.0, None))
    scale = np.outer(spread, spread)
    told = scale > 1e-12 * max(float(scale.max(initial=0.0)), np.finfo(np.float64).tiny)
    found: Array = np.divide(covariance, scale, out=np.zeros_like(covariance), where=told)
    return found


def strongest(found: Array, known: Flags) -> list[tuple[int, int, float]]:
    """Return the pairs of topics with the highest correlations, the strongest first.

    Parameters
    ----------
    found
        Correlations, topics x topics.
    known
        For each topic, whether it has enough documents for meaningful correlations.
    """
    first, second = np.triu_indices(len(found), 1)
    both = known[first] & known[second]
    first, second = first[both], second[both]
    values = found[first, second]
    most = min(int(LINES * len(found)), MOST, int((values >= LEAST).sum()))
    best = np.argsort(-values, kind="stable")[:most]
    return [(int(first[i]), int(second[i]), round(float(values[i]), 3)) for i in best]
