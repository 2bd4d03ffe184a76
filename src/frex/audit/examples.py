"""Example words and documents for a finding."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from frex.audit.findings import Group
from frex.posterior.words import best_words

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy.typing import NDArray

    from frex.audit.own_words import OwnWords
    from frex.posterior import Posterior

    Array: TypeAlias = NDArray[np.float64]

N_WORDS, N_DOCUMENTS = 8, 3


class Examples:
    """Finds words and documents of topics and of groups of their documents.

    Parameters
    ----------
    posterior
        The fit.
    own
        The topics' shares of their documents' words.
    """

    def __init__(self, posterior: Posterior, own: OwnWords) -> None:
        self.posterior, self.own = posterior, own
        self._titles = Counter(posterior.tree.titles)
        self.shown = posterior.words if posterior.surface is None else posterior.surface

    def title(self, topic: int) -> str:
        """Return the title of a topic, or its name if the title is not unique."""
        tree = self.posterior.tree
        title = tree.titles[topic + 1]
        return title if self._titles[title] == 1 else tree.topics[topic]

    def topic(self, topic: int) -> Group:
        """Return a topic by its words of highest FREX and its most typical documents."""
        name = self.posterior.tree.topics[topic]
        words = best_words(self.posterior, name, N_WORDS)
        typical, documents = self.posterior.typical, []
        if typical is not None:
            first, last = typical.starts[topic : topic + 2]
            documents = typical.documents[first:last][:N_DOCUMENTS].tolist()
        return Group(
            self.title(topic),
            tuple(self.shown[word] for word in words),
            tuple(self.posterior.ids[document] for document in documents),
        )

    def group(self, name: str, rows: NDArray[np.int64], others: NDArray[np.int64]) -> Group:
        """Return a group by its distinguishing words and its most central documents."""
        usage = self.own.usage
        own, rest = (usage[part].sum(axis=0) / max(len(part), 1) for part in (rows, others))
        words = np.argsort(rest - own, kind="stable")[:N_WORDS]
        central = np.argsort(-np.asarray(usage[rows] @ (own - rest)), kind="stable")[:N_DOCUMENTS]
        documents = self.own.documents[rows[central]]
        return Group(
            name,
            tuple(self.shown[word] for word in words if own[word] > rest[word]),
            tuple(self.posterior.ids[document] for document in documents),
        )
