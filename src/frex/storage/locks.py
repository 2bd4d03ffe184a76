"""Locks that a crash does not leave behind: the system lets go of them when a process ends.

Some network file systems have no locks, nor has Windows such ones: there nobody is refused, and
nothing that others left is removed.
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
    """Lock a file or folder while the block runs, or raise `LockedError` at once.

    Yields whether it is locked, which it is not where there are no locks.

    Parameters
    ----------
    path
        What to lock. What is in it is not touched.
    shared
        Let others have a shared lock at the same time.
    make
        Make the file, and remove it at the end.
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
            fcntl.flock(descriptor, fcntl.LOCK_UN)  # or a process forked since would keep it
        os.close(descriptor)


def _locked(path: Path, *, shared: bool, make: bool) -> tuple[int, bool]:
    """Return a descriptor of what is at the path now, and whether it is locked."""
    # network file systems give an exclusive lock only to who may write
    writing = make or not (shared or path.is_dir())
    flags = (os.O_RDWR if writing else os.O_RDONLY) | (os.O_CREAT if make else 0)
    while True:
        descriptor = os.open(path, flags, 0o600)
        try:
            locked = _try(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
            # whoever had it before may have removed or replaced the file meanwhile
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
