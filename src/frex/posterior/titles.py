"""Titles for topics that nobody named: their best words by FREX."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from frex.scores import frex_from
from frex.tree import TopicTree

if TYPE_CHECKING:
    from frex.posterior.posterior import Posterior

N_WORDS = 3


def titled_by_words(posterior: Posterior) -> Posterior:
    """Return the fit with a title for each topic, its three best words; names stay as they are."""
    forms = posterior.words if posterior.surface is None else posterior.surface
    exclusivity = next(iter(posterior.exclusivity.values())).mean
    titles = []
    for topic in range(posterior.tree.n_topics):
        score = frex_from(exclusivity[:, topic], posterior.frequency[:, topic])
        best = np.argsort(-score, kind="stable")[:N_WORDS]
        titles.append(", ".join(forms[word] for word in best))
    tree = posterior.tree
    parents = [None if parent == 0 else tree.names[parent] for parent in tree.parents[1:]]
    return replace(posterior, tree=TopicTree(tree.topics, parents, titles))
