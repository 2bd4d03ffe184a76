"""Phrases: two or three consecutive words that occur together more often than by chance.

Words a and b are a phrase if they occur together at least `TOGETHER` times and

    log(p(ab) / (p(a) p(b))) / -log p(ab)  >=  STRENGTH,

the normalised pointwise mutual information: 0 by chance, 1 if neither occurs without the other. If
two phrases share a word, "ab" and "bc", the three words are a phrase by the same measure for "ab"
and c, or for a and "bc". Text is then read from left to right, and the longest phrase at a position
is counted instead of its words.

The text is read once, and its words are stored as numbers in order. Pairs are first counted in some
million buckets, with many pairs in each, so that memory is bounded. Pairs that reach the threshold
with the count of their bucket are counted again exactly; these are about one pair in ten.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

TOGETHER = 5
"""Least number of occurrences of a phrase."""

STRENGTH = 0.5
"""Least normalised pointwise mutual information of a phrase."""

BUCKETS = 22
"""Most bits of a bucket's number; with fewer words there are fewer buckets, four words in each."""

NO_WORD, END = -1, -2
"""Codes in the sequence of words for a token that is not a word, and for the end of a document."""

_AT_ONCE = 1 << 21  # pairs that are added to buckets together
_SHIFT = 32  # shift of the first word's number in the key of a pair


class Chunk(NamedTuple):
    """The words of some documents in order."""

    first: int  #: number of the first document
    tokens: NDArray[np.int32]  #: numbers of word forms, `NO_WORD` and `END`


class Links(NamedTuple):
    """Pairs of consecutive words, in text order, that may be parts of phrases."""

    documents: NDArray[np.int64]
    places: NDArray[np.int32]  #: position of the first word in the chunk
    first: NDArray[np.int32]  #: word forms
    second: NDArray[np.int32]


class Merged(NamedTuple):
    """Phrases that were found in texts, in order."""

    documents: NDArray[np.int64]
    phrases: NDArray[np.int64]
    links: NDArray[np.int64]  #: first link of each


