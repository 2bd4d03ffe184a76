"""`Tally`: the words of a whole corpus, merged from the batches of any number of counters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from frex.errors import InputError
from frex.text.vocabulary import default_rule

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.text.counting import BatchCounts, NewWords
    from frex.text.vocabulary import VocabularyRule


class Vocabulary(NamedTuple):
    """The words of a corpus."""

    words: list[str]
    surface: list[str]  # most frequent form of each word
    word_of_stem: NDArray[np.int32]  # -1 for a stem that is left out

    def matrix(
        self, lengths: NDArray[np.int32], stems: NDArray[np.int32], counts: NDArray[np.int32]
    ) -> sparse.csr_array:
        """Return the counts of some documents, documents in rows and words in columns.

        Parameters
        ----------
        lengths
            Number of distinct stems of each document.
        stems, counts
            These stems, in the numbers of the tally, and their counts in the documents.
        """
        words = self.word_of_stem[stems]
        keep = words >= 0
        documents = np.repeat(np.arange(len(lengths)), lengths)[keep]
        ends = np.cumsum(np.bincount(documents, minlength=len(lengths)))
        matrix = sparse.csr_array(
            (counts[keep], words[keep], np.concatenate([[0], ends])),
            shape=(len(lengths), len(self.words)),
        )
        matrix.sort_indices()  # the stems are in the order of occurrence
        return matrix


class _Growing:
    """A growing array with one value for each word."""

    def __init__(self) -> None:
        self._room = np.zeros(1 << 12, dtype=np.int64)
        self._length = 0

    def extend(self, values: NDArray[np.int64]) -> None:
        end = self._length + len(values)
        if end > len(self._room):
            room = np.zeros(max(end, 2 * len(self._room)), dtype=np.int64)
            room[: self._length] = self._room[: self._length]
            self._room = room
        self._room[self._length : end] = values
        self._length = end

    @property
    def values(self) -> NDArray[np.int64]:
        return self._room[: self._length]


class _Names:
    """Distinct strings, numbered in the order of occurrence."""

    def __init__(self) -> None:
        self.number: dict[str, int] = {}

    def add(self, names: list[str]) -> NDArray[np.int64]:
        number = self.number
        found = (number.setdefault(name, len(number)) for name in names)
        return np.fromiter(found, np.int64, len(names))


class _Translation(NamedTuple):
    """From one counter's numbers to those of the tally."""

    stems: _Growing
    surfaces: _Growing


class Tally:
    """Totals of all words.

    Batches must be added in the order of the input, and those of one counter in the order in which
    it counted them. Then the numbers of words do not depend on the number of counters.
    """

    def __init__(self) -> None:
        self._stems = _Names()
        self._surfaces = _Names()
        self._totals = _Growing()
        self._documents = _Growing()
        self._surface_totals = _Growing()
        self._stem_of_surface = _Growing()
        self._translations: dict[int, _Translation] = {}

    @property
    def n_stems(self) -> int:
        """Number of distinct stems that were counted."""
        return int(np.count_nonzero(self._totals.values))

    @property
    def stems(self) -> list[str]:
        """All distinct stems, by number."""
        return list(self._stems.number)

    @property
    def surfaces(self) -> list[str]:
        """All distinct forms of words, by number."""
        return list(self._surfaces.number)

    @property
    def totals(self) -> NDArray[np.int64]:
        """Count of each stem."""
        return self._totals.values

    @property
    def documents(self) -> NDArray[np.int64]:
        """Number of documents with each stem."""
        return self._documents.values

    @property
    def stem_of_surface(self) -> NDArray[np.int32]:
        """The stem of each form."""
        return self._stem_of_surface.values.astype(np.int32)

    def order(self, counter: int, batch: BatchCounts) -> NDArray[np.int32] | None:
        """Return the words of a batch in text order, in the tally's numbers, if stored."""
        if batch.order is None:
            return None
        words = batch.order >= 0
        order = batch.order.copy()
        order[words] = self._translations[counter].surfaces.values[batch.order[words]]
        return order

    def learn(self, counter: int, new: NewWords) -> None:
        """Register the words that are new to a counter, without counting them."""
        translation = self._translations.setdefault(counter, _Translation(_Growing(), _Growing()))
        translation.stems.extend(self._stems.add(new.stems))
        known = len(self._surfaces.number)
        surfaces = self._surfaces.add(new.surfaces)
        translation.surfaces.extend(surfaces)
        # a counter sends a surface once, so those new to the tally are distinct and ascending
        stems = translation.stems.values[np.array(new.stem_of_surface, dtype=np.int64)]
        self._stem_of_surface.extend(stems[surfaces >= known])
        for totals, names in (
            (self._totals, self._stems),
            (self._documents, self._stems),
            (self._surface_totals, self._surfaces),
        ):
            totals.extend(np.zeros(len(names.number) - len(totals.values), dtype=np.int64))

    def add(self, counter: int, batch: BatchCounts) -> NDArray[np.int32]:
        """Add the counts of a batch whose words are registered; return its stems' numbers.

        Parameters
        ----------
        counter
            Number of the counter.
        batch
            Counts of the batch.
        """
        translation = self._translations[counter]
        stems = translation.stems.values[batch.stem_totals.numbers]
        self._totals.values[stems] += batch.stem_totals.tokens
        self._documents.values[stems] += batch.stem_documents
        surfaces = translation.surfaces.values[batch.surface_totals.numbers]
        self._surface_totals.values[surfaces] += batch.surface_totals.tokens
        return translation.stems.values[batch.stems].astype(np.int32)

    def default_rule(self, n_documents: int) -> VocabularyRule:
        """Return the rule used where none is given."""
        return default_rule(n_documents, self._totals.values, self._documents.values)

    def choose(self, rule: VocabularyRule) -> Vocabulary:
        """Choose the words of the corpus, in alphabetical order."""
        stems = list(self._stems.number)
        chosen = rule.choose(stems, self._totals.values, self._documents.values)
        if not len(chosen):
            raise none_passes(self, rule)
        word_of_stem = np.full(len(stems), -1, dtype=np.int32)
        word_of_stem[chosen] = np.arange(len(chosen))
        words = [stems[number] for number in chosen.tolist()]
        return Vocabulary(words, self.most_common(word_of_stem, len(words)), word_of_stem)

    def most_common(self, word_of_stem: NDArray[np.int32], n_words: int) -> list[str]:
        """Return the most frequent form of each word of a vocabulary."""
        words = word_of_stem[self._stem_of_surface.values].tolist()
        # negative totals, so that less is better; ties go to a form without capitals
        best: list[tuple[int, bool, str]] = [(1, True, "")] * n_words
        totals = self._surface_totals.values.tolist()
        for surface, word, total in zip(self._surfaces.number, words, totals, strict=True):
            if word >= 0:
                best[word] = min(best[word], (-total, surface != surface.lower(), surface))
        return [surface for _, _, surface in best]


def none_passes(tally: Tally, rule: VocabularyRule) -> InputError:
    """Return the error for a rule that leaves no word."""
    if not tally.n_stems:
        return InputError(
            "no text has a word in it",
            remedy="Name the field that holds the text: --text, Fields(text=...).",
        )
    return InputError(
        f"none of {tally.n_stems:,} distinct words {rule.in_words()}",
        remedy="Keep more words: --min-documents 1, VocabularyRule(min_documents=1); or check the "
        "text: --text, Fields(text=...).",
    )
