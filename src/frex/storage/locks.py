"""Locks that the system releases when a process ends, even if it crashes.

Some network file systems, and Windows, do not support such locks: there no access is refused, and
no abandoned files are removed.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class LockedError(Exception):
    """Another process has the lock."""


@contextmanager
def lock(path: Path, *, shared: bool = False, make: bool = False) -> Iterator[bool]:
    """Lock a file or folder during the block, or raise `LockedError` at once.

    Yields whether it is locked, which is False if locks are not supported.

    Parameters
    ----------
    path
        The file or folder to lock; its content is not changed.
    shared
        Whether others may have a shared lock at the same time.
    make
        Whether to make the file, and remove it at the end.
    """
    if sys.platform == "win32":
        yield False
        return
    descriptor, locked = _locked(path, shared=shared, make=make)
    try:
        yield locked
    finally:
        if make:
            path.unlink(missing_ok=True)
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_UN)  # otherwise a forked process would keep it
        os.close(descriptor)


def _locked(path: Path, *, shared: bool, make: bool) -> tuple[int, bool]:
    """Return a descriptor of the current file at the path, and whether it is locked."""
    # network file systems grant an exclusive lock only for files opened for writing
    writing = make or not (shared or path.is_dir())
    flags = (os.O_RDWR if writing else os.O_RDONLY) | (os.O_CREAT if make else 0)
    while True:
        descriptor = os.open(path, flags, 0o600)
        try:
            locked = _try(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
            # the previous owner of the lock may have removed or replaced the file
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor, locked
        except FileNotFoundError:
            if not make:
                os.close(descriptor)
                raise
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _try(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LockedError from None
    except OSError:
        return False
    return True
