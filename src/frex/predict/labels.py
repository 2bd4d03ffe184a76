"""Labels that respect the tree, from probabilities and thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from scipy import sparse

from frex.corpus import remove_redundant_ancestors, with_ancestors
from frex.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.tree import TopicTree

Form: TypeAlias = Literal["open", "closed"]


def choose_labels(
    probabilities: NDArray[np.float64],
    thresholds: NDArray[np.float64],
    tree: TopicTree,
    *,
    form: Form = "open",
    at_least_one: bool = True,
) -> sparse.csr_array[np.bool_]:
    """Return the labels of documents, documents x topics.

    Parameters
    ----------
    probabilities, thresholds
        The probability of each topic in each document, and the one from which it is a label.
    tree
        The topics.
    form
        ``"open"``: a topic that has a more specific one below it among the labels is left out, as
        in a corpus. ``"closed"``: a label brings all topics above it along.
    at_least_one
        Give a document in which no topic reaches its threshold the one that comes nearest, as the
        odds go.
    """
    if form not in ("open", "closed"):
        raise InputError(f"form={form!r} is not a choice", remedy="Use 'open' or 'closed'.")
    reached = probabilities >= thresholds
    if at_least_one and reached.shape[1]:
        bare = np.flatnonzero(~reached.any(axis=1))
        lead = _log_odds(probabilities[bare]) - _log_odds(thresholds)
        reached[bare, np.argmax(lead, axis=1)] = True
    labels = sparse.csr_array(reached)
    return (
        remove_redundant_ancestors(labels, tree) if form == "open" else with_ancestors(labels, tree)
    )


def _log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    inside = np.clip(probability, 1e-300, 1.0 - 1e-16)
    odds: NDArray[np.float64] = np.log(inside) - np.log1p(-inside)
    return odds
