"""Word vectors, from a file of embeddings or from co-occurrences."""

from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from frex.errors import InputError
from frex.evaluate.cooccurrence import npmi

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike

    from numpy.typing import NDArray

    from frex.corpus import Corpus
    from frex.evaluate.cooccurrence import Reference

    Array: TypeAlias = NDArray[np.float64]

CONTEXTS = 1000
"""Number of most frequent words of the reference that are the dimensions of vectors."""


class Vectors(NamedTuple):
    """The vectors of a vocabulary."""

    directions: Array  #: words x dimensions, each of length 1; zeros for words without a vector
    mark: str  #: a fingerprint

    @classmethod
    def of(cls, vectors: Array, mark: str) -> Vectors:
        """Scale vectors to length 1."""
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return cls(np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0), mark)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which words have a vector."""
        return np.asarray(self.directions.any(axis=1))


def company(reference: Reference, n_words: int) -> Vectors:
    """Return vectors of NPMI with the most frequent words.

    Parameters
    ----------
    reference
        The reference for co-occurrences.
    n_words
        Size of the studied vocabulary.
    """
    words = np.arange(n_words, dtype=np.int64)
    alone = reference.alone()
    contexts = np.sort(np.argsort(-alone, kind="stable")[:CONTEXTS])
    joint = reference.together(words, contexts)
    return Vectors.of(npmi(joint, alone[:, None], alone[contexts]), reference.mark)


def read_vectors(path: str | PathLike[str], corpus: Corpus) -> Vectors:
    """Read the vectors of a corpus's words, by their display forms.

    Parameters
    ----------
    path
        ``.npz`` with `words` and `vectors`; or text in the format of GloVe and word2vec, a word and
        its numbers on each line, with or without a first line of sizes.
    corpus
        The studied corpus.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError("there is no such file", path=path, remedy="Name a file of vectors.")
    forms = corpus.surface or corpus.words
    number = {form.casefold(): place for place, form in reversed(list(enumerate(forms)))}
    found: dict[int, Array] = {}
    for word, vector in _npz(file) if file.suffix == ".npz" else _lines(file):
        place = number.get(word.casefold())
        if place is not None:
            found.setdefault(place, vector)
    if not found:
        raise InputError(
            "has no word of the corpus", path=path, remedy="Use vectors in its language."
        )
    # words of one display form share its vector
    same = [number[form.casefold()] for form in forms]
    zeros = np.zeros(len(next(iter(found.values()))))
    vectors = np.array([found.get(place, zeros) for place in same])
    return Vectors.of(vectors, hashlib.sha256(vectors.tobytes()).hexdigest()[:16])


def _npz(file: Path) -> Iterator[tuple[str, Array]]:
    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            words, vectors = arrays["words"], arrays["vectors"]
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise InputError(
            "does not hold the arrays words and vectors",
            path=file,
            remedy="Write it with np.savez.",
        ) from error
    if vectors.ndim != 2 or words.shape != vectors.shape[:1]:
        raise InputError(
            f"words has shape {words.shape} and vectors {vectors.shape}",
            path=file,
            remedy="Give a row of vectors for each word.",
        )
    return zip(words.tolist(), np.asarray(vectors, dtype=np.float64), strict=True)


def _lines(file: Path) -> Iterator[tuple[str, Array]]:
    size = None
    with file.open(encoding="utf-8", errors="replace") as lines:
        for line, text in enumerate(lines, start=1):
            word, *numbers = text.rstrip().split(" ")
            if line == 1 and len(numbers) == 1:  # word2vec begins with the sizes
                continue
            try:
                vector = np.array(numbers, dtype=np.float64)
            except ValueError:
                vector = np.empty(0)
            size = size or len(vector)
            if not size or len(vector) != size or not np.isfinite(vector).all():
                raise InputError(
                    f"not a word and its {size or ''} numbers: {text[:60]!r}".replace("  ", " "),
                    path=file,
                    line=line,
                    remedy="Use vectors as GloVe or word2vec writes them, as text.",
                )
            yield word, vector
