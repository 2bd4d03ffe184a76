"""Branches: the rates of a topic's documents together with those of all topics below it.

The log rates of a topic without documents of its own are the centre of its children's, which makes
a bad word list. The rate of its branch is the rate of a word in all documents filed below the topic
(section 6 of the model), with the exposures E of the topics j of the subtree::

    sum_j E_j exp(mu_j) / sum_j E_j

A branch is compared with the branches of the topic's siblings. Branches are computed from posterior
means, so there are no draws of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from frex.tree import TopicTree

    Array: TypeAlias = NDArray[np.float64]

Of: TypeAlias = Literal["auto", "topic", "branch"]
_BLOCK = 64  # columns of log rates in memory at a time


class Branches:
    """The branches of a fit's topics, computed on request and cached.

    A branch is computed from those directly below it, so that each log rate is read once for any
    depth of the tree. The rates of inner topics and the sums over comparison sets are cached.

    Parameters
    ----------
    tree
        The topics of the fit.
    log_rates
        Posterior means, words x nodes.
    exposures
        For each topic, the sum over its documents of relative length times membership.
    """

    def __init__(self, tree: TopicTree, log_rates: Array, exposures: Array) -> None:
        self._tree = tree
        self._log_rates = log_rates
        self._own = np.concatenate([[0.0], exposures])
        self._below = np.concatenate([[0.0], tree.sum_up(exposures)])  # and of the topic itself
        sizes = np.concatenate([[tree.n_nodes], tree.sum_up(np.ones(tree.n_topics, np.int64))])
        self._ends = np.arange(tree.n_nodes) + sizes
        self._rates: dict[int, Array] = {}
        self._sums: dict[tuple[int, ...], Array] = {}

    def of(self, node: int, of: Of) -> Literal["topic", "branch"]:
        """Return whether a topic shows its own words or those of its branch.

        Parameters
        ----------
        node
            The topic.
        of
            ``"auto"``: the branch of a topic that has topics below it and no documents of its own.
            ``"branch"``: the branch of any inner topic; a leaf is its own branch.
        """
        if of not in get_args(Of):
            raise InputError(f"of is {of!r}", remedy=f"Choose {', '.join(get_args(Of))}.")
        inner = bool(self._tree.children(node)) and self._below[node] > 0
        wanted = of == "branch" or (of == "auto" and self._own[node] == 0)
        return "branch" if inner and wanted else "topic"

    def rates(self, node: int) -> Array:
        """Return the branch's rate of each word."""
        if self.of(node, "branch") == "topic":
            return np.asarray(np.exp(self._log_rates[:, node]))
        if node not in self._rates:
            for inner in range(self._ends[node] - 1, node - 1, -1):  # children before their parents
                if inner not in self._rates and self.of(inner, "branch") == "branch":
                    self._rates[inner] = self._mean(inner)
        return self._rates[node]

    def _mean(self, node: int) -> Array:
        """Return the mean of the topic's own rates and of the branches below, by exposures."""
        children = self._tree.children(node)
        own = self._own[node] * np.exp(self._log_rates[:, node])
        below = self._sum(children, self._below[list(children)])
        return np.asarray((own + below) / self._below[node])

    def exclusivity(self, node: int, compare: str | int | Sequence[str] = "siblings") -> Array:
        """Return the branch's share of each word's rates, summed over the comparison set.

        Parameters
        ----------
        node
            The topic.
        compare
            As for `compared`.
        """
        others = self._others(node, compare)
        if others not in self._sums:
            self._sums[others] = self._sum(others, np.ones(len(others)))
        rates = self.rates(node)
        related = [other for other in others if other != node and self._overlap(node, other)]
        rest = self._sums[others] - self._sum(related, np.ones(len(related)))
        if node in others:
            rest = rest - rates
        return np.asarray(rates / (rates + rest.clip(min=0)))  # a difference may round below 0

    def compared(
        self, node: int, compare: str | int | Sequence[str] = "siblings"
    ) -> tuple[int, ...]:
        """Return the nodes whose branches a branch is compared with, itself included.

        Parameters
        ----------
        node
            The topic.
        compare
            As for `TopicTree.comparison_set`, with two differences. An only child is compared in
            the place of the nearest topic above it that has siblings. Topics above or below the
            topic are left out, because branches would share documents. The set may contain only the
            topic.
        """
        others = self._others(node, compare)
        return tuple(sorted({node, *(n for n in others if not self._overlap(node, n))}))

    def _others(self, node: int, compare: str | int | Sequence[str]) -> tuple[int, ...]:
        """Return the comparison set in a form that is equal for topics with equal sums over it."""
        tree = self._tree
        if isinstance(compare, int):
            return tree.at_level(compare)
        if not isinstance(compare, str):
            return tuple(sorted({tree.node(name) for name in compare}))
        if compare != "siblings":
            return tree.comparison_set(node, compare)
        for number in (node, *tree.ancestors(node)):
            if tree.siblings(number):
                return tree.children(int(tree.parents[number]))
        return (node,)

    def _overlap(self, node: int, other: int) -> bool:
        """Tell whether one of two topics is below the other, or they are the same."""
        first, second = sorted((node, other))
        return second < int(self._ends[first])

    def _sum(self, nodes: Sequence[int], weights: Array) -> Array:
        """Return the weighted sum of the rates of branches."""
        numbers = np.asarray(nodes, dtype=np.int64)
        is_inner = np.array([self.of(int(n), "branch") == "branch" for n in numbers], np.bool_)
        total = np.zeros(len(self._log_rates))
        leaves, weight = numbers[~is_inner], weights[~is_inner]
        for first in range(0, len(leaves), _BLOCK):
            some = slice(first, first + _BLOCK)
            # .sum adds in the same order for all words, so that equal words tie exactly
            total += (np.exp(self._log_rates[:, leaves[some]]) * weight[some]).sum(axis=1)
        for node, share in zip(numbers[is_inner], weights[is_inner], strict=True):
            total += share * self.rates(int(node))
        return total
