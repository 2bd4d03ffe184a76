"""Temporary files of documents until the vocabulary is known."""

from __future__ import annotations

from contextlib import ExitStack
from hashlib import blake2b
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from frex.text.phrases import Chunk, Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from frex.text.digest import Digest

_NUL = "\0"

ORDER = "order"  # words in text order, for phrases

ROWS = 4096
"""Number of documents read back at a time."""

FILES: dict[str, type[np.generic]] = {
    "id_lengths": np.int32,  # in bytes
    "ids": np.uint8,
    "paths": np.int32,  # numbers of the files that the documents are from
    "lines": np.int64,
    "label_lengths": np.int32,
    "labels": np.int32,
    "lengths": np.int32,  # number of distinct stems
    "stems": np.int32,
    "counts": np.int32,
    "detail_lengths": np.int32,  # in bytes
    "details": np.uint8,
}


class Rows(NamedTuple):
    """Some spooled documents."""

    ids: list[str]
    places: list[tuple[str | None, int | None]]  # file and line
    label_lengths: NDArray[np.int32]
    labels: NDArray[np.int32]
    lengths: NDArray[np.int32]
    stems: NDArray[np.int32]
    counts: NDArray[np.int32]
    details: list[dict[str, str]]

    def places_of(self, name: str) -> list[tuple[str | None, int | None]]:
        """Return the places of the documents with this id."""
        pairs = zip(self.ids, self.places, strict=True)
        return [place for document, place in pairs if document == name]


class Spool:
    """Documents in files of a folder: first all are added, then all are read.

    Files are read and not memory-mapped, so that their pages do not stay in memory.

    Parameters
    ----------
    folder
        An empty folder; the caller removes it.
    """

    def __init__(self, folder: Path) -> None:
        self.n_documents = 0
        self.n_known: dict[str, int] = {}  # numbers of documents with a title, a link, ...
        self._folder = folder
        self._path_numbers: dict[str | None, int] = {}
        self._stack = ExitStack()
        self._chunks: list[tuple[int, int]] = []  # first document, and number of words
        self._files = {
            name: self._stack.enter_context((folder / name).open("wb")) for name in [*FILES, ORDER]
        }

    def add(
        self, digest: Digest, stems: NDArray[np.int32], order: NDArray[np.int32] | None = None
    ) -> None:
        """Add the documents of a batch, with words in the numbers of the tally."""
        if order is not None:
            self._chunks.append((self.n_documents, len(order)))
            self._files[ORDER].write(np.ascontiguousarray(order, np.int32).data)
        documents = digest.documents
        ids = [document.id.encode() for document in documents]
        numbers = self._path_numbers
        self._append("id_lengths", list(map(len, ids)))
        self._files["ids"].write(b"".join(ids))
        self._append("paths", [numbers.setdefault(d.path, len(numbers)) for d in documents])
        self._append("lines", [document.line or 0 for document in documents])
        self._append("label_lengths", digest.label_lengths)
        self._append("labels", digest.labels)
        self._append("lengths", digest.counts.lengths)
        self._append("stems", stems)
        self._append("counts", digest.counts.counts)
        details = [_packed(document.details) for document in documents]
        self._append("detail_lengths", list(map(len, details)))
        self._files["details"].write(b"".join(details))
        for name in chain.from_iterable(document.details for document in documents):
            self.n_known[name] = self.n_known.get(name, 0) + 1
        self.n_documents += len(documents)

    def _append(self, name: str, values: Sequence[int] | NDArray[Any]) -> None:
        self._files[name].write(np.ascontiguousarray(values, dtype=FILES[name]).data)

    def close(self) -> None:
        """End the writing."""
        self._stack.close()

    def chunks(self) -> Iterator[Chunk]:
        """Read the words back in order, batch by batch."""
        self.close()
        with (self._folder / ORDER).open("rb") as handle:
            for first, n in self._chunks:
                yield Chunk(first, np.fromfile(handle, np.int32, n))

    def store(self) -> Store:
        """Return storage beside the documents for the links of their words."""
        return Store(self._folder / "links")

    def rows(self) -> Iterator[Rows]:
        """Read the documents back in batches."""
        self.close()
        paths = list(self._path_numbers)
        with ExitStack() as stack:
            files = {name: stack.enter_context((self._folder / name).open("rb")) for name in FILES}

            def take(name: str, count: int) -> NDArray[Any]:
                return np.fromfile(files[name], FILES[name], count)

            for start in range(0, self.n_documents, ROWS):
                n = min(ROWS, self.n_documents - start)
                ids = _cut(take, "id_lengths", "ids", n)
                details = _cut(take, "detail_lengths", "details", n)
                place = zip(take("paths", n).tolist(), take("lines", n).tolist(), strict=True)
                label_lengths, lengths = take("label_lengths", n), take("lengths", n)
                n_pairs = int(lengths.sum(dtype=np.int64))
                yield Rows(
                    ids,
                    [(paths[number], line or None) for number, line in place],
                    label_lengths,
                    take("labels", int(label_lengths.sum(dtype=np.int64))),
                    lengths,
                    take("stems", n_pairs),
                    take("counts", n_pairs),
                    [_unpacked(text) for text in details],
                )

    def place(self, name: str) -> tuple[str | None, int | None]:
        """Return file and line of a document that was added, by its id."""
        found = (place for rows in self.rows() for place in rows.places_of(name))
        return next(found)


def _packed(details: Mapping[str, str]) -> bytes:
    """Return a document's details as bytes, separated by NUL, which no text contains."""
    return _NUL.join(chain.from_iterable(details.items())).encode()


def _unpacked(text: str) -> dict[str, str]:
    parts = iter(text.split(_NUL)) if text else iter(())
    return dict(zip(parts, parts, strict=True))


def _cut(take: Callable[[str, int], NDArray[Any]], lengths: str, block: str, n: int) -> list[str]:
    """Read n texts: their lengths, and then their bytes."""
    ends = np.cumsum(take(lengths, n), dtype=np.int64).tolist()
    data = take(block, ends[-1]).tobytes()
    return [data[a:b].decode() for a, b in pairwise([0, *ends])]


class SeenIds:
    """Detects repeated document ids, with about 30 bytes per id of any length.

    It stores only 128-bit hashes. Among a hundred million ids the probability of a collision is
    1e-23.
    """

    def __init__(self) -> None:
        self._recent: set[bytes] = set()
        self._sorted = np.empty(0, dtype="S16")

    def repeated(self, ids: Sequence[str]) -> list[int]:
        """Add ids, and return the positions of repeated ones."""
        hashes = [blake2b(name.encode(), digest_size=16).digest() for name in ids]
        keys = np.array(hashes, dtype="S16")
        places = np.searchsorted(self._sorted, keys)
        old = np.zeros(len(ids), dtype=bool)
        inside = places < len(self._sorted)
        old[inside] = self._sorted[places[inside]] == keys[inside]
        repeated = []
        for position, (key, known) in enumerate(zip(hashes, old.tolist(), strict=True)):
            if known or key in self._recent:
                repeated.append(position)
            else:
                self._recent.add(key)
        # a set needs more memory, a sorted array is slow to grow: merge at an eighth of its size
        if len(self._recent) > max(ROWS, len(self._sorted) // 8):
            recent = np.array(sorted(self._recent), dtype="S16")
            self._sorted = np.concatenate([self._sorted, recent])
            self._sorted.sort(kind="stable")  # merges the two sorted runs
            self._recent.clear()
        return repeated
