"""Documents from any source as counts of a fit's words, in batches."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from frex.corpus.documents import Details, from_rows
from frex.errors import InputError
from frex.text import Analyzer, Fields
from frex.text.counting import Counter
from frex.text.digest import Digester
from frex.text.files import read_batches
from frex.text.labelling import Labelling
from frex.text.phrases import NO_WORD, Phrases, links_of
from frex.text.record import analyzer_from
from frex.text.workers import available_cores, ordered_map

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from os import PathLike

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.posterior import Posterior
    from frex.text.counting import BatchCounts

BLOCK = 4096
"""Number of documents of a corpus in a batch."""


class Documents(NamedTuple):
    """A batch of documents, over the words of a fit."""

    ids: Sequence[str]
    counts: csr_array[np.int32]
    exposures: NDArray[np.float64] | None  #: relative lengths, if given
    details: Details = Details()  #: titles, links, dates and further fields


def analyzer_of(posterior: Posterior, *, stem: bool | None = None) -> Analyzer:
    """Return the analyzer of a fit's corpus.

    If the fit does not store it, the default analyzer is used. Words outside the vocabulary are
    ignored, so no stop list is needed. Whether words were stemmed is inferred from the display
    forms: each form either has the word as its stem, or is equal to it.

    Parameters
    ----------
    posterior
        The fit.
    stem
        Whether its words are stems, if this cannot be inferred or should be overridden.
    """
    if posterior.analyzer is not None:
        analyzer = analyzer_from(posterior.analyzer)
        return analyzer if stem is None else replace(analyzer, stem=stem)
    if stem is None:
        if posterior.surface is None:
            raise InputError(
                "the fit does not tell whether its words are stems",
                remedy="Say so: --stem or --no-stem.",
            )
        stem = tuple(posterior.surface) != tuple(posterior.words)
    return Analyzer(stem=stem)


def corpus_documents(corpus: Corpus, words: Sequence[str]) -> Iterator[Documents]:
    """Yield the documents of a corpus, with its words mapped to those of the fit by name."""
    for start in range(0, len(corpus), BLOCK):
        rows = slice(start, start + BLOCK)
        given = corpus.given_exposures
        yield Documents(
            corpus.ids[rows],
            in_words(corpus.counts[rows], corpus.words, words),
            None if given is None else given[rows],
            corpus.details.part(rows),
        )


def in_words(
    counts: csr_array[np.int32], own: Sequence[str], words: Sequence[str]
) -> csr_array[np.int32]:
    """Map counts from one vocabulary to another; words that are not in it are left out."""
    if tuple(own) == tuple(words):
        return counts
    column = {word: number for number, word in enumerate(words)}
    target = np.array([column.get(word, -1) for word in own], dtype=np.int64)
    known = np.flatnonzero(target >= 0)
    if not len(known):
        raise InputError(
            "the documents and the fit have no word in common",
            remedy="Check that both were prepared in the same way.",
        )
    ones = np.ones(len(known), dtype=np.int32)
    moved = csr_array(
        counts @ csr_array((ones, (known, target[known])), shape=(len(own), len(words)))
    )
    moved.sort_indices()
    return moved


def text_documents(
    paths: Sequence[str | PathLike[str]],
    words: Sequence[str],
    analyzer: Analyzer,
    *,
    fields: Fields | None = None,
    jobs: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Documents]:
    """Yield the documents of files, counted by several processes, in the order of the files.

    Parameters
    ----------
    paths
        Files as for `frex.text.prepare`.
    words
        The vocabulary; other words are ignored.
    analyzer
        Splits text into words.
    fields
        Names of the fields; labels are not read.
    jobs
        Number of processes; 0 for one per core. The result does not depend on it.
    progress
        Called with the bytes of the files just finished.
    """
    batches = read_batches(paths, fields or Fields(labels=None))
    digester = Digester(analyzer, Labelling(None))
    vocabulary = _Vocabulary(words)
    with closing(ordered_map(digester, batches, jobs or available_cores())) as digests:
        for worker, batch, digest in digests:
            counts = vocabulary.matrix(worker, digest.counts)
            if digest.error is not None:
                raise digest.error
            ids = [document.id for document in digest.documents]
            details = from_rows([document.details for document in digest.documents])
            yield Documents(ids, counts, None, details)
            if progress is not None:
                progress(batch.size)


def count_in_words(
    texts: Iterable[str], words: Sequence[str], analyzer: Analyzer
) -> csr_array[np.int32]:
    """Return the counts of texts that are in memory, texts x words.

    Parameters
    ----------
    texts
        The documents.
    words
        The vocabulary; other words are ignored.
    analyzer
        Splits text into words; `analyzer_of` returns that of a fit.
    """
    return WordCounter(words, analyzer).count(texts)


class WordCounter:
    """Counts texts that are in memory, some after the other, in the same words.

    Parameters
    ----------
    words, analyzer
        As for `count_in_words`.
    """

    def __init__(self, words: Sequence[str], analyzer: Analyzer) -> None:
        self._vocabulary, self._analyzer = _Vocabulary(words), analyzer

    def count(self, texts: Iterable[str]) -> csr_array[np.int32]:
        """Return the counts of texts, texts x words.

        Parameters
        ----------
        texts
            The documents.
        """
        given = [texts] if isinstance(texts, str) else list(texts)
        strange = next((n for n, text in enumerate(given) if not isinstance(text, str)), None)
        if isinstance(texts, str) or strange is not None:
            what = "the texts are a single text"
            if strange is not None:
                what = f"document {strange} is no text: {given[strange]!r}"
            raise InputError(what, remedy="Give a list of texts.")
        self._vocabulary.forget()  # what other texts had beside the words is kept by nobody
        return self._vocabulary.matrix(0, Counter(self._analyzer).count(given))


class _Vocabulary:
    """Maps a worker's numbers of stems to columns."""

    def __init__(self, words: Sequence[str]) -> None:
        self._column = {word: number for number, word in enumerate(words)}
        self._columns: dict[int, NDArray[np.int32]] = {}
        named = [word.split(" ") for word in words if " " in word]
        parts = dict.fromkeys(part for phrase in named for part in phrase)
        self._part = {part: number for number, part in enumerate(parts)}
        self._phrases = Phrases([tuple(self._part[part] for part in phrase) for phrase in named])
        self._phrase_columns = np.array([self._column[" ".join(phrase)] for phrase in named])
        self._part_columns = np.array([self._column.get(part, -1) for part in parts])
        self._parts: dict[int, tuple[NDArray[np.int32], NDArray[np.int32]]] = {}

    def forget(self) -> None:
        """Forget the numbers that workers have given."""
        self._columns.clear()
        self._parts.clear()

    def matrix(self, worker: int, counts: BatchCounts) -> csr_array[np.int32]:
        new = np.array([self._column.get(stem, -1) for stem in counts.new.stems], dtype=np.int32)
        known = np.concatenate([self._columns.get(worker, np.empty(0, np.int32)), new])
        self._columns[worker] = known
        columns = known[counts.stems]
        rows = np.repeat(np.arange(len(counts.lengths)), counts.lengths)
        kept = columns >= 0
        shape = (len(counts.lengths), len(self._column))
        entries = csr_array((counts.counts[kept], (rows[kept], columns[kept])), shape=shape)
        if counts.order is None:
            return entries
        added, documents, places = self._changes(worker, counts, counts.order)
        merged = csr_array(entries + csr_array((added, (documents, places)), shape=shape))
        merged.eliminate_zeros()
        return merged

    def _changes(
        self, worker: int, counts: BatchCounts, order: NDArray[np.int32]
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[Any]]:
        """Return the changes of counts by phrases: amounts, documents and columns."""
        of_stem, of_surface = self._parts.get(worker, (np.empty(0, np.int32),) * 2)
        new = [self._part.get(stem, NO_WORD) for stem in counts.new.stems]
        of_stem = np.concatenate([of_stem, np.array(new, np.int32)])
        stems = np.array(counts.new.stem_of_surface, dtype=np.int64)
        of_surface = np.concatenate([of_surface, of_stem[stems]])
        self._parts[worker] = of_stem, of_surface
        merged = self._phrases.find(links_of(order, of_surface, self._phrases), of_surface)
        documents, words, added = self._phrases.counts(merged)
        columns = np.where(
            words >= 0,
            self._part_columns[np.maximum(words, 0)] if len(self._part_columns) else -1,
            self._phrase_columns[np.maximum(-1 - words, 0)] if len(self._phrase_columns) else -1,
        )
        kept = columns >= 0
        return added[kept].astype(np.int32), documents[kept], columns[kept]
