"""Co-occurrence of words in a reference: in its documents, or in sliding windows.

A reference is a corpus or text. Words are matched by name with those of the studied corpus; a word
that does not occur in the reference co-occurs with none.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from scipy.sparse import csc_array, csr_array

from frex.errors import InputError
from frex.evaluate.rows import fingerprint
from frex.predict.documents import in_words
from frex.text import Analyzer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from frex.corpus import Corpus

    Array: TypeAlias = NDArray[np.float64]

WINDOW = 110
"""Number of words of a window, as for C_V (Röder, Both and Hinneburg, 2015)."""

TINY = 1e-12
"""Constant added to joint probabilities, as in Palmetto and gensim, for comparable figures."""


class Reference(Protocol):
    """Where words come together."""

    @property
    def mark(self) -> str:
        """A fingerprint of the reference."""

    def alone(self) -> Array:
        """Return the probability of each word of the vocabulary in a document or window."""

    def together(self, words: NDArray[np.int64], others: NDArray[np.int64]) -> Array:
        """Return the joint probabilities of each word and each other word.

        Parameters
        ----------
        words, others
            Their numbers in the studied vocabulary.
        """


def npmi(joint: Array, first: Array, second: Array) -> Array:
    """Return normalised pointwise mutual information: log(p12 / (p1 p2)) / -log p12.

    It is 1 if words only occur together, 0 if they co-occur by chance, and negative if they
    co-occur less often. It is 0 if one of them never occurs.

    Parameters
    ----------
    joint
        The probabilities of pairs.
    first, second
        The probabilities of their words, with broadcastable shapes.
    """
    product = first * second
    told = (product > 0) & (joint < 1)  # undefined for two words that are everywhere
    log_joint = np.log(joint + TINY)
    log_ratio = log_joint - np.log(np.where(told, product, 1.0))
    return np.asarray(np.divide(log_ratio, -log_joint, out=np.zeros_like(joint), where=told))


def associations(places: Reference, words: NDArray[np.int64]) -> Array:
    """Return the NPMI of all pairs of some words.

    Parameters
    ----------
    places
        The reference.
    words
        Numbers of the words, ascending.
    """
    joint = places.together(words, words)
    alone = np.diag(joint)  # a word always co-occurs with itself
    return npmi(joint, alone[:, None], alone)


class Documents:
    """Co-occurrence in documents of a corpus.

    Parameters
    ----------
    reference
        The corpus.
    words
        The studied vocabulary.
    """

    def __init__(self, reference: Corpus, words: Sequence[str]) -> None:
        counts = in_words(reference.counts, reference.words, words)
        present = csr_array(
            (np.ones(counts.nnz), counts.indices, counts.indptr), shape=counts.shape
        )
        self.present = csc_array(present)
        self._corpus, self._words = reference, list(words)

    @cached_property
    def mark(self) -> str:
        """A fingerprint of the corpus, its words and the studied words."""
        return fingerprint(self._corpus, words=list(self._corpus.words), studied=self._words)

    def alone(self) -> Array:
        """Return the share of documents that have each word."""
        return np.diff(self.present.indptr) / self.present.shape[0]

    def together(self, words: NDArray[np.int64], others: NDArray[np.int64]) -> Array:
        """Return the shares of documents that have both words."""
        shared = self.present[:, words].T @ self.present[:, others]
        return np.asarray(shared.toarray() / self.present.shape[0])


class Windows:
    """Co-occurrence in windows that slide over texts, word by word.

    A text shorter than a window is a single window.

    Parameters
    ----------
    texts
        The texts.
    corpus
        The studied corpus. Its words are stems if they differ from their display forms.
    size
        Number of words in a window, inside or outside the vocabulary.
    """

    def __init__(self, texts: Iterable[str], corpus: Corpus, *, size: int = WINDOW) -> None:
        if size < 2:
            raise InputError(f"a window has {size} words", remedy="Give 2 or more.")
        stem = corpus.surface is not None and tuple(corpus.surface) != tuple(corpus.words)
        analyzer = Analyzer(stem=stem)
        number = {word: place for place, word in enumerate(corpus.words)}
        self.size, self.n_words = size, corpus.n_words
        self.texts = [
            np.array([number.get(word, -1) for word in analyzer.analyze(text)], dtype=np.int64)
            for text in texts
        ]
        if not any((text >= 0).any() for text in self.texts):
            raise InputError(
                "the reference and the corpus have no word in common",
                remedy="Check that both are in the same language.",
            )

    @cached_property
    def mark(self) -> str:
        """A fingerprint of the texts and the size of a window."""
        digest = hashlib.sha256(f"{self.size} {self.n_words}".encode())
        for text in self.texts:
            digest.update(len(text).to_bytes(8, "little") + text.astype("<i8").tobytes())
        return digest.hexdigest()[:16]

    @cached_property
    def _total(self) -> int:
        return sum(max(len(text) - self.size + 1, 1) for text in self.texts)

    def alone(self) -> Array:
        """Return the share of windows that have each word."""
        shares = np.zeros(self.n_words)
        for text in self.texts:
            met, present = self._present(text)
            shares[met] += present.sum(axis=1)
        return shares / self._total

    def together(self, words: NDArray[np.int64], others: NDArray[np.int64]) -> Array:
        """Return the shares of windows that have both words."""
        row, column = np.full((2, self.n_words), -1)
        row[words], column[others] = np.arange(len(words)), np.arange(len(others))
        shares = np.zeros((len(words), len(others)))
        for text in self.texts:
            met, present = self._present(text)
            a, b = row[met] >= 0, column[met] >= 0
            shares[np.ix_(row[met[a]], column[met[b]])] += present[a] @ present[b].T
        return shares / self._total

    def _present(self, text: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Return the words of a text, and their occurrence in its windows, words x windows."""
        n_windows = max(len(text) - self.size + 1, 1)
        positions = np.flatnonzero(text >= 0)
        met, rows = np.unique(text[positions], return_inverse=True)
        # windows are numbered by their first word: the word at p is in p - size + 1 to p
        changes = np.zeros((len(met), n_windows + 1), dtype=np.int32)
        np.add.at(changes, (rows, np.clip(positions - self.size + 1, 0, n_windows - 1)), 1)
        np.add.at(changes, (rows, np.minimum(positions + 1, n_windows)), -1)
        return met, (changes[:, :-1].cumsum(axis=1) > 0).astype(np.float32)
