"""Conversion of input to validated sparse matrices; errors name row and column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import narwhals as nw
import numpy as np
from scipy import sparse

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

LARGEST_COUNT = np.iinfo(np.int32).max


class Matrix(NamedTuple):
    """A sparse matrix and, if its source had them, the names of its columns."""

    values: sparse.csr_array
    columns: tuple[str, ...] | None


def is_matrix(value: Any) -> bool:
    """Whether a value is a table of numbers, and not a list of topic names for each document."""
    if sparse.issparse(value) or isinstance(_frame(value), nw.DataFrame):
        return True
    if isinstance(value, np.ndarray):
        return value.ndim == 2
    if not isinstance(value, list | tuple):
        return False
    rows = [row for row in value if isinstance(row, list | tuple | np.ndarray)]
    cells = [cell for row in rows for cell in row]
    return len(rows) == len(value) and bool(cells) and not any(isinstance(c, str) for c in cells)


def _frame(value: Any) -> Any:
    return nw.from_native(value, eager_only=True, pass_through=True)


def as_matrix(value: Any, what: str) -> Matrix:
    """Convert a SciPy matrix, an array or a data frame to a CSR matrix, always a copy.

    Parameters
    ----------
    value
        The matrix, documents in rows.
    what
        Its content, for messages: ``"counts"`` or ``"labels"``.
    """
    columns = None
    if not sparse.issparse(value):
        frame = _frame(value)
        if isinstance(frame, nw.DataFrame):
            columns = tuple(str(name) for name in frame.columns)
            value = frame.to_numpy()
        value = _as_array(value, what)
    if value.ndim != 2:
        raise InputError(
            f"the {what} have {value.ndim} dimension{'s' if value.ndim != 1 else ''}, not two",
            remedy="Give one row for each document.",
        )
    if value.dtype.kind not in "biuf":
        raise InputError(
            f"the {what} are of type {value.dtype}, not numbers",
            remedy="Give whole numbers; a data frame must hold only the columns of the matrix.",
        )
    # repeated entries are summed in 64 bits, so that no sum overflows
    exact = value.dtype.kind != "f" and value.dtype != np.uint64
    try:
        csr = sparse.csr_array(value.astype(np.int64 if exact else np.float64, copy=True))
        csr.check_format(full_check=True)
    except (ValueError, IndexError) as error:
        raise InputError(
            f"the {what} are not a sound sparse matrix: {error}", remedy="Build it again."
        ) from error
    csr.sum_duplicates()
    if max(csr.nnz, *csr.shape) <= np.iinfo(np.int32).max:  # as scikit-learn's SVM requires
        csr.indices, csr.indptr = csr.indices.astype(np.int32), csr.indptr.astype(np.int32)
    return Matrix(csr, columns)


def _as_array(value: Any, what: str) -> NDArray[Any]:
    try:
        array = np.asarray(value)
        if array.dtype == object:  # a data frame with missing values, or Python's large integers
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"the {what} are not a matrix of numbers: {error}",
            remedy="Give a SciPy matrix, a NumPy array or a data frame.",
        ) from error
    return array


def as_counts(value: Any, words: Sequence[str] | None, ids: Sequence[str] | None) -> Matrix:
    """Validate word counts and return them as int32, without explicit zeros."""
    matrix = as_matrix(value, "counts")
    names = (ids, words if words is not None else matrix.columns)
    data = matrix.values.data
    _refuse(matrix.values, ~np.isfinite(data), names, "is no number", remedy="Replace it by 0.")
    _refuse(matrix.values, data < 0, names, "is negative", remedy="Counts are 0 or more.")
    _refuse(
        matrix.values,
        data != np.floor(data),
        names,
        "is not a whole number",
        remedy="Give raw counts, not weights: CountVectorizer, not TfidfVectorizer.",
    )
    _refuse(
        matrix.values,
        data > LARGEST_COUNT,
        names,
        f"is larger than {LARGEST_COUNT:,}",
        remedy="Check how the words were counted.",
    )
    counts = matrix.values.astype(np.int32)
    counts.eliminate_zeros()
    return Matrix(counts, matrix.columns)


def as_indicators(value: Any, columns: Sequence[str] | None, ids: Sequence[str] | None) -> Matrix:
    """Validate a matrix of zeros and ones and return it as booleans, without explicit zeros."""
    matrix = as_matrix(value, "labels")
    data = matrix.values.data
    names = (ids, matrix.columns or columns)
    _refuse(
        matrix.values,
        (data != 0) & (data != 1),
        names,
        "is neither 0 nor 1",
        remedy="Labels are 1 where the document has the topic, else 0.",
        column="topic",
    )
    labels = matrix.values.astype(np.bool_)
    labels.eliminate_zeros()
    return Matrix(labels, matrix.columns)


def _refuse(
    matrix: sparse.csr_array,
    bad: NDArray[np.bool_],
    names: tuple[Sequence[str] | None, Sequence[str] | None],
    reason: str,
    *,
    remedy: str,
    column: str = "word",
) -> None:
    """Raise an error that names the first bad entry's row and column."""
    if not bad.any():
        return
    entry = int(np.argmax(bad))
    row = int(np.searchsorted(matrix.indptr, entry, side="right")) - 1
    document = _place("document", row, names[0])
    place = _place(column, int(matrix.indices[entry]), names[1])
    more = int(bad.sum()) - 1
    others = f", and so are {more:,} more" if more else ""
    raise InputError(f"{document}, {place}: {matrix.data[entry]} {reason}{others}", remedy=remedy)


