"""Hidden temporary folders beside an output; those of killed processes are removed."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from frex.errors import FullDiskError
from frex.storage.locks import LockedError, lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

REPLACED = "replaced"
"""The ending of an older folder while a new one replaces it."""


@contextmanager
def hidden_folder(path: Path, ending: str, *, mode: int = 0o777) -> Iterator[Path]:
    """Make a hidden folder beside a path, and remove it at the end of the block.

    A full disk inside the block raises an error with the path.

    Parameters
    ----------
    path
        The output.
    ending
        Ending of the folder's name.
    mode
        Permissions of the folder.
    """
    remove_abandoned(path)
    try:
        with ExitStack() as stack:
            folder = _make_locked(path, ending, mode, stack)
            stack.callback(shutil.rmtree, folder, ignore_errors=True)
            yield folder
    except OSError as error:
        if error.errno in FullDiskError.NUMBERS:
            raise FullDiskError(path, error) from error
        raise


def hidden_name(path: Path, ending: str) -> Path:
    """Return a unique hidden name beside a path."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.{ending}")


def remove_abandoned(path: Path) -> None:
    """Remove the hidden folders of a path that no process has locked."""
    name = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{8}}\.\w+")
    try:
        with os.scandir(path.parent) as entries:
            found = [
                path.with_name(entry.name)
                for entry in entries
                if name.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:  # no such folder, which the writer reports
        return
    if not path.exists() and any(folder.suffix == f".{REPLACED}" for folder in found):
        return  # killed between two renames: the only copies of old and new
    for folder in found:
        try:
            with lock(folder) as locked:
                if locked:
                    shutil.rmtree(folder, ignore_errors=True)
        except (LockedError, OSError):
            continue


def _make_locked(path: Path, ending: str, mode: int, stack: ExitStack) -> Path:
    while True:
        folder = hidden_name(path, ending)
        folder.mkdir(mode=mode)
        try:
            stack.enter_context(lock(folder))
        except (LockedError, FileNotFoundError):
            continue  # another process removed it before it was locked
        return folder
