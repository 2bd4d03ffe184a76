"""The vocabulary of a corpus with phrases, and its counts: a phrase replaces its words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy import sparse

from frex.text.phrases import Phrases, choose_phrases, find_links
from frex.text.tally import Vocabulary, none_passes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from frex.text.phrases import Chunk, Links, Merged, Store
    from frex.text.tally import Tally
    from frex.text.vocabulary import VocabularyRule


class Phrased(NamedTuple):
    """Words and phrases of a corpus, and the positions of possible phrases."""

    vocabulary: Vocabulary
    phrases: Phrases
    column: NDArray[np.int64]  #: of each phrase
    store: Store
    word_of: NDArray[np.int32]  #: stem of each word form

    def counts(self) -> PhraseCounts:
        """Return the changes of word counts by phrases, to apply in the documents' order."""
        return PhraseCounts(self)


class PhraseCounts:
    """The changes of word counts by phrases, in batches of documents, in order."""

    def __init__(self, phrased: Phrased) -> None:
        self._phrased = phrased
        self._changes = self._all_changes()
        self._waiting: list[NDArray[np.int64]] = []
        self._done = False

    def add_to(self, counts: sparse.csr_array, start: int) -> sparse.csr_array:
        """Return the counts of documents with phrases in place of their words.

        Parameters
        ----------
        counts
            Counts of words alone.
        start
            The first document's number.
        """
        end = start + counts.shape[0]
        while not self._done and (not self._waiting or self._waiting[-1][0, -1] < end):
            part = next(self._changes, None)
            self._done = part is None
            if part is not None and part.shape[1]:
                self._waiting.append(part)
        if not self._waiting:
            return counts
        rows, columns, added = np.concatenate(self._waiting, axis=1)
        now = rows < end
        self._waiting = [np.stack([v[~now] for v in (rows, columns, added)])] if ~now.all() else []
        self._waiting = [part for part in self._waiting if part.shape[1]]
        changes = sparse.csr_array(
            (added[now].astype(counts.dtype), (rows[now] - start, columns[now])),
            shape=counts.shape,
        )
        changed: sparse.csr_array = sparse.csr_array(counts + changes)
        changed.eliminate_zeros()
        changed.sort_indices()
        return changed

    def _all_changes(self) -> Iterator[NDArray[np.int64]]:
        """Yield documents, columns and increments, chunk by chunk."""
        phrased = self._phrased
        for links in phrased.store:
            merged = phrased.phrases.find(links, phrased.word_of)
            documents, words, added = phrased.phrases.counts(merged)
            is_word = words >= 0
            columns = np.where(
                is_word,
                phrased.vocabulary.word_of_stem[np.where(is_word, words, 0)],
                _at(phrased.column, -1 - words),
            )
            kept = columns >= 0
            order = np.argsort(documents[kept], kind="stable")
            yield np.stack([v[kept][order] for v in (documents, columns, added)])


def _at(values: NDArray[np.int64], numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return values by number, -1 for a number without a value."""
    known = numbers >= 0
    found = np.full(len(numbers), -1)
    found[known] = values[numbers[known]]
    return found


def choose_phrased(
    tally: Tally, rule: VocabularyRule, chunks: Callable[[], Iterable[Chunk]], store: Store
) -> Phrased:
    """Choose words and phrases of a corpus, in alphabetical order.

    The rule applies to phrases as to words. The counts of words outside phrases are exact. Their
    numbers of documents are approximated by those with phrases, at most the counts.

    Parameters
    ----------
    tally
        Totals of all words.
    rule
        Selects words and phrases.
    chunks
        Returns an iterator over the words of the texts, in order.
    store
        Storage of the links.
    """
    word_of, totals = tally.stem_of_surface, tally.totals
    find_links(chunks, word_of, totals, store)
    phrases = choose_phrases(store, word_of, totals)
    n = len(phrases.words)
    alone, times, documents = totals.copy(), np.zeros(n, np.int64), np.zeros(n, np.int64)
    forms: list[dict[tuple[int, ...], int]] = [{} for _ in range(n)]
    for links in store:
        merged = phrases.find(links, word_of)
        _, words, _ = phrases.counts(merged)
        alone -= np.bincount(words[words >= 0], minlength=len(alone))
        times += np.bincount(merged.phrases, minlength=n)
        met = np.unique(merged.documents * max(n, 1) + merged.phrases)
        documents += np.bincount(met % max(n, 1), minlength=n)
        _count_forms(phrases, links, merged, forms)
    stems = tally.stems
    names = [*stems, *(" ".join(stems[word] for word in words) for words in phrases.words)]
    chosen = rule.choose(
        names,
        np.concatenate([alone, times]),
        np.concatenate([np.minimum(tally.documents, alone), documents]),
    )
    if not len(chosen):
        raise none_passes(tally, rule)
    columns = np.full(len(names), -1, np.int64)
    columns[chosen] = np.arange(len(chosen))
    word_of_stem = columns[: len(stems)].astype(np.int32)
    surface = tally.most_common(word_of_stem, len(chosen))
    kept = [phrase for phrase in range(n) if columns[len(stems) + phrase] >= 0]
    surfaces = tally.surfaces
    for phrase in kept:
        surface[columns[len(stems) + phrase]] = _best_form(forms[phrase], surfaces)
    return Phrased(
        Vocabulary([names[number] for number in chosen.tolist()], surface, word_of_stem),
        Phrases([phrases.words[phrase] for phrase in kept]),
        columns[len(stems) :][kept],
        store,
        word_of,
    )


def _count_forms(
    phrases: Phrases, links: Links, merged: Merged, forms: list[dict[tuple[int, ...], int]]
) -> None:
    """Count the written forms of phrases."""
    sizes = np.array([len(words) for words in phrases.words], dtype=np.int64)
    if not len(sizes):
        return
    long = sizes[merged.phrases] == 3
    first, second = links.first[merged.links], links.second[merged.links]
    third = links.second[merged.links[long] + 1]  # the second half of a phrase is the next link
    for which, parts in (
        (~long, [first[~long], second[~long]]),
        (long, [first[long], second[long], third]),
    ):
        order = np.lexsort(parts)
        in_order = [part[order] for part in parts]
        new = np.ones(len(order), np.bool_)
        new[1:] = np.any([part[1:] != part[:-1] for part in in_order], axis=0)
        starts = np.flatnonzero(new)
        times = np.diff(np.append(starts, len(order))).tolist()
        owners = merged.phrases[which][order][starts].tolist()
        written = zip(*(part[starts].tolist() for part in in_order), strict=True)
        for phrase, form, n in zip(owners, written, times, strict=True):
            forms[phrase][form] = forms[phrase].get(form, 0) + n


def _best_form(forms: dict[tuple[int, ...], int], surfaces: list[str]) -> str:
    def order(item: tuple[tuple[int, ...], int]) -> tuple[int, bool, str]:
        text = " ".join(surfaces[number] for number in item[0])
        return -item[1], text != text.lower(), text

    return min(map(order, forms.items()))[2]
