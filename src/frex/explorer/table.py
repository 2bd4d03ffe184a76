"""Every word's rate and exclusivity in every topic, in the few bits that the page needs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from frex.explorer.packing import Scale, whole_type
from frex.posterior.guards import refuse_not_finite
from frex.posterior.words import score
from frex.scores import ecdf, exclusivity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from frex.posterior import Posterior

_BLOCK = 64
"""Topics that are ranked at a time, so that few of the arrays on disk are in memory at once."""
SHARES = Scale.over(0.0, 1.0)
"""The scale of exclusivities."""


class Column(NamedTuple):
    """One score of all words in all topics, topics x words.

    The rank of a word is the number of the topic's words that score no higher: over the number of
    words it is the ECDF, exactly.
    """

    values: NDArray[np.uint16]
    ranks: NDArray[np.uint16 | np.uint32]

    def ecdf(self, topic: int) -> NDArray[np.float64]:
        """Return the ECDF of a topic's words."""
        return np.asarray(self.ranks[topic] / self.ranks.shape[1])


class Table(NamedTuple):
    """What the page says of words in topics."""

    rates: Column  #: logarithms, on `scale`
    scale: Scale
    exclusivity: dict[str, Column]  #: by comparison set


def make_table(posterior: Posterior, *, progress: Callable[[int], None] | None = None) -> Table:
    """Rank all words in all topics, in each comparison set.

    The sets are those that the fit averaged, then siblings and all topics where it did not; their
    exclusivity is that of the typical rates. `progress` is told of each topic once for each score.
    """
    refuse_not_finite(posterior)
    rates = posterior.frequency
    scale = Scale.over(np.log(rates.min()), np.log(rates.max()))
    sets = {}
    for name in dict.fromkeys([*posterior.exclusivity, "siblings", "all"]):
        sets[name] = _column(_shares(posterior, name), SHARES, progress)
    return Table(_column(rates, scale, progress, of=np.log), scale, sets)


def _shares(posterior: Posterior, name: str) -> NDArray[np.float64]:
    """Return the exclusivity of all words in all topics, words x topics."""
    if name in posterior.exclusivity:
        return posterior.exclusivity[name].mean
    if name == "all":  # one sum over topics serves them all
        return exclusivity(posterior.frequency.T).T
    return score(posterior, by="exclusivity", compare=name).T


def _column(
    scores: NDArray[np.float64],
    scale: Scale,
    progress: Callable[[int], None] | None,
    of: Callable[[Any], Any] = np.asarray,
) -> Column:
    """Rank the words by scores, words x topics, and code a function of them."""
    n_words, n_topics = scores.shape
    values = np.empty((n_topics, n_words), dtype=np.uint16)
    ranks = np.empty((n_topics, n_words), dtype=whole_type(n_words))
    for topics in _blocks(n_topics):
        block = np.ascontiguousarray(scores[:, topics].T)
        values[topics] = scale.codes(of(block))
        ranks[topics] = np.rint(ecdf(block) * n_words)
        if progress is not None:
            progress(len(block))
    return Column(values, ranks)


def _blocks(n_topics: int) -> Iterator[slice]:
    for start in range(0, n_topics, _BLOCK):
        yield slice(start, start + _BLOCK)
