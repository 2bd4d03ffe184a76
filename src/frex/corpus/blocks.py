"""The counts of a corpus in blocks of documents, to bound memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from frex.storage import forget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from frex.corpus.corpus import Corpus

BLOCK = 1 << 18
"""Most counts in a block, except for a single document with more."""


class Rows(NamedTuple):
    """Counts of some documents, concatenated."""

    documents: slice
    row: NDArray[np.int64]  #: document of each count
    words: NDArray[np.int32]
    counts: NDArray[np.int32]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Number of tokens in each of the documents."""
        first, last = self.documents.start, self.documents.stop
        tokens = np.bincount(self.row - first, self.counts, last - first)
        return tokens.astype(np.int64)  # sums of integers, which are exact


def blocks(corpus: Corpus, first: int = 0, last: int | None = None) -> Iterator[Rows]:
    """Yield the counts of documents `first` to `last` (by default all) in blocks.

    Pages of memory-mapped files are released after each block, so a block is valid until the next.
    """
    counts = corpus.counts
    starts = counts.indptr
    last = corpus.n_documents if last is None else last
    while first < last:
        end = int(np.searchsorted(starts, int(starts[first]) + BLOCK, side="right")) - 1
        end = min(max(end, first + 1), last)
        stored = slice(int(starts[first]), int(starts[end]))
        row = np.repeat(np.arange(first, end), np.diff(starts[first : end + 1]))
        yield Rows(
            slice(first, end),
            row,
            np.asarray(counts.indices[stored]),
            np.asarray(counts.data[stored]),
        )
        forget(counts.indices)
        forget(counts.data)
        first = end
