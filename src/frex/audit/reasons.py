"""Words of a document for a change of its labels, and against it.

The evidence of a word is the log ratio of its rates in the topic to add and in the topic to remove.
It is weighted by the inverse document frequency, with D_f of D documents that have the word,
because people cannot check whether a document has "the" a little too often:

    log(1 + its count) * log(beta[f,other] / beta[f,label]) * log((D + 1) / D_f) / log(D + 1).

If a change has only one topic, its parent takes the place of the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from frex.corpus import Corpus
    from frex.posterior import Posterior

N_WORDS = 6
"""Most words on each side."""

LEAST = 0.1
"""Least evidence of a listed word."""


class Reasons:
    """Finds the words for and against changes, by the rates of a fit.

    Parameters
    ----------
    posterior
        The fit.
    corpus
        The corpus, over the words and topics of the fit.
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
            The topics to remove and to add; -1 for none.
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
