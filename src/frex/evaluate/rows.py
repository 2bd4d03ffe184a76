"""A CSV file to which rows are appended as they are computed, so that a killed run can continue.

Every row has a fingerprint of corpus and settings. A file may contain rows of several corpora and
settings, which are selected by their fingerprints.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import InputError
from frex.storage.lines import csv_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from frex.corpus import Corpus


class RowFile:
    """Rows that are in a file when `append` returns, or in memory without a file.

    Parameters
    ----------
    path
        The file, which need not exist; None for memory.
    columns
        Names of the columns, including that of the fingerprint.
    """

    def __init__(self, path: str | PathLike[str] | None, columns: Sequence[str]) -> None:
        self.path = None if path is None else Path(path)
        self.columns = tuple(columns)
        self.rows: list[dict[str, str]] = []
        if self.path is not None:
            self.rows = self._open(self.path)

    def append(self, row: Mapping[str, Any]) -> None:
        """Append a row durably."""
        self.rows.append({name: str(row[name]) for name in self.columns})
        if self.path is not None:
            cells = [self.rows[-1][name] for name in self.columns]
            _write(self.path, csv_line(cells, guard=False))

    def _open(self, path: Path) -> list[dict[str, str]]:
        """Return the rows of a file, or start it; an incomplete last row is removed."""
        if not path.parent.is_dir():
            raise InputError(
                f"there is no folder {path.parent}", path=path, remedy="Make it, or choose another."
            )
        if path.is_dir():
            raise InputError("is a folder", path=path, remedy="Name a file.")
        head = csv_line(self.columns, guard=False)
        content = path.read_bytes() if path.exists() else b""
        if head.encode().startswith(content):
            _write(path, head[len(content) :])
            return []
        whole, newline, torn = content.rpartition(b"\n")
        try:
            header, *lines = csv.reader(io.StringIO(whole.decode(), newline=""))
        except (UnicodeDecodeError, csv.Error, ValueError):
            header, lines = [], []
        if tuple(header) != self.columns:
            raise InputError(
                "holds something else than rows of this experiment",
                path=path,
                remedy="Choose another file.",
            )
        if torn:
            os.truncate(path, len(whole) + len(newline))
        for number, cells in enumerate(lines, start=2):
            if len(cells) != len(self.columns):
                raise InputError(
                    f"{len(cells)} cells in a row of {len(self.columns)}",
                    path=path,
                    line=number,
                    remedy="Remove the line.",
                )
        return [dict(zip(self.columns, cells, strict=True)) for cells in lines]


def fingerprint(corpus: Corpus, **settings: Any) -> str:
    """Return a fingerprint of a corpus and settings.

    Parameters
    ----------
    corpus
        The corpus; its counts, labels, exposures and tree are used, not its words and ids.
    **settings
        JSON values.
    """
    digest = hashlib.sha256(json.dumps(settings, sort_keys=True, allow_nan=False).encode())
    for matrix in (corpus.counts, corpus.labels):
        for array in (matrix.indptr, matrix.indices, matrix.data):
            digest.update(np.ascontiguousarray(array, dtype="<i8").tobytes())
    digest.update(np.ascontiguousarray(corpus.exposures, dtype="<f8").tobytes())
    tree = None if corpus.tree is None else corpus.tree.to_dict()
    digest.update(json.dumps(tree, allow_nan=False).encode())
    return digest.hexdigest()[:16]


def _write(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8", newline="") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
