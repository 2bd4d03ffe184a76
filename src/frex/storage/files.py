"""Atomic writing of files."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from frex.errors import InputError
from frex.storage.hidden import hidden_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from os import PathLike


def check_file(
    path: str | PathLike[str], *, endings: Sequence[str] = (), overwrite: bool = False
) -> Path:
    """Return the path, after checking that a file can be written there.

    Parameters
    ----------
    path
        The file to write, in an existing folder.
    endings
        Allowed endings of its name, such as ``".nc"``; by default any.
    overwrite
        Whether it may already exist.
    """
    file = Path(path)
    if endings and file.suffix.lower() not in endings:
        ending = f"ends in {file.suffix!r}" if file.suffix else "has no ending"
        raise InputError(
            f"the file's name {ending}", path=path, remedy=f"Let it end in {' or '.join(endings)}."
        )
    if not file.parent.is_dir():
        raise InputError(
            f"there is no folder {file.parent}", path=path, remedy="Make it, or choose another."
        )
    if file.is_dir():
        raise InputError("is a folder", path=path, remedy="Name a file.")
    if file.exists() and not overwrite:
        raise InputError(
            "exists already",
            path=path,
            remedy="Choose another name, or overwrite it: --overwrite, overwrite=True.",
        )
    if not os.access(file.parent, os.W_OK):
        raise InputError(
            f"may not write in {file.parent}", path=path, remedy="Choose another folder."
        )
    return file


@contextmanager
def whole_file(path: Path, *, private: bool = False) -> Iterator[Path]:
    """Yield a temporary path to write, which replaces `path` at the end of the block.

    An exception inside the block removes the temporary file and leaves an older file unchanged.

    Parameters
    ----------
    path
        The final path.
    private
        Whether only the owner may read it.
    """
    with hidden_folder(path, "partial") as folder:
        partial = folder / path.name
        if private:
            partial.touch(mode=0o600)
        yield partial
        partial.replace(path)
