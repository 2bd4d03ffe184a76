"""The corpus on disk, written block by block so that it may be larger than memory."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from frex.corpus.corpus import Corpus
from frex.corpus.documents import (
    META,
    Details,
    DetailsWriter,
    details_rules,
    read_details,
)
from frex.storage import FolderReader, FolderWriter
from frex.storage.rules import Numbers, sparse_rules, strings_rules
from frex.tree.folder import tree_in

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike
    from types import TracebackType
    from typing import Self

    from numpy.typing import NDArray

    from frex.storage.rules import Rule
    from frex.tree import TopicTree

KIND, VERSION = "frex-corpus", 1
_BLOCK = 1 << 16  # documents written at a time

ANALYZER: dict[str, Any] = {
    "tokens?": str,
    "stem?": bool,
    "stop_words?": (None, str, [str]),
    "drop_proper_nouns?": bool,
    "language?": str,
    "phrases?": bool,
    "python?": str,
    "fields?": [str],
}
"""The form of `Corpus.analyzer`."""

_META: dict[str, Any] = {
    "documents": int,
    "words": int,
    "topics": int,
    "tokens": int,
    "report": {str: int},
    "analyzer?": ANALYZER,
    **META,
}


class CorpusWriter:
    """Write a corpus folder block of documents by block; the folder appears when it is complete.

    Parameters
    ----------
    path
        The folder to make.
    words, tree, surface, analyzer
        As in `Corpus`.
    details
        Names of the columns of the documents' details.
    overwrite
        Replace an existing corpus folder.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        words: Sequence[str],
        tree: TopicTree | None,
        surface: Sequence[str] | None = None,
        analyzer: Mapping[str, Any] | None = None,
        details: Sequence[str] = (),
        overwrite: bool = False,
    ) -> None:
        self.report: dict[str, int] = {}
        self._folder = FolderWriter(path, kind=KIND, version=VERSION, overwrite=overwrite)
        self._words = words
        self._tree = tree
        self._surface = surface
        self._analyzer = analyzer
        self._detail_names = details
        self._n_documents = 0

    def __enter__(self) -> Self:
        self._folder.__enter__()
        self._counts = _RowsAppender(self._folder, "counts", with_data=True)
        self._labels = _RowsAppender(self._folder, "labels", with_data=False)
        self._ids = self._folder.strings_appender("ids")
        self._exposures = self._folder.appender("exposures", np.float64)
        self._details = DetailsWriter(self._folder, self._detail_names)
        return self

    def append(
        self,
        counts: sparse.csr_array,
        labels: sparse.csr_array | None,
        ids: Sequence[str],
        exposures: NDArray[np.float64] | None = None,
        details: Details | None = None,
    ) -> None:
        """Add documents: the same parts as in a corpus, for these rows only."""
        self._counts.append(counts)
        if labels is not None:
            self._labels.append(labels)
        self._ids.append(ids)
        if exposures is not None:
            self._exposures.append(exposures)
        if details is not None:
            self._details.append(details)
        self._n_documents += counts.shape[0]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with ExitStack() as stack:
            stack.push(self._folder)  # it exits with this block
            if error is not None:
                raise error
            self._complete()

    def _complete(self) -> None:
        for part in (self._counts, self._labels, self._ids, self._exposures, self._details):
            part.close()
        folder = self._folder
        folder.write_json("words", list(self._words))
        if self._surface is not None:
            folder.write_json("surface", list(self._surface))
        if self._tree is not None:
            folder.write_json("tree", self._tree.to_dict())
        folder.meta |= {
            "documents": self._n_documents,
            "words": len(self._words),
            "topics": 0 if self._tree is None else self._tree.n_topics,
            "tokens": self._counts.total,
            "report": {reason: n for reason, n in self.report.items() if n},
        }
        if self._analyzer is not None:
            folder.meta["analyzer"] = dict(self._analyzer)


class _RowsAppender:
    """Appends rows of a CSR matrix; a matrix of ones needs no data."""

    def __init__(self, folder: FolderWriter, name: str, *, with_data: bool) -> None:
        self._data = folder.appender(f"{name}_data", np.int32) if with_data else None
        self._indices = folder.appender(f"{name}_indices", np.int32)
        self._indptr = folder.appender(f"{name}_indptr", np.int64)
        self._indptr.append(np.zeros(1, dtype=np.int64))
        self.total = 0

    def append(self, rows: sparse.csr_array) -> None:
        self._indptr.append(self._indices.length + rows.indptr[1:].astype(np.int64))
        self._indices.append(rows.indices)
        if self._data is not None:
            self._data.append(rows.data)
            self.total += int(rows.data.sum(dtype=np.int64))

    def close(self) -> None:
        for part in (self._data, self._indices, self._indptr):
            if part is not None:
                part.close()


