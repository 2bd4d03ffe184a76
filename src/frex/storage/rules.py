"""Validation rules for arrays in files, applied block by block.

A rule has the allowed types and the shape, which the file's header declares, and makes a `Look`: a
function that gets the values in order, one block at a time, and returns an error or None. Each
block is needed only once, so an array is validated while it is read for its checksum.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

Look: TypeAlias = "Callable[[NDArray[Any]], str | None]"

BLOCK = 1 << 18
"""Bytes of a block, which stay in a core's cache."""

INTEGERS = (np.int32, np.int64)

_HEAD = re.compile(
    rb"\{'descr': '([<|][bfiu][1248])', 'fortran_order': False, "
    rb"'shape': \((\d+,|\d+(?:, \d+)+)?\), \} *\n"
)  # as NumPy writes it for plain numbers in rows


class Head(NamedTuple):
    """The header of an array's file."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    n_bytes: int  #: length of the header


def read_head(file: Path) -> Head:
    """Read the header of a `.npy` file; raise `ValueError` if the file's size does not match."""
    with file.open("rb") as handle:
        begin = handle.read(10)
        text = handle.read(int.from_bytes(begin[8:], "little"))
    found = _HEAD.fullmatch(text)
    if not begin.startswith(b"\x93NUMPY\x01\x00") or found is None:
        raise ValueError("it does not begin as one")
    shape = tuple(int(length) for length in (found[2] or b"").split(b",") if length)
    head = Head(np.dtype(found[1].decode()), shape, len(begin) + len(text))
    declared, there = prod(shape) * head.dtype.itemsize, file.stat().st_size - head.n_bytes
    if declared != there:
        raise ValueError(f"it declares {declared:,} bytes of values and has {there:,}")
    return head


class Rule(Protocol):
    """A rule for an array."""

    @property
    def types(self) -> tuple[type[np.generic], ...]:
        """Allowed types."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Required shape."""

    @property
    def needs(self) -> str | None:
        """Name of another array, validated before, which `look` gets."""

    def look(self, other: NDArray[Any] | None) -> Look:
        """Return a function that validates the values, block by block in order."""


def refuse_head(head: Head, rule: Rule) -> str | None:
    """Return the error of a file's header, or None."""
    if head.dtype not in map(np.dtype, rule.types):
        names = " or ".join(np.dtype(kind).name for kind in rule.types)
        return f"holds numbers of type {head.dtype}, not {names}"
    if head.shape != rule.shape:
        return f"has the shape {head.shape}, not {rule.shape}"
    return None


@dataclass(frozen=True)
class Numbers:
    """Numbers within bounds.

    Parameters
    ----------
    types, shape
        Types and shape of the array.
    low, high
        The smallest and the largest allowed value, the latter optionally for each column.
    finite
        Whether infinities and NaN are errors; otherwise they satisfy any bounds.
    """

    types: tuple[type[np.generic], ...]
    shape: tuple[int, ...]
    low: float | None = None
    high: float | NDArray[np.int64] | None = None
    finite: bool = True
    needs = None

    def look(self, _: NDArray[Any] | None) -> Look:
        """Return a function that checks the bounds."""
        return self._look

    def _look(self, values: NDArray[Any]) -> str | None:
        if values.dtype.kind == "f":
            known = np.isfinite(values)
            if not known.all():
                if self.finite:
                    return "holds a value that is not a finite number"
                values = values[known]
        if isinstance(self.high, np.ndarray):  # a block has whole rows: see `BLOCK`
            values = values.reshape(-1, self.shape[-1])
        if not len(values):
            return None
        if self.low is not None and values.min() < self.low:
            return f"holds a value below {self.low}"
        if self.high is not None and np.any(values.max(axis=0) > self.high):
            return f"holds a value above {self.high}"
        return None


@dataclass(frozen=True)
class Ends:
    """The ends of consecutive segments of a flat array.

    Parameters
    ----------
    n
        Number of segments.
    total
        Total number of values.
    from_zero
        Whether the array begins with 0, the start of the first segment.
    """

    n: int
    total: int
    from_zero: bool = True
    types = INTEGERS
    needs = None

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array."""
        return (self.n + self.from_zero,)

    def look(self, _: NDArray[Any] | None) -> Look:
        """Return a function that checks that the values rise from 0 to the total."""
        seen, before = 0, 0

        def look(values: NDArray[Any]) -> str | None:
            nonlocal seen, before
            falls = values[0] < before or (values[1:] < values[:-1]).any()
            if falls or (seen == 0 and self.from_zero and values[0] != 0):
                return "does not rise from 0"
            seen, before = seen + len(values), int(values[-1])
            if before > self.total or (seen == self.shape[0] and before != self.total):
                return f"does not end at {self.total:,}, the number of values"
            return None

        return look


@dataclass(frozen=True)
class Columns:
    """Columns of a sparse matrix, increasing within each row.

    Parameters
    ----------
    needs
        The array of row ends, which begins with 0.
    n
        Number of stored values.
    width
        Number of columns of the matrix.
    types
        Types of the array.
    """

    needs: str
    n: int
    width: int
    types: tuple[type[np.generic], ...] = INTEGERS

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array."""
        return (self.n,)

    def look(self, other: NDArray[Any] | None) -> Look:
        """Return a function that compares neighbours, but for those in different rows."""
        assert other is not None
        first = 0

        def begin_rows(rises: NDArray[np.bool_], seen: int) -> None:
            nonlocal first
            last = _first_from(other, seen + len(rises))
            rises[other[first:last] - seen] = True
            first = last

        return _rising_within_rows(self.types, self.width, begin_rows)


