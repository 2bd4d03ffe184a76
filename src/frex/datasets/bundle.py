"""A corpus of counts as one small file: the format of the bundled corpus.

The columns of a row are stored as differences, and every number in the narrowest type that holds
it, which deflates to about a byte per count. The file is a plain `.npz` without pickles, and the
same corpus always gives the same bytes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from frex.corpus import Corpus
from frex.errors import InputError
from frex.tree import TopicTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

FORMAT = 1


def pack(corpus: Corpus, path: Path, about: Mapping[str, Any]) -> None:
    """Write a corpus with labels to one file.

    Parameters
    ----------
    corpus
        What to write.
    path
        The `.npz` file.
    about
        Where it comes from, as JSON can hold it.
    """
    assert corpus.tree is not None
    facts = {"format": FORMAT, "about": dict(about), "tree": corpus.tree.to_dict()}
    surface = corpus.words if corpus.surface is None else corpus.surface
    arrays = {
        "facts": _encode([json.dumps(facts, sort_keys=True, allow_nan=False)]),
        "ids": _encode(corpus.ids),
        "words": _encode(corpus.words),
        "surface": _encode(surface),
        "counts": _narrow(corpus.counts.data),
        **{f"words_{key}": value for key, value in _gaps(corpus.counts).items()},
        **{f"labels_{key}": value for key, value in _gaps(corpus.labels).items()},
    }
    with path.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **arrays)


def unpack(path: Path) -> tuple[Corpus, dict[str, Any]]:
    """Read what `pack` wrote: the corpus, and where it comes from."""
    with np.load(path, allow_pickle=False) as file:
        arrays = dict(file)
    facts = json.loads(_decode(arrays["facts"])[0])
    if facts["format"] != FORMAT:
        raise InputError(f"format {facts['format']}, not {FORMAT}", path=path)
    tree = TopicTree.from_dict(facts["tree"])
    words, ids = _decode(arrays["words"]), _decode(arrays["ids"])
    corpus = Corpus.from_matrices(
        _matrix(arrays["counts"].astype(np.int32), arrays, "words", len(words)),
        _matrix(None, arrays, "labels", len(tree)),
        tree=tree,
        words=words,
        ids=ids,
        surface=_decode(arrays["surface"]),
        several_parents="first",  # as it was packed
    )
    return corpus, facts["about"]


def _gaps(matrix: sparse.csr_array) -> dict[str, NDArray[Any]]:
    """Return each row's length, and its columns as steps from the one before."""
    steps = np.diff(matrix.indices, prepend=0)
    first = matrix.indptr[:-1][np.diff(matrix.indptr) > 0]
    steps[first] = matrix.indices[first]
    return {"lengths": _narrow(np.diff(matrix.indptr)), "steps": _narrow(steps)}


def _matrix(
    data: NDArray[np.int32] | None, arrays: Mapping[str, NDArray[Any]], name: str, n_columns: int
) -> sparse.csr_array:
    """Undo `_gaps`."""
    lengths = arrays[f"{name}_lengths"].astype(np.int64)
    ends = np.concatenate([[0], np.cumsum(lengths)])
    running = np.cumsum(arrays[f"{name}_steps"].astype(np.int64))
    before = np.concatenate([[0], running])[ends[:-1]]
    columns = running - np.repeat(before, lengths)
    values = np.ones(len(columns), np.int32) if data is None else data
    return sparse.csr_array((values, columns, ends), shape=(len(lengths), n_columns))


def _narrow(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(np.min_scalar_type(int(values.max(initial=0))))


def _encode(lines: Iterable[str]) -> NDArray[np.uint8]:
    return np.frombuffer("\n".join(lines).encode(), dtype=np.uint8)


def _decode(data: NDArray[np.uint8]) -> list[str]:
    return data.tobytes().decode().split("\n")