def write_corpus(corpus: Corpus, path: str | PathLike[str], *, overwrite: bool = False) -> None:
    """Save a corpus as a folder."""
    writer = CorpusWriter(
        path,
        words=corpus.words,
        tree=corpus.tree,
        surface=corpus.surface,
        analyzer=corpus.analyzer,
        details=list(corpus.details.columns),
        overwrite=overwrite,
    )
    given = corpus.given_exposures
    with writer:
        writer.report = dict(corpus.report)
        for start in range(0, corpus.n_documents, _BLOCK):
            rows = slice(start, start + _BLOCK)
            writer.append(
                corpus.counts[rows],
                corpus.labels[rows] if corpus.tree is not None else None,
                corpus.ids[rows],
                None if given is None else given[rows],
                corpus.details.part(rows),
            )


def read_corpus(path: str | PathLike[str], *, verify: bool = True) -> Corpus:
    """Read a corpus folder; its large arrays stay on disk, memory-mapped.

    Parameters
    ----------
    path
        The folder.
    verify
        Verify every file's checksum. Without it the folder is still read once and validated.

    Returns
    -------
    Corpus
        The corpus; its arrays stay on disk.

    Examples
    --------
    >>> from frex import read_corpus
    >>> read_corpus('CORPUS')
    Corpus(36 documents, 25 words, 4 topics, 168 tokens)
    """
    folder = FolderReader(
        path,
        kind=KIND,
        version=VERSION,
        contents=_contents,
        verify=verify,
        made_by="frex prepare DOCS --tree TREE --out CORPUS",
    )
    words, surface = vocabulary_in(folder)
    tree = tree_in(folder) if "tree" in folder else None
    ids = folder.strings("ids")
    exposures = folder.array("exposures")
    indices = folder.array("labels_indices")
    return Corpus(
        counts=_csr(
            folder.array("counts_data"),
            folder.array("counts_indices"),
            folder.array("counts_indptr"),
            (len(ids), len(words)),
        ),
        labels=_csr(
            np.ones(len(indices), dtype=np.bool_),
            indices,
            folder.array("labels_indptr") if tree is not None else np.zeros(len(ids) + 1, np.int64),
            (len(ids), 0 if tree is None else tree.n_topics),
        ),
        words=words,
        ids=ids,
        tree=tree,
        surface=surface,
        given_exposures=exposures if len(exposures) else None,
        report=dict(folder.meta["report"]),
        analyzer=folder.meta.get("analyzer"),
        details=read_details(folder),
    )


def vocabulary_in(folder: FolderReader) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    """Return the words in the folder of a corpus or a fit, and their display forms or None."""
    return folder.once("vocabulary", lambda: _read_vocabulary(folder))


def _read_vocabulary(folder: FolderReader) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    words = tuple(folder.json("words", [str]))
    if not all(words) or len(set(words)) < len(words):
        raise folder.damaged("words.json", "has an empty word, or one twice")
    if "surface" not in folder:
        return words, None
    surface = tuple(folder.json("surface", [str]))
    if len(surface) != len(words):
        raise folder.damaged("surface.json", f"has {len(surface):,} forms of {len(words):,} words")
    return words, surface


def _contents(folder: FolderReader) -> dict[str, Rule]:
    """Return the rules for the arrays of a corpus."""
    folder.check_meta(_META)
    n_words = len(vocabulary_in(folder)[0])
    tree = tree_in(folder) if "tree" in folder else None
    (n_documents,) = folder.shape("ids_ends")
    (n_counts,) = folder.shape("counts_indices")
    (n_labels,) = folder.shape("labels_indices")
    (n_exposures,) = folder.shape("exposures")
    found = {
        "documents": n_documents,
        "words": n_words,
        "topics": 0 if tree is None else tree.n_topics,
    }
    for name, n in found.items():
        if folder.meta[name] != n:
            raise folder.damaged("manifest.json", f"declares {folder.meta[name]:,} {name} of {n:,}")
    rules: dict[str, Rule] = {
        "counts_data": Numbers((np.int32,), (n_counts,), low=1),
        "exposures": Numbers((np.float64,), (n_documents if n_exposures else 0,), low=0),
    }
    rules |= sparse_rules("counts", n_documents, n_words, n_counts, (np.int32,))
    rules |= strings_rules("ids", n_documents, *folder.shape("ids"))
    rules |= details_rules(folder, n_documents)
    if tree is None:  # no file of labels was written
        return rules | {"labels_indices": Numbers((np.int32,), (0,))}
    return rules | sparse_rules("labels", n_documents, tree.n_topics, n_labels, (np.int32,))


def _csr(
    data: NDArray[Any], indices: NDArray[Any], indptr: NDArray[Any], shape: tuple[int, int]
) -> sparse.csr_array:
    # SciPy needs one type for both, and would copy the mapped indices into the wider one
    if indptr[-1] <= np.iinfo(indices.dtype).max:
        indptr = indptr.astype(indices.dtype)
    matrix = sparse.csr_array((data, indices, indptr), shape=shape, copy=False)
    matrix.has_canonical_format = True  # as written; a check would read the whole file
    return matrix