def _place(kind: str, number: int, names: Sequence[str] | None) -> str:
    named = names is not None and number < len(names)
    return f"{kind} {names[number]!r}" if names and named else f"{kind} number {number}"


def as_names(value: Any, n: int, what: str, prefix: str) -> tuple[str, ...]:
    """Check that names are `n` distinct texts.

    Parameters
    ----------
    value
        The names; None for generated ones; or an object with `get_feature_names_out`.
    n
        Number of names.
    what
        Kind of names, for messages: ``"words"`` or ``"ids"``.
    prefix
        Prefix of generated names.
    """
    if value is None:
        width = len(str(max(n - 1, 0)))
        return tuple(f"{prefix}{i:0{width}d}" for i in range(n))
    if hasattr(value, "get_feature_names_out"):
        value = value.get_feature_names_out()
    names = tuple(str(v) if isinstance(v, str | int | np.integer) else v for v in value)
    if len(names) != n:
        raise InputError(
            f"{len(names)} {what} were given for {n}", remedy=f"Give one of the {what} for each."
        )
    seen: dict[str, int] = {}
    for i, name in enumerate(names):
        if not isinstance(name, str) or not name:
            raise InputError(
                f"{what}: number {i} is {name!r}, not text", remedy="Give each a name of its own."
            )
        if seen.setdefault(name, i) != i:
            raise InputError(
                f"{what}: {name!r} appears twice, as number {seen[name]} and number {i}",
                remedy="Give each a name of its own, or add the two together.",
            )
        if not _encodes(name):
            raise InputError(
                f"{what}: number {i}, {name!r}, cannot be written as UTF-8", remedy="Rename it."
            )
    return names


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def as_exposures(value: ArrayLike, n_documents: int) -> NDArray[np.float64]:
    """Check the documents' relative lengths."""
    exposures = np.array(value, dtype=np.float64)
    if exposures.shape != (n_documents,) or not (np.isfinite(exposures) & (exposures >= 0)).all():
        raise InputError(
            f"the exposures are not {n_documents} finite numbers of 0 or more",
            remedy="Give one for each document.",
        )
    return exposures


def as_surface(value: Sequence[str], n_words: int) -> tuple[str, ...]:
    """Check the display forms of words."""
    surface = tuple(value)
    if len(surface) != n_words or not all(isinstance(form, str) for form in surface):
        raise InputError(
            f"the surface forms are not {n_words} texts", remedy="Give one for each word."
        )
    return surface
