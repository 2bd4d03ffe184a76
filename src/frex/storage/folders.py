"""The folder format: plain arrays, text and JSON with a manifest.

A folder contains `.npy` arrays, UTF-8 string tables, JSON files and `manifest.json`, which has the
kind and version of the format, the size and SHA-256 of every file, and its own SHA-256. It contains
no pickle. A folder is written beside its final place and renamed when it is complete, so a reader
sees all of it or nothing. Arrays are memory-mapped when read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.errors import FolderError, InputError
from frex.storage.arrays import ArrayAppender, StringsAppender, write_array
from frex.storage.hidden import REPLACED, hidden_folder, hidden_name
from frex.storage.reading import MANIFEST, manifest_sum, read_manifest

if TYPE_CHECKING:
    from os import PathLike
    from types import TracebackType
    from typing import Self

    from numpy.typing import DTypeLike, NDArray


class FolderWriter:
    """Write a temporary folder, and rename it to its place at the end of the block.

    An exception inside the block removes the temporary folder and leaves an older folder unchanged.
    If a process was killed, the next writer to the same place removes its temporary folder.

    Parameters
    ----------
    path
        The folder to make.
    kind, version
        Name and version of the format, e.g. ``"frex-corpus"`` and 1.
    overwrite
        Whether to replace an existing folder; it must be of the same kind.
    private
        Whether only the owner may read it.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        kind: str,
        version: int,
        overwrite: bool = False,
        private: bool = False,
    ) -> None:
        self.path = Path(path)
        self.meta: dict[str, Any] = {}
        self._kind = kind
        self._version = version
        self._overwrite = overwrite
        self._mode = 0o700 if private else 0o777
        self._stack = ExitStack()
        self._check_place()

    def __enter__(self) -> Self:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            hidden = hidden_folder(self.path, "partial", mode=self._mode)
            self._partial = self._stack.enter_context(hidden)
        except OSError as error:
            raise InputError(
                f"cannot make the folder: {error.strerror}",
                path=self.path,
                remedy="Choose another place.",
            ) from error
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.push(self._on_leaving)  # so that a full disk is also reported at this point
        self._stack.__exit__(kind, error, traceback)

    def _on_leaving(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self._finish()

    def file(self, name: str) -> Path:
        """Return the temporary path of a file of this folder."""
        return self._partial / name

    def write_array(self, name: str, array: NDArray[Any]) -> None:
        """Write one array."""
        write_array(self.file(f"{name}.npy"), array)

    def appender(self, name: str, dtype: DTypeLike) -> ArrayAppender:
        """Open an array that grows chunk by chunk; close it, or use it as a context."""
        made = ArrayAppender(self.file(f"{name}.npy"), dtype)
        self._stack.callback(made.close)  # if the block ends early
        return made

    def strings_appender(self, name: str) -> StringsAppender:
        """Open a list of strings that grows chunk by chunk; close it at the end."""
        return StringsAppender(
            self.appender(name, np.uint8), self.appender(f"{name}_ends", np.int64)
        )

    def write_json(self, name: str, value: Any) -> None:
        """Write a small value as JSON."""
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1)
        self.file(f"{name}.json").write_text(text, encoding="utf-8")

    def _check_place(self) -> None:
        if not self.path.name or self.path.name == ".." or self.path.absolute() == Path.cwd():
            raise InputError(
                "is a folder that cannot be replaced by another",
                path=self.path,
                remedy="Name a folder inside it.",
            )
        if not self.path.exists() or (self.path.is_dir() and not any(self.path.iterdir())):
            return
        if not self._overwrite:
            raise InputError(
                "exists already",
                path=self.path,
                remedy="Choose another name, or overwrite it: --overwrite, overwrite=True.",
            )
        try:
            found = read_manifest(self.path)["kind"]
        except FolderError:
            found = None
        if found != self._kind:
            raise InputError(
                f"is not a {self._kind} folder, so it is not overwritten",
                path=self.path,
                remedy="Choose another name, or remove it yourself.",
            )

    def _finish(self) -> None:
        files = sorted(self._partial.iterdir())
        for file in files:
            _sync(file)
        with ThreadPoolExecutor() as pool:
            sums = list(pool.map(_sha256, files))
        manifest = {
            "kind": self._kind,
            "version": self._version,
            "meta": self.meta,
            "files": {
                file.name: {"bytes": file.stat().st_size, "sha256": digest}
                for file, digest in zip(files, sums, strict=True)
            },
        }
        manifest["sha256"] = manifest_sum(manifest)
        self.write_json(MANIFEST.removesuffix(".json"), manifest)
        _sync(self.file(MANIFEST))
        _sync(self._partial)
        self._check_place()
        replaced = hidden_name(self.path, REPLACED)
        if self.path.exists():
            self.path.rename(replaced)
        self._partial.rename(self.path)
        _sync(self.path.parent)
        shutil.rmtree(replaced, ignore_errors=True)


def _sha256(file: Path) -> str:
    with file.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def _sync(path: Path) -> None:
    """Flush a file or folder to disk; some file systems do not support this for folders."""
    with contextlib.suppress(OSError) if path.is_dir() else contextlib.nullcontext():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
