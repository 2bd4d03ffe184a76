"""Corrections of labels: the decisions of a review, read from a file and applied to documents.

A file of decisions has a line of JSON for each reviewed finding:

    {"document": "a1", "decision": "accept", "remove": ["golf"], "add": ["tennis"], ...}

Only lines with the decision ``accept`` change labels; other lines, and lines about topics of the
tree, are ignored. A document may have several lines, which all apply.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import sparse

from frex.corpus.labels import remove_redundant_ancestors
from frex.errors import InputError
from frex.storage.forms import mismatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from frex.corpus.corpus import Corpus
    from frex.tree.labels import KnownLabels

FORM = {"document": str, "decision": str, "remove?": [str], "add?": [str]}
DECISIONS = ("accept", "reject", "skip")


class Correction(NamedTuple):
    """The changes of a document's labels."""

    document: str
    remove: tuple[str, ...]
    add: tuple[str, ...]
    line: int | None = None


class Columns(NamedTuple):
    """The changes of a document's labels, as columns of a tree."""

    remove: frozenset[int]
    add: frozenset[int]

    def apply(self, columns: Iterable[int]) -> list[int]:
        """Return the labels of the document after the correction."""
        return sorted((set(columns) - self.remove) | self.add)


@dataclass(frozen=True)
class Corrections:
    """Corrections of documents' labels.

    Attributes
    ----------
    corrections
        The corrections in the order of the file.
    path
        The file, or None.
    """

    corrections: tuple[Correction, ...]
    path: str | None = None

    def __len__(self) -> int:
        return len({one.document for one in self.corrections})

    def columns(self, known: KnownLabels) -> dict[str, Columns]:
        """Return the corrections of each document, by id, as columns of a tree.

        Parameters
        ----------
        known
            The names of labels.
        """
        found: dict[str, Columns] = {}
        for one in self.corrections:
            remove, add = (
                frozenset(self._column(name, known, one) for name in names)
                for names in (one.remove, one.add)
            )
            earlier = found.get(one.document, Columns(frozenset(), frozenset()))
            merged = Columns(earlier.remove | remove, earlier.add | add)
            both = merged.remove & merged.add
            if both:
                name = known.topics[min(both)]
                raise InputError(
                    f"the label {name!r} of document {one.document!r} is to be added and removed",
                    path=self.path,
                    line=one.line,
                    remedy="Take one of the two lines out.",
                )
            found[one.document] = merged
        return found

    def _column(self, name: str, known: KnownLabels, one: Correction) -> int:
        if name not in known.columns:
            raise known.error(name, document=one.document, path=self.path, line=one.line)
        return known.columns[name]


def read_corrections(path: str | PathLike[str]) -> Corrections:
    """Read the decisions of a review.

    Parameters
    ----------
    path
        The file that the page of ``frex audit`` exported.

    Returns
    -------
    Corrections
        The accepted corrections.

    Raises
    ------
    InputError
        The file cannot be read, or a line is not a decision.

    Examples
    --------
    >>> from pathlib import Path
    >>> from frex.corpus import read_corrections
    >>> line = '{"document": "d1", "decision": "accept", "remove": ["metal"], "add": ["grain"]}'
    >>> _ = Path('decisions.jsonl').write_text(line)
    >>> len(read_corrections('decisions.jsonl'))
    1
    """
    file = Path(path)
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"cannot read the corrections: {error}",
            path=path,
            remedy="Name the file that the page of `frex audit` exported.",
        ) from error
    found = [_correction(line, n, file) for n, line in enumerate(lines, 1) if line.strip()]
    return Corrections(tuple(one for one in found if one is not None), str(file))


def _correction(line: str, number: int, path: Path) -> Correction | None:
    try:
        record: Any = json.loads(line)
        about_topic = isinstance(record, dict) and "topic" in record and "document" not in record
        form = {"topic": str, "decision": str} if about_topic else FORM
        complaint = mismatch(record, form)
    except (ValueError, RecursionError) as error:
        complaint = f"is not JSON: {error}"
    if complaint is None and record["decision"] not in DECISIONS:
        complaint = f"has the decision {record['decision']!r}, not accept, reject or skip"
    if complaint is not None:
        raise InputError(
            f"the decision {complaint}",
            path=path,
            line=number,
            remedy="Use the file that the page of `frex audit` exported.",
        )
    if about_topic or record["decision"] != "accept":
        return None
    remove, add = (tuple(record.get(name, ())) for name in ("remove", "add"))
    return Correction(record["document"], remove, add, number)


def corrected_labels(corpus: Corpus, corrections: Corrections) -> sparse.csr_array[np.bool_]:
    """Return the labels of a corpus after corrections.

    Labels made redundant by a label below them are removed, unless the corpus already has such
    labels.

    Parameters
    ----------
    corpus
        A corpus with labels.
    corrections
        Corrections of its documents.
    """
    assert corpus.tree is not None
    changes = corrections.columns(corpus.tree.known_labels)
    rows = _rows(corpus.ids, changes, corrections)
    labels = corpus.labels
    parts = np.split(labels.indices, labels.indptr[1:-1])
    for name, row in rows.items():
        parts[row] = np.array(changes[name].apply(parts[row].tolist()), labels.indices.dtype)
    indptr = np.concatenate([[0], np.cumsum([len(part) for part in parts])])
    indices = np.concatenate(parts)
    shape = labels.shape
    made = sparse.csr_array((np.ones(len(indices), np.bool_), indices, indptr), shape=shape)
    if remove_redundant_ancestors(labels, corpus.tree).nnz == labels.nnz:
        made = remove_redundant_ancestors(made, corpus.tree)
    return made


def _rows(
    ids: Iterable[str], changes: Mapping[str, Columns], corrections: Corrections
) -> dict[str, int]:
    rows = {name: row for row, name in enumerate(ids) if name in changes}
    for one in corrections.corrections:
        if one.document not in rows:
            raise InputError(
                f"there is no document {one.document!r} in the corpus",
                path=corrections.path,
                line=one.line,
                remedy="Use the corrections of this corpus.",
            )
    return rows
