"""A file that is there whole or not at all."""

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
    """Return the path, if a file can and may be written there.

    Parameters
    ----------
    path
        The file to write, in a folder that exists.
    endings
        How its name may end, such as ``".nc"``; any way where left out.
    overwrite
        Whether it may exist already.
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
    """Yield the path of a file to write, which becomes the one wanted on leaving the block.

    An exception inside the block removes what was written and leaves an older file as it was.

    Parameters
    ----------
    path
        The file wanted.
    private
        Let no other user of the machine read it.
    """
    with hidden_folder(path, "partial") as folder:
        partial = folder / path.name
        if private:
            partial.touch(mode=0o600)
        yield partial
        partial.replace(path)
