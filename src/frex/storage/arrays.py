"""Arrays and lists of strings in files, written chunk by chunk and memory-mapped when read."""

from __future__ import annotations

import contextlib
import ctypes
import mmap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO, Self

    from numpy.typing import DTypeLike, NDArray


class Strings(Sequence[str]):
    """A read-only list of strings stored as one UTF-8 block, without an object for each string.

    Parameters
    ----------
    block
        The concatenated bytes of all strings.
    ends
        The end of each string in the block.
    """

    def __init__(self, block: NDArray[np.uint8], ends: NDArray[np.int64]) -> None:
        self._block = block
        self._ends = ends

    def __len__(self) -> int:
        return len(self._ends)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        start = int(self._ends[number - 1]) if number else 0
        return str(self._block[start : int(self._ends[number])].tobytes(), "utf-8")

    def __iter__(self) -> Iterator[str]:
        start = 0
        for end in self._ends.tolist():
            yield str(self._block[start:end].tobytes(), "utf-8")
            start = end

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # equal to a list, so as unhashable as one

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self[:3]))
        return f"Strings([{shown}{', ...' if len(self) > 3 else ''}], {len(self)} in all)"


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write an array as a `.npy` file.

    `numpy.save` writes through a buffer of the C library, and does not notice if the last part does
    not fit on the disk.
    """
    values = np.asarray(array, order="C")
    with path.open("wb") as file:
        header = np.lib.format.header_data_from_array_1_0(values)
        np.lib.format.write_array_header_1_0(file, header)
        file.write(values.reshape(-1).view(np.uint8).data)


class ArrayAppender:
    """A one-dimensional `.npy` file that grows chunk by chunk; its length is written at the end."""

    def __init__(self, path: Path, dtype: DTypeLike) -> None:
        self.dtype = np.dtype(dtype)
        self.length = 0
        self._file: BinaryIO = path.open("wb")
        self._write_header()
        self._start = self._file.tell()

    def _write_header(self) -> None:
        # NumPy pads the header so that the first axis may grow in place
        np.lib.format.write_array_header_1_0(
            self._file,
            {
                "shape": (self.length,),
                "fortran_order": False,
                "descr": np.lib.format.dtype_to_descr(self.dtype),
            },
        )

    def append(self, chunk: NDArray[Any]) -> None:
        """Add values at the end."""
        values = np.ascontiguousarray(chunk, dtype=self.dtype)
        self._file.write(values.data)
        self.length += len(values)

    def close(self) -> None:
        """Write the final length and close the file, also if the disk is full."""
        if not self._file.closed:
            with self._file:
                self._file.seek(0)
                self._write_header()
                assert self._file.tell() == self._start

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class StringsAppender:
    """A string table that grows chunk by chunk; `Strings` reads it."""

    def __init__(self, block: ArrayAppender, ends: ArrayAppender) -> None:
        self._block = block
        self._ends = ends

    def append(self, strings: Sequence[str]) -> None:
        """Add strings at the end."""
        encoded = [text.encode() for text in strings]
        lengths = np.fromiter(map(len, encoded), np.int64, len(encoded))
        self._ends.append(self._block.length + np.cumsum(lengths))
        self._block.append(np.frombuffer(b"".join(encoded), np.uint8))

    def close(self) -> None:
        """Write the final lengths and close the files."""
        self._block.close()
        self._ends.close()


def forget(array: NDArray[Any]) -> None:
    """Release the memory of a memory-mapped array; it is read again when needed.

    Nothing happens if the array is not mapped, or if the system does not support this.
    """
    whole: Any = array
    while isinstance(whole, np.ndarray):
        whole = whole.base
    if isinstance(whole, mmap.mmap) and hasattr(whole, "madvise"):
        whole.madvise(mmap.MADV_DONTNEED)


def tidy() -> None:
    """Return freed memory to the system, if the C library supports it.

    The C library keeps memory between arrays that are in use: 30 MB after the search for the mode,
    for a corpus whose chains need 150 MB.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):  # not Linux, or not glibc
        ctypes.CDLL(None).malloc_trim(0)
