"""One topic of a fit for plots: the frequency of its words, and their exclusivity in a set."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from frex.plots.style import shorten
from frex.posterior.compared import Compare, compared_with, exclusivity_of, frequency_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from frex.posterior import Posterior
    from frex.posterior.branches import Of
    from frex.tree import TopicTree


class Topic(NamedTuple):
    """A topic, its comparison set, and two numbers for each word."""

    node: int
    compared: tuple[int, ...]  #: the nodes of the comparison set, the topic among them
    frequency: NDArray[np.float64]
    exclusivity: NDArray[np.float64]
    shown: str  #: whether the words are those of the ``"topic"`` or of its ``"branch"``


def find_topic(
    posterior: Posterior, topic: str | int, compare: Compare = None, of: Of = "auto"
) -> Topic:
    """Find a topic by its name, title or node.

    Parameters
    ----------
    posterior, topic
        The fit, and the topic.
    compare, of
        As for `frex.posterior.words.score`.
    """
    node = posterior.find(topic) if isinstance(topic, str) else topic
    return Topic(
        node,
        compared_with(posterior, node, compare, of),
        frequency_of(posterior, node, of),
        exclusivity_of(posterior, node, compare, of),
        posterior.branches.of(node, of),
    )


def display_words(posterior: Posterior) -> Sequence[str]:
    """Return the display forms of the words."""
    return posterior.surface or posterior.words


def described(tree: TopicTree, node: int, compared: Sequence[int], shown: str = "topic") -> str:
    """Describe a topic's comparison set, e.g. *admin::backup beside its 18 siblings*."""
    named = shorten(tree.names[node]) + (" with all below it," if shown == "branch" else "")
    others = tuple(other for other in compared if other != node)
    if not others:
        against = "no other topic"
    elif others == tree.siblings(node):
        against = "its one sibling" if len(others) == 1 else f"its {len(others)} siblings"
    elif others == (int(tree.parents[node]),):
        against = "its parent, as an only child"
    elif len(compared) == tree.n_topics:
        against = "all other topics"
    else:
        against = f"{len(others)} other topics"
    return f"{named} beside {against}"