class Phrases:
    """A set of phrases, found in any text.

    Parameters
    ----------
    phrases
        The numbers of their words, two or three each.
    """

    def __init__(self, phrases: Sequence[tuple[int, ...]]) -> None:
        self.words = [tuple(map(int, words)) for words in phrases]
        pairs = {_key(*pair) for words in self.words for pair in pairwise(words)}
        self._keys = np.array(sorted(pairs), dtype=np.int64)
        number = {key: n for n, key in enumerate(self._keys.tolist())}
        self._pair = np.full(len(number), -1)
        triples = {}
        for phrase, words in enumerate(self.words):
            links = [number[_key(*pair)] for pair in pairwise(words)]
            if len(links) == 1:
                self._pair[links[0]] = phrase
            else:
                triples[links[0] * len(number) + links[1]] = phrase
        self._triple_keys = np.array(sorted(triples), dtype=np.int64)
        self._triple = np.array([triples[key] for key in self._triple_keys.tolist()], np.int64)

    def find(self, links: Links, word_of: NDArray[np.int32]) -> Merged:
        """Return the phrases in a text, from left to right, the longest at each position.

        Parameters
        ----------
        links
            Links of a text.
        word_of
            The stem of each word form.
        """
        known, which = _lookup(self._keys, _keys(word_of[links.first], word_of[links.second]))
        number = np.flatnonzero(known)
        which, places = which[number], links.places[number]
        pair = self._pair[which]
        triple = np.full(len(number), -1)
        beside = np.flatnonzero(places[1:] == places[:-1] + 1)  # documents are separated by `END`
        found, at = _lookup(self._triple_keys, which[beside] * len(self._keys) + which[beside + 1])
        triple[beside[found]] = self._triple[at[found]]
        candidates = np.flatnonzero((pair >= 0) | (triple >= 0))
        starts, longest = places[candidates], triple[candidates] >= 0
        ends = starts + np.where(longest, 3, 2)
        clash = np.append(ends[:-1] > starts[1:], False) if len(ends) else np.zeros(0, np.bool_)
        clash |= np.append(False, clash[:-1]) if len(ends) else clash
        taken, free = ~clash, -1
        at = np.flatnonzero(clash)
        for n, start, end in zip(at.tolist(), starts[at].tolist(), ends[at].tolist(), strict=True):
            if start >= free:
                taken[n], free = True, end
        first = number[candidates[taken]]
        found = np.where(longest, triple[candidates], pair[candidates])[taken]
        return Merged(links.documents[first], found, first)

    def counts(self, merged: Merged) -> tuple[NDArray[np.int64], ...]:
        """Return changes of counts: documents, words or phrases, and increments.

        A phrase is represented by the negative of its number plus one, to distinguish it from a
        word.
        """
        sizes = np.array([len(words) for words in self.words], dtype=np.int64)
        flat = np.array([word for words in self.words for word in words], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        n = sizes[merged.phrases] if len(sizes) else np.empty(0, np.int64)
        offset = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        words = flat[np.repeat(starts[merged.phrases], n) + offset]
        return (
            np.concatenate([merged.documents, np.repeat(merged.documents, n)]),
            np.concatenate([-1 - merged.phrases, words]),
            np.concatenate([np.ones(len(n), np.int64), np.full(len(words), -1)]),
        )


class Store:
    """Storage of links in a file or in memory; first all are added, then all are read, by chunk.

    Parameters
    ----------
    file
        The file; None for memory.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._kept: list[Links] = []
        self._lengths: list[int] = []
        self._kinds = (np.int64, np.int32, np.int32, np.int32)
        self._handle = None if file is None else file.open("wb")

    def add(self, links: Links) -> None:
        """Add the links of a chunk."""
        if self._handle is None:
            self._kept.append(links)
            return
        self._lengths.append(len(links.places))
        for values, kind in zip(links, self._kinds, strict=True):
            self._handle.write(np.ascontiguousarray(values, kind).data)

    def __iter__(self) -> Iterator[Links]:
        if self._file is None or self._handle is None:
            yield from self._kept
            return
        self._handle.flush()
        with self._file.open("rb") as handle:
            for n in self._lengths:
                arrays: list[NDArray[Any]] = [np.fromfile(handle, kind, n) for kind in self._kinds]
                yield Links(*arrays)

    def close(self) -> None:
        """End the adding."""
        if self._handle is not None:
            self._handle.close()


def find_links(
    chunks: Callable[[], Iterable[Chunk]],
    word_of: NDArray[np.int32],
    totals: NDArray[np.int64],
    store: Store,
) -> None:
    """Store the pairs of consecutive words that may be phrases, in two passes over the words.

    Parameters
    ----------
    chunks
        Returns an iterator over the words.
    word_of
        The stem of each word form.
    totals
        Count of each stem.
    store
        Storage of the pairs.
    """
    frequent = np.append(np.where(totals[word_of] >= TOGETHER, word_of, NO_WORD), [NO_WORD] * 2)
    frequent = frequent.astype(np.int32)  # its last two are those of `END` and `NO_WORD`
    n = max(int(totals.sum()), 1)
    bits = min(max((n // 4).bit_length(), 16), BUCKETS)
    buckets = np.zeros(1 << bits, np.int64)
    waiting: list[NDArray[np.int64]] = []
    n_waiting = 0
    for chunk in chunks():
        _, first, second = _neighbours(frequent[chunk.tokens])
        waiting.append(_bucket(first, second, bits))
        n_waiting += len(first)
        if n_waiting >= _AT_ONCE:
            buckets += np.bincount(np.concatenate(waiting), minlength=len(buckets))
            waiting, n_waiting = [], 0
    rest = np.concatenate([np.empty(0, np.int64), *waiting])
    buckets += np.bincount(rest, minlength=len(buckets))
    full = np.flatnonzero(buckets >= TOGETHER)
    strength = np.full(len(buckets), -np.inf, np.float32)
    strength[full] = np.log(buckets[full] / n)
    with np.errstate(divide="ignore"):
        needed = (np.log(totals / n) / (1 + STRENGTH)).astype(np.float32)
    slack = np.float32(1e-3)  # for rounding in single precision
    for chunk in chunks():
        places, first, second = _neighbours(frequent[chunk.tokens])
        strong = strength[_bucket(first, second, bits)] >= needed[first] + needed[second] - slack
        places = places[strong].astype(np.int32)
        ends = np.flatnonzero(chunk.tokens == END)
        store.add(
            Links(
                chunk.first + np.searchsorted(ends, places),
                places,
                chunk.tokens[places],
                chunk.tokens[places + 1],
            )
        )


def choose_phrases(
    store: Iterable[Links], word_of: NDArray[np.int32], totals: NDArray[np.int64]
) -> Phrases:
    """Return the phrases among links.

    Parameters
    ----------
    store, word_of, totals
        As for `find_links`.
    """
    n = max(int(totals.sum()), 1)
    pairs, together = _summed(_keys(word_of[s.first], word_of[s.second]) for s in store)
    first, second = pairs >> _SHIFT, pairs & ((1 << _SHIFT) - 1)
    strong = _strong(together, totals[first], totals[second], n)
    pairs, together, first, second = (v[strong] for v in (pairs, together, first, second))

    def threes() -> Iterator[NDArray[np.int64]]:
        for links in store:
            known, which = _lookup(pairs, _keys(word_of[links.first], word_of[links.second]))
            beside = known[:-1] & known[1:] & (links.places[1:] == links.places[:-1] + 1)
            at = np.flatnonzero(beside)
            yield which[at] * len(pairs) + which[at + 1]

    triples, thrice = _summed(threes())
    left, right = np.divmod(triples, max(len(pairs), 1))
    strong = _strong(thrice, together[left], totals[second[right]], n) | _strong(
        thrice, totals[first[left]], together[right], n
    )
    two = zip(first.tolist(), second.tolist(), strict=True)
    three = zip(
        first[left[strong]].tolist(), second[left[strong]].tolist(),
        second[right[strong]].tolist(), strict=True,
    )  # fmt: skip
    return Phrases([*two, *three])


def links_of(tokens: NDArray[np.int32], word_of: NDArray[np.int32], phrases: Phrases) -> Links:
    """Return the links of a text that given phrases need.

    Parameters
    ----------
    tokens
        Words in order.
    word_of
        The stem of each word form, `NO_WORD` for others.
    phrases
        The phrases.
    """
    begins = np.zeros(max(len(word_of), 1) + 2, np.bool_)
    starting = {word for words in phrases.words for word in words[:-1]}
    begins[: len(word_of)] = np.isin(word_of, np.array(sorted(starting), dtype=np.int64))
    places = np.flatnonzero(begins[tokens[:-1]] & (tokens[1:] >= 0) & (tokens[:-1] >= 0))
    ends = np.flatnonzero(tokens == END)
    return Links(
        np.searchsorted(ends, places), places.astype(np.int32), tokens[places], tokens[places + 1]
    )


def _neighbours(words: NDArray[np.int32]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Return the positions of pairs of consecutive words, and both words."""
    places = np.flatnonzero((words[:-1] >= 0) & (words[1:] >= 0))
    return places, words[places], words[places + 1]


def _bucket(
    first: NDArray[np.integer], second: NDArray[np.integer], bits: int
) -> NDArray[np.int64]:
    mixed = first.astype(np.uint32) * np.uint32(0x9E3779B1) + second.astype(np.uint32)
    mixed = (mixed ^ (mixed >> np.uint32(15))) * np.uint32(0x85EBCA77)
    return (mixed >> np.uint32(32 - bits)).astype(np.int64)


def _key(first: int, second: int) -> int:
    return first << _SHIFT | second


def _keys(first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.int64]:
    return first.astype(np.int64) << _SHIFT | second.astype(np.int64)


def _lookup(
    ascending: NDArray[np.int64], keys: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """Return which keys exist, and their positions."""
    at = np.searchsorted(ascending, keys)
    if not len(ascending):
        return np.zeros(len(keys), np.bool_), at
    at[at == len(ascending)] = 0
    return ascending[at] == keys, at


def _summed(parts: Iterable[NDArray[np.int64]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return distinct keys in order, and their counts."""
    keys, counts = np.empty(0, np.int64), np.empty(0, np.int64)
    waiting: list[NDArray[np.int64]] = []

    def settled() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        new, times = np.unique(
            np.concatenate([np.empty(0, np.int64), *waiting]), return_counts=True
        )
        both, place = np.unique(np.concatenate([keys, new]), return_inverse=True)
        sums = np.bincount(place, np.concatenate([counts, times]), len(both))
        return both, sums.astype(np.int64)

    for part in parts:
        waiting.append(part)
        if sum(map(len, waiting)) >= _AT_ONCE:
            keys, counts = settled()
            waiting = []
    return settled()


def _strong(
    together: NDArray[np.int64], one: NDArray[np.int64], other: NDArray[np.int64], n: int
) -> NDArray[np.bool_]:
    """Return which pairs occur often enough, and more often than by chance."""
    p = together / n
    with np.errstate(divide="ignore", invalid="ignore"):
        information = np.log(p) - np.log(one / n) - np.log(other / n)
        return np.asarray((together >= TOGETHER) & (information >= -STRENGTH * np.log(p)))
