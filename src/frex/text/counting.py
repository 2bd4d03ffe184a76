"""Counting of the words of a batch of documents, analysing each distinct token only once.

A counter numbers distinct tokens, so that the tokens of a batch become an array of integers, and
counting is a sort. The counters of several processes number their words independently. With
a batch they only send the words that are new to them, and a `Tally` translates the numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from frex.text.phrases import END

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from frex.text.tokens import Analyzer


class NewWords(NamedTuple):
    """Words that are new to a counter, in the order of their numbers."""

    stems: list[str]
    surfaces: list[str]
    stem_of_surface: list[int]


class Totals(NamedTuple):
    """Totals over a batch, of the distinct numbers that occur in it."""

    numbers: NDArray[np.intp]
    tokens: NDArray[np.int64]


class BatchCounts(NamedTuple):
    """The counts of a batch, in the counter's own numbers."""

    lengths: NDArray[np.int32]  # number of distinct stems of each document
    stems: NDArray[np.int32]  # document by document, ascending within each
    counts: NDArray[np.int32]
    stem_totals: Totals
    stem_documents: NDArray[np.int64]  # in how many documents each of `stem_totals` occurs
    surface_totals: Totals
    new: NewWords
    order: NDArray[np.int32] | None = None  # forms of words in their order, where phrases count


class _Numbers(dict[str, int]):
    """The number of every token, computed at its first occurrence."""

    def __init__(self, analyzer: Analyzer) -> None:
        super().__init__()
        self._surface = analyzer.surface
        self._stem = analyzer.stemmer()
        self._surfaces: dict[str, int] = {}
        self._stems: dict[str, int] = {}
        self._new = NewWords([], [], [])
        self.stem_of_surface = np.empty(1 << 12, dtype=np.int32)

    @property
    def n_stems(self) -> int:
        """Number of distinct stems."""
        return len(self._stems)

    def __missing__(self, token: str) -> int:
        word = self._surface(token)
        if word is None:
            # numerals are unbounded in number, and rare enough to be analysed every time
            if token[0].isalpha():
                self[token] = -1
            return -1
        number = self._surfaces.get(word)
        if number is None:
            number = self._surfaces[word] = len(self._surfaces)
            self._add_stem(number, word)
        self[token] = number
        return number

    def _add_stem(self, surface: int, word: str) -> None:
        text = self._stem(word)
        stem = self._stems.get(text)
        if stem is None:
            stem = self._stems[text] = len(self._stems)
            self._new.stems.append(text)
        if surface == len(self.stem_of_surface):
            self.stem_of_surface = np.concatenate([self.stem_of_surface, self.stem_of_surface])
        self.stem_of_surface[surface] = stem
        self._new.surfaces.append(word)
        self._new.stem_of_surface.append(stem)

    def take_new(self) -> NewWords:
        """Return the words that are new since the last call."""
        new, self._new = self._new, NewWords([], [], [])
        return new


class Counter:
    """Counts words, batch by batch.

    Parameters
    ----------
    analyzer
        Splits text into words; the counts are those of its `analyze`.
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self._split = analyzer.split
        self._ends = [END] if analyzer.phrases else []
        self._numbers = _Numbers(analyzer)

    def count(self, texts: Sequence[str]) -> BatchCounts:
        """Count the stems of some texts."""
        numbers: list[int] = []
        ends = [0]
        for text in texts:  # one by one, so that a text's tokens are still in the cache
            numbers += map(self._numbers.__getitem__, self._split(text))
            numbers += self._ends
            ends.append(len(numbers))
        surfaces = order = np.array(numbers, dtype=np.int32)
        documents = np.repeat(np.arange(len(texts)), np.diff(ends))
        words = surfaces >= 0
        surfaces, documents = surfaces[words], documents[words]
        # one sort counts all pairs (document, stem), encoded as integers of the smallest type
        stem_of_token = self._numbers.stem_of_surface[surfaces]
        n_stems = self._numbers.n_stems
        short = len(texts) * n_stems <= np.iinfo(np.int32).max
        keys = (documents * n_stems + stem_of_token).astype(np.int32 if short else np.int64)
        pairs, counts = np.unique(keys, return_counts=True)
        rows, stems = np.divmod(pairs, max(n_stems, 1))
        totals = _totals(stem_of_token)
        return BatchCounts(
            np.bincount(rows, minlength=len(texts)).astype(np.int32),
            stems.astype(np.int32),
            counts.astype(np.int32),
            totals,
            np.bincount(stems)[totals.numbers],
            _totals(surfaces),
            self._numbers.take_new(),
            order if self._ends else None,
        )


def _totals(numbers: NDArray[np.int32]) -> Totals:
    tokens = np.bincount(numbers)
    met = np.flatnonzero(tokens)
    return Totals(met, tokens[met])
