"""Positions of topics on the map: topics with similar words are close."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.decomposition import PCA
from sklearn.manifold import TSNE
from threadpoolctl import threadpool_limits

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]

_PERPLEXITY = 15.0
"""Approximate number of neighbours to which a topic should be close."""

_FEW = 8
"""Up to this number, topics are placed by their two principal components, without t-SNE."""

_ALIKE = 1e-9
"""Topics whose roots of shares differ by less have the same words: they stand in a row."""


def distances(rates: Array) -> Array:
    """Return the Hellinger distance of the topics' words, topics x topics, from 0 to 1.

    Parameters
    ----------
    rates
        Topics x words.
    """
    roots = _roots(rates)
    found: Array = np.sqrt(np.clip(1.0 - roots @ roots.T, 0.0, 1.0))
    np.fill_diagonal(found, 0.0)
    return found


def lay_out(rates: Array) -> Array:
    """Return positions of topics in a square from 0 to 1, topics x 2.

    Near neighbours are preserved (t-SNE of Hellinger distances), large distances are not.

    Parameters
    ----------
    rates
        Topics x words.
    """
    n_topics = len(rates)
    roots = _roots(rates)
    if n_topics < 3 or np.ptp(roots, axis=0).max() < _ALIKE:
        return np.column_stack([np.linspace(0.2, 0.8, n_topics), np.full(n_topics, 0.5)])
    # two directions of at least three: words that no topic has change none of them
    roots = np.pad(roots, ((0, 0), (0, max(0, 3 - roots.shape[1]))))
    directions = PCA(2, svd_solver="arpack" if n_topics > _FEW else "full", random_state=0)
    places = directions.fit_transform(roots)
    if n_topics > _FEW:
        spread = places / max(places[:, 0].std(), np.finfo(np.float64).tiny) * 1e-4
        perplexity = min(_PERPLEXITY, (n_topics - 1) / 3)
        reducer = TSNE(
            2, metric="precomputed", init=spread, perplexity=perplexity, random_state=0, n_jobs=1
        )
        with threadpool_limits(1):  # steps are so short that threads only wait for one another
            places = reducer.fit_transform(distances(rates))
    low, high = places.min(axis=0), places.max(axis=0)
    return np.asarray((places - low) / np.where(high > low, high - low, 1.0))


def _roots(rates: Array) -> Array:
    """Return the roots of the shares of words: their scalar products measure overlap."""
    return np.asarray(np.sqrt(rates / rates.sum(axis=1, keepdims=True)))
