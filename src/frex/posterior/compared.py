"""A topic's rates, and its exclusivity within a comparison set.

Both are those of the topic or of its branch (`frex.posterior.branches`). For a comparison set that
the fit averaged, exclusivity is the mean over draws; for any other, it is that of the typical
rates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from frex.tree.comparisons import compare_fitted, comparison_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from frex.posterior.branches import Of
    from frex.posterior.posterior import Moment, Posterior

    Array: TypeAlias = NDArray[np.float64]

Compare: TypeAlias = "str | int | Sequence[str] | None"


def compared_with(
    posterior: Posterior, node: int, compare: Compare = None, of: Of = "auto"
) -> tuple[int, ...]:
    """Return the nodes of a topic's comparison set, including the topic.

    Parameters
    ----------
    posterior, node
        The fit, and the topic in its tree.
    compare, of
        As for `score`; a set that the fit averaged may be given by name.
    """
    choice = fitted_set(posterior, compare)
    if posterior.branches.of(node, of) == "branch":
        return posterior.branches.compared(node, choice)
    return posterior.tree.comparison_set(node, choice)


def fitted_set(posterior: Posterior, compare: Compare) -> str | int | tuple[str, ...]:
    """Return the comparison set among the topics of the fit, resolving names of averaged sets."""
    made = (tuple(c) if isinstance(c, list) else c for c in posterior.settings.get("compare", ()))
    averaged = {comparison_name(choice): choice for choice in made}
    name = set_name(posterior, compare)
    return _fitted(posterior, averaged.get(name, name if compare is None else compare))


def set_name(posterior: Posterior, compare: Compare) -> str:
    """Return the name that a fit gives to a comparison set, whether it averaged it or not."""
    if compare is None:
        return next(iter(posterior.exclusivity), "siblings")
    return comparison_name(_fitted(posterior, compare))


def _fitted(
    posterior: Posterior, compare: str | int | Sequence[str]
) -> str | int | tuple[str, ...]:
    """Return the comparison set among the topics of the fit."""
    choice = compare if isinstance(compare, str | int) else tuple(compare)
    return compare_fitted(choice, posterior.without_documents)


def averaged(posterior: Posterior, compare: Compare) -> Moment | None:
    """Return the exclusivity that the fit averaged for this set, or None."""
    return posterior.exclusivity.get(set_name(posterior, compare))


def frequency_of(posterior: Posterior, node: int, of: Of = "auto") -> Array:
    """Return the typical rate of every word in a topic or its branch."""
    if posterior.branches.of(node, of) == "branch":
        return posterior.branches.rates(node)
    return np.asarray(np.exp(posterior.log_rates.mean[:, node]))


def exclusivity_of(
    posterior: Posterior, node: int, compare: Compare = None, of: Of = "auto"
) -> Array:
    """Return the exclusivity of every word in a topic: the mean over draws, or of typical rates.

    The parameters are those of `compared_with`.
    """
    if posterior.branches.of(node, of) == "branch":
        return posterior.branches.exclusivity(node, fitted_set(posterior, compare))
    moment = averaged(posterior, compare)
    if moment is not None:
        return np.array(moment.mean[:, node - 1])
    rates = posterior.rates
    compared = compared_with(posterior, node, compare, "topic")
    return np.asarray(rates[:, node] / _summed(rates, compared))


def exclusivity_of_means(posterior: Posterior, compare: Compare) -> Array:
    """Return the exclusivity of the typical rates, topics x words; each set is summed once."""
    rates, tree, choice = posterior.rates, posterior.tree, fitted_set(posterior, compare)
    sets = [tree.compared_with(node, choice) for node in range(1, tree.n_nodes)]
    sums = {nodes: _summed(rates, nodes) for nodes in dict.fromkeys(sets)}
    shares = np.ascontiguousarray(rates[:, 1:].T)
    for k, nodes in enumerate(sets):
        shares[k] /= sums[nodes] if k + 1 in nodes else sums[nodes] + shares[k]
    return shares


def _summed(rates: Array, nodes: tuple[int, ...]) -> Array:
    return np.asarray(rates[:, list(nodes)].sum(axis=1))
