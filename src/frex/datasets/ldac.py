"""Counts in the format of Blei's lda-c: a line per document, ``n term:count term:count ...``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from frex.corpus import Corpus
from frex.corpus.matrices import LARGEST_COUNT
from frex.datasets.files import OfficialFile
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def read_ldac(
    counts: Path | OfficialFile, vocabulary: Path | OfficialFile, ids: Sequence[str] | None = None
) -> Corpus:
    """Read a corpus without labels.

    Parameters
    ----------
    counts
        A line per document: the number of distinct terms, then ``term:count`` with terms counted
        from 0.
    vocabulary
        A term a line, in the order of those numbers.
    ids
        Names of the documents; "0", "1", ... when None.
    """
    counts, vocabulary = _as_file(counts), _as_file(vocabulary)
    words = [word for _, word in vocabulary.lines()]
    terms: list[int] = []
    values: list[int] = []
    ends = [0]
    for number, line in counts.lines("ascii"):
        row = _parse(line, len(words), counts, number)
        terms.extend(term for term, _ in row)
        values.extend(value for _, value in row)
        ends.append(len(terms))
    shape = (len(ends) - 1, len(words))
    if ids is not None and len(ids) != shape[0]:
        raise InputError(
            f"{shape[0]} documents, but {len(ids)} names for them",
            path=counts.path,
            remedy="Use the files that belong together.",
        )
    matrix = sparse.csr_array((np.array(values, np.int32), terms, ends), shape=shape)
    names = [str(row) for row in range(shape[0])] if ids is None else ids
    return Corpus.from_matrices(matrix, words=words, ids=names)


def _parse(line: str, n_words: int, file: OfficialFile, number: int) -> list[tuple[int, int]]:
    head, *pairs = line.split() or [""]
    try:
        row = [(int(term), int(value)) for term, value in (pair.split(":") for pair in pairs)]
        right = int(head) == len({term for term, _ in row}) == len(row)
    except ValueError:
        right = False
    if not right:
        raise InputError(
            f"not 'n term:count ...' with n distinct terms: {line[:60]!r}",
            path=file.path,
            line=number,
        )
    wrong = [pair for pair in row if not (0 <= pair[0] < n_words and 1 <= pair[1] <= LARGEST_COUNT)]
    if wrong:
        term, value = wrong[0]
        raise InputError(
            f"{term}:{value} is not a term below {n_words} with a count of 1 to {LARGEST_COUNT:,}",
            path=file.path,
            line=number,
            remedy="Use the vocabulary file that belongs to these counts.",
        )
    return row


def _as_file(path: Path | OfficialFile) -> OfficialFile:
    return path if isinstance(path, OfficialFile) else OfficialFile(path.name, path)
