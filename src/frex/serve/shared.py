"""A model in an unnamed file: read and checked once, mapped by all workers.

Only the server and its child processes, which inherit the file, have access to it. So it may be a
pickle, with arrays stored separately that are not copied: a worker maps them from the file. If a
worker writes to them, only its own copy changes.
"""

from __future__ import annotations

import mmap
import os
import pickle
import struct
from typing import Any, BinaryIO

_COUNT = struct.Struct("!Q")
_ALIGNED = 64


def save(value: Any, file: BinaryIO) -> None:
    """Write a value; `load` maps it.

    Parameters
    ----------
    value
        What can be pickled.
    file
        An empty file.
    """
    arrays: list[pickle.PickleBuffer] = []
    plain = pickle.dumps(value, protocol=5, buffer_callback=arrays.append)
    parts = [memoryview(plain), *(array.raw() for array in arrays)]
    file.write(_COUNT.pack(len(parts)))
    file.write(b"".join(_COUNT.pack(part.nbytes) for part in parts))
    for part in parts:
        file.write(bytes(-file.tell() % _ALIGNED))
        file.write(part)
    file.flush()


def load(descriptor: int) -> Any:
    """Return a value that `save` wrote.

    Parameters
    ----------
    descriptor
        Of the file.
    """
    size = os.fstat(descriptor).st_size
    whole = memoryview(mmap.mmap(descriptor, size, access=mmap.ACCESS_COPY))
    (n_parts,) = _COUNT.unpack_from(whole)
    sizes = [_COUNT.unpack_from(whole, _COUNT.size * (1 + n))[0] for n in range(n_parts)]
    place, parts = _COUNT.size * (1 + n_parts), []
    for length in sizes:
        place += -place % _ALIGNED
        parts.append(whole[place : place + length])
        place += length
    return pickle.loads(parts[0], buffers=parts[1:])  # noqa: S301 - our own, see above