@dataclass(frozen=True)
class Chosen:
    """A fixed number of chosen columns for each row, increasing within the row.

    Parameters
    ----------
    shape
        Rows x chosen columns.
    width
        Number of columns to choose from.
    types
        Types of the array.
    """

    shape: tuple[int, int]
    width: int
    types: tuple[type[np.generic], ...] = INTEGERS
    needs = None

    def look(self, _: NDArray[Any] | None) -> Look:
        """Return a function that compares neighbours, but for those in different rows."""

        def begin_rows(rises: NDArray[np.bool_], seen: int) -> None:
            rises[-seen % self.shape[1] :: self.shape[1]] = True

        return _rising_within_rows(self.types, self.width, begin_rows)


def _rising_within_rows(
    types: tuple[type[np.generic], ...],
    width: int,
    begin_rows: Callable[[NDArray[np.bool_], int], None],
) -> Look:
    """Return a function that checks that columns increase within rows.

    `begin_rows` marks the beginnings of rows in a block, given the number of values before it.
    """
    seen, before = 0, -1
    flags = np.empty(BLOCK // min(np.dtype(kind).itemsize for kind in types), np.bool_)

    def look(values: NDArray[Any]) -> str | None:
        nonlocal seen, before
        rises = flags[: len(values)]
        rises[0] = values[0] > before
        np.greater(values[1:], values[:-1], out=rises[1:])
        begin_rows(rises, seen)
        seen, before = seen + len(values), values[-1]
        if not rises.all():
            return "holds columns that do not rise within a row"
        unsigned = values.view(f"u{values.itemsize}")  # so that -1 is larger than any column
        if unsigned.max() >= width:
            column = values[unsigned.argmax()]
            return f"holds the column {column} of a matrix of {width:,}"
        return None

    return look


def _first_from(ascending: NDArray[Any], value: int) -> int:
    """Return the index of the first number that is not below a value."""
    # of the same type, otherwise NumPy would convert the whole array for every block
    return int(ascending.searchsorted(ascending.dtype.type(value)))


@dataclass(frozen=True)
class Text:
    """UTF-8, divided into strings.

    Parameters
    ----------
    needs
        The array of ends.
    n
        Number of bytes.
    """

    needs: str
    n: int
    types = (np.uint8,)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array."""
        return (self.n,)

    def look(self, other: NDArray[Any] | None) -> Look:
        """Return a function that decodes."""
        assert other is not None
        decoder = codecs.getincrementaldecoder("utf-8")()
        seen = 0

        def look(values: NDArray[Any]) -> str | None:
            nonlocal seen
            if (
                values.max() < 0x80 and decoder.getstate()[0] == b""
            ):  # ASCII can be divided anywhere
                seen += len(values)
                return None
            first, last = (_first_from(other, seen + n) for n in (0, len(values)))
            starts = values[other[first:last] - seen]
            seen += len(values)
            try:
                decoder.decode(values.data, final=seen == self.n)
            except UnicodeDecodeError as error:
                return f"is not UTF-8: {error.reason}"
            # 10xxxxxx continues a character, so no string may begin there
            return "cuts a character in two" if (starts & 0xC0 == 0x80).any() else None

        return look


def strings_rules(name: str, n: int, n_bytes: int) -> dict[str, Rule]:
    """Return the rules for the two arrays of a list of strings.

    Parameters
    ----------
    name
        Name of the list.
    n, n_bytes
        Number of strings, and their total number of bytes.
    """
    return {
        f"{name}_ends": Ends(n, n_bytes, from_zero=False),
        name: Text(f"{name}_ends", n_bytes),
    }


def sparse_rules(
    name: str,
    n_rows: int,
    width: int,
    n: int,
    types: tuple[type[np.generic], ...] = INTEGERS,
) -> dict[str, Rule]:
    """Return the rules for the structure of a sparse matrix.

    Parameters
    ----------
    name
        Name of the matrix.
    n_rows, width
        Its shape.
    n
        Number of stored values.
    types
        Types of the column indices.
    """
    return {
        f"{name}_indptr": Ends(n_rows, n),
        f"{name}_indices": Columns(f"{name}_indptr", n, width, types),
    }
