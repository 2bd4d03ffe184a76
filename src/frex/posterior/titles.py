"""Titles for topics without names: their best words by FREX."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from frex.scores import frex_from
from frex.tree import TopicTree

if TYPE_CHECKING:
    from frex.posterior.posterior import Posterior

N_WORDS = 3


def titled_by_words(posterior: Posterior, first: int = 0) -> Posterior:
    """Return the fit with the three best words of each topic as its title.

    Names do not change, nor do the titles of topics before `first`.
    """
    forms = posterior.words if posterior.surface is None else posterior.surface
    exclusivity = next(iter(posterior.exclusivity.values())).mean
    titles = list(posterior.tree.titles[1 : 1 + first])
    for topic in range(first, posterior.tree.n_topics):
        score = frex_from(exclusivity[:, topic], posterior.frequency[:, topic])
        best = np.argsort(-score, kind="stable")[:N_WORDS]
        titles.append(", ".join(forms[word] for word in best))
    tree = posterior.tree
    parents = [None if parent == 0 else tree.names[parent] for parent in tree.parents[1:]]
    return replace(posterior, tree=TopicTree(tree.topics, parents, titles))
