"""Labels that respect the tree, from probabilities and thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from scipy import sparse

from frex.corpus import remove_redundant_ancestors, with_ancestors
from frex.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.tree import TopicTree

Form: TypeAlias = Literal["open", "closed"]
"""Forms of labels as editors give them."""

AnyForm: TypeAlias = Literal["open", "closed", "cautious"]
"""The last has an inner topic if the leaf is uncertain (`frex.predict.branches`)."""


def choose_labels(
    probabilities: NDArray[np.float64],
    thresholds: NDArray[np.float64],
    tree: TopicTree,
    *,
    form: Form = "open",
    at_least_one: bool = True,
    most: int | None = None,
) -> sparse.csr_array[np.bool_]:
    """Return the labels of documents, documents x topics.

    Parameters
    ----------
    probabilities, thresholds
        The probability of each topic in each document, and the least probability of a label; a
        topic with threshold 1 is never a label.
    tree
        The topics.
    form
        ``"open"``: a topic is left out if a more specific one below it is a label, as in a corpus.
        ``"closed"``: all topics above a label are added.
    at_least_one
        Whether a document in which no topic reaches its threshold gets the topic that is closest to
        it in log odds.
    most
        Most topics of a document, those furthest above their thresholds; applied before the form.
    """
    if form not in ("open", "closed"):
        raise InputError(f"form={form!r} is not a choice", remedy="Use 'open' or 'closed'.")
    reached = (probabilities >= thresholds) & (thresholds < 1.0)
    n_reached = reached.sum(axis=1)
    if at_least_one and reached.shape[1]:
        bare = np.flatnonzero(n_reached == 0)
        reached[bare, np.argmax(_lead(probabilities[bare], thresholds), axis=1)] = True
    if most is not None:
        full = np.flatnonzero(n_reached > most)
        lead = np.where(reached[full], _lead(probabilities[full], thresholds), -np.inf)
        foremost = np.argsort(-lead, axis=1, kind="stable")[:, :most]
        reached[full] = False
        reached[full[:, None], foremost] = True
    labels = sparse.csr_array(reached)
    return (
        remove_redundant_ancestors(labels, tree) if form == "open" else with_ancestors(labels, tree)
    )


def _lead(probabilities: NDArray[np.float64], thresholds: NDArray[np.float64]) -> Any:
    """Return how far each topic is above its threshold, in log odds."""
    lead = _log_odds(probabilities) - _log_odds(thresholds)
    return np.where(thresholds < 1.0, lead, -np.inf)


def _log_odds(probability: NDArray[np.float64]) -> NDArray[np.float64]:
    inside = np.clip(probability, 1e-300, 1.0 - 1e-16)
    odds: NDArray[np.float64] = np.log(inside) - np.log1p(-inside)
    return odds
