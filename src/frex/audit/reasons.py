"""Words of a document that argue for changing its labels, and against it.

A word argues by how much more often the topic uses it that would be added than the one that would
be taken away, and the less the more documents D_f it is in, of all D, for that a document has "the"
a little too often is no reason that people can check:

    log(1 + its count) * log(beta[f,other] / beta[f,label]) * log((D + 1) / D_f) / log(D + 1).

Where nothing is added, or nothing taken away, the parent of the one topic stands for the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from frex.corpus import Corpus
    from frex.posterior import Posterior

N_WORDS = 6
"""On each side."""

LEAST = 0.1
"""How much a word says that is named."""


class Reasons:
    """Finds the words of a corpus' documents by the rates of a fit.

    Parameters
    ----------
    posterior
        The fit.
    corpus
        Over its words and topics.
    """

    def __init__(self, posterior: Posterior, corpus: Corpus) -> None:
        self._log_rates, self._parents = posterior.log_rates.mean, posterior.tree.parents
        self._shown = posterior.words if posterior.surface is None else posterior.surface
        self._counts = corpus.counts
        n_documents = np.bincount(corpus.counts.indices, minlength=corpus.n_words)
        found = np.log((len(corpus) + 1) / np.maximum(n_documents, 1))
        self._rare = found / np.log(len(corpus) + 1)

    def of(self, document: int, label: int, other: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the words for a change, and those against it.

        Parameters
        ----------
        document
            Its number.
        label, other
            The topics to take away and to add; -1 for none.
        """
        from_node, to_node = label + 1, other + 1
        if other < 0:
            to_node = int(self._parents[from_node])
        if label < 0:
            from_node = int(self._parents[to_node])
        stored = slice(*self._counts.indptr[document : document + 2])
        words = np.asarray(self._counts.indices[stored])
        ratio = self._log_rates[words, to_node] - self._log_rates[words, from_node]
        said = np.log1p(np.asarray(self._counts.data[stored])) * ratio * self._rare[words]
        return self._leading(words, said), self._leading(words, -said)

    def _leading(self, words: np.ndarray, said: np.ndarray) -> tuple[str, ...]:
        best = np.argsort(-said, kind="stable")[:N_WORDS]
        return tuple(self._shown[words[at]] for at in best if said[at] > LEAST)
