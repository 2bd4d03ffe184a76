"""Every word's rate and exclusivity in every topic, in the reduced precision of the page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from frex.explorer.packing import Scale, whole_type
from frex.posterior.compared import exclusivity_of, frequency_of
from frex.posterior.guards import refuse_not_finite
from frex.posterior.words import score
from frex.scores import ecdf, exclusivity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from frex.posterior import Posterior

_BLOCK = 64
"""Lists that are ranked at a time, so that few of the arrays on disk are in memory at once."""
SHARES = Scale.over(0.0, 1.0)
"""The scale of exclusivities."""


class WordList(NamedTuple):
    """One of the lists of words that the page has."""

    node: int
    of: Literal["topic", "branch"]  #: whose words they are


class Column(NamedTuple):
    """One score of all words in all lists, lists x words.

    The rank of a word is the number of the list's words that score no higher: over the number of
    words it is the ECDF, exactly.
    """

    values: NDArray[np.uint16]
    ranks: NDArray[np.uint16 | np.uint32]

    def ecdf(self, row: int) -> NDArray[np.float64]:
        """Return the ECDF of a list's words."""
        return np.asarray(self.ranks[row] / self.ranks.shape[1])


class Table(NamedTuple):
    """Data of the words in topics."""

    lists: list[WordList]  #: first the one that each topic is shown by, then what else there is
    rates: Column  #: logarithms, on `scale`
    scale: Scale
    exclusivity: dict[str, Column]  #: by comparison set


def make_lists(posterior: Posterior) -> list[WordList]:
    """Return the main list of each topic, then the other list of topics with two.

    An inner topic has its own words and those of its branch.
    """
    branches, nodes = posterior.branches, range(1, posterior.tree.n_nodes)
    shown = [WordList(node, branches.of(node, "auto")) for node in nodes]
    other: dict[str, Literal["topic", "branch"]] = {"topic": "branch", "branch": "topic"}
    inner = [node for node in nodes if branches.of(node, "branch") == "branch"]
    return shown + [WordList(node, other[shown[node - 1].of]) for node in inner]


def make_table(posterior: Posterior, *, progress: Callable[[int], None] | None = None) -> Table:
    """Rank all words in all lists, in each comparison set.

    The sets are those that the fit averaged, then siblings and all topics if it did not; their
    exclusivity is that of the typical rates. `progress` is called for each list and score.
    """
    refuse_not_finite(posterior)
    lists, rates = make_lists(posterior), posterior.frequency
    scale = Scale.over(np.log(rates.min()), np.log(rates.max()))

    def scores(
        own: NDArray[np.float64], of_branch: Callable[[int], NDArray[np.float64]]
    ) -> Iterator[NDArray[np.float64]]:
        for start in range(0, len(lists), _BLOCK):
            some = lists[start : start + _BLOCK]
            block = np.ascontiguousarray(own[:, [node - 1 for node, _ in some]].T)
            for row, (node, of) in enumerate(some):
                if of == "branch":
                    block[row] = of_branch(node)
            yield block

    sets = {}
    for name in dict.fromkeys([*posterior.exclusivity, "siblings", "all"]):
        of_branch = partial(exclusivity_of, posterior, compare=name, of="branch")
        sets[name] = _column(scores(_shares(posterior, name), of_branch), SHARES, progress)
    blocks = scores(rates, partial(frequency_of, posterior, of="branch"))
    return Table(lists, _column(blocks, scale, progress, of=np.log), scale, sets)


def _shares(posterior: Posterior, name: str) -> NDArray[np.float64]:
    """Return the exclusivity of all words in all topics, words x topics."""
    if name in posterior.exclusivity:
        return posterior.exclusivity[name].mean
    if name == "all":  # one sum over topics serves them all
        return exclusivity(posterior.frequency.T).T
    return score(posterior, by="exclusivity", compare=name, of="topic").T


def _column(
    scores: Iterator[NDArray[np.float64]],
    scale: Scale,
    progress: Callable[[int], None] | None,
    of: Callable[[Any], Any] = np.asarray,
) -> Column:
    """Rank the words by scores, blocks of lists x words, and code a function of them."""
    values, ranks = [], []
    for block in scores:
        n_words = block.shape[1]
        values.append(scale.codes(of(block)))
        ranks.append(np.rint(ecdf(block) * n_words).astype(whole_type(n_words)))
        if progress is not None:
            progress(len(block))
    return Column(np.concatenate(values), np.concatenate(ranks))
