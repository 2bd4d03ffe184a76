"""Reading of a folder, with verification of checksums and validation of its content.

Checksums detect damage, but not forgery. So the content is always validated before it is used: JSON
by `forms`, and arrays by `rules`. Every file is read once, for both purposes.
"""

from __future__ import annotations

import hashlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from frex.errors import FolderError
from frex.storage.arrays import Strings
from frex.storage.forms import mismatch
from frex.storage.rules import BLOCK, Head, read_head, refuse_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from os import PathLike

    from numpy.typing import NDArray

    from frex.storage.rules import Rule

T = TypeVar("T")
MANIFEST = "manifest.json"
LARGEST_JSON = 1 << 28
"""Most bytes of a JSON file, which is read into memory: a vocabulary of about ten million words."""

LARGEST_MANIFEST = 1 << 24

_MANIFEST = {
    "kind": str,
    "version": int,
    "meta": dict,
    "files": {str: {"bytes": int, "sha256": str}},
}


class FolderReader:
    """Read a folder written by `FolderWriter`; an incomplete or invalid one is an error.

    Parameters
    ----------
    path
        The folder.
    kind, version
        The expected format, and the newest supported version.
    oldest
        The oldest supported version.
    contents
        Returns the rule for each array, given the reader, of which it may use JSON and `shape`. No
        other array can be read. Not needed for a folder without arrays.
    verify
        Whether to verify every file's checksum; the content is always validated.
    made_by
        The command that makes such a folder, for errors.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        kind: str,
        version: int,
        oldest: int = 1,
        contents: Callable[[FolderReader], Mapping[str, Rule]] | None = None,
        verify: bool = True,
        made_by: str | None = None,
    ) -> None:
        self.path = Path(path)
        manifest = read_manifest(self.path, made_by)
        if manifest["kind"] != kind:
            raise FolderError(
                f"is a {manifest['kind']} folder, not a {kind} one",
                path=self.path,
                remedy=f"Give a {kind} folder{_as_made(made_by)}.",
            )
        if manifest["version"] > version:
            raise FolderError(
                f"was written in version {manifest['version']} of the format; "
                f"this frex reads up to version {version}",
                path=self.path,
                remedy="Upgrade frex.",
            )
        if manifest["version"] < oldest:
            raise FolderError(
                f"was written in version {manifest['version']} of the format by an earlier frex; "
                f"this frex reads from version {oldest} on",
                path=self.path,
                remedy="Make it again.",
            )
        self.version: int = manifest["version"]
        self.meta: dict[str, Any] = manifest["meta"]
        self._files: dict[str, dict[str, Any]] = manifest["files"]
        self._verify = verify
        self._json: dict[str, Any] = {}
        self._made: dict[str, Any] = {}
        self._check_sizes()
        self._rules = dict(contents(self)) if contents else {}
        self._check_contents()

    def _check_sizes(self) -> None:
        for name, entry in self._files.items():
            file = self.path / name
            size = file.stat().st_size if file.is_file() else None
            if size != entry["bytes"]:
                found = "is missing" if size is None else f"has {size:,} bytes"
                raise damaged(file, f"{found}, where {entry['bytes']:,} bytes were written")

    def _check_contents(self) -> None:
        """Read all files once, starting with those that the rules of others need."""
        for name, rule in self._rules.items():
            complaint = refuse_head(self._head(name), rule)
            if complaint:
                raise damaged(self.path / f"{name}.npy", complaint)
        first = {f"{rule.needs}.npy" for rule in self._rules.values() if rule.needs is not None}
        last = [name for name in self._files if name not in first]
        with ThreadPoolExecutor() as pool:
            for names in (first, last):
                for _ in pool.map(self._check_file, names):
                    pass  # errors are raised here

    def _check_file(self, name: str) -> None:
        """Read a file for its checksum and validate its values in the same pass."""
        rule = self._rules.get(name.removesuffix(".npy"))
        digest = hashlib.sha256() if self._verify else None
        if rule is None and (digest is None or name.removesuffix(".json") in self._json):
            return
        complaint = look = None
        head = Head(np.dtype(np.uint8), (), 0)
        if rule is not None:
            head = read_head(self.path / name)
            look = rule.look(None if rule.needs is None else np.asarray(self._mapped(rule.needs)))
        for start, block in _blocks(self.path / name, head.n_bytes):
            if digest is not None:
                digest.update(block.data)
            if look is not None and start and complaint is None:
                complaint = look(block.view(head.dtype))
        if digest is not None and digest.hexdigest() != self._files[name]["sha256"]:
            raise damaged(self.path / name, "was altered after it was written")
        if complaint:
            raise damaged(self.path / name, complaint)

    def __contains__(self, name: str) -> bool:
        return f"{name}.npy" in self._files or f"{name}.json" in self._files

    def _entry(self, name: str) -> Path:
        if name not in self._files:
            raise damaged(self.path / name, "is missing from the folder's list")
        return self.path / name

    def _head(self, name: str) -> Head:
        file = self._entry(f"{name}.npy")
        try:
            return read_head(file)
        except ValueError as error:
            raise damaged(file, f"is not an array: {error}") from error

    def shape(self, name: str, n_axes: int = 1) -> tuple[int, ...]:
        """Return the shape that an array declares, with `n_axes` axes."""
        shape = self._head(name).shape
        if len(shape) != n_axes:
            raise damaged(self.path / f"{name}.npy", f"has the shape {shape}: {n_axes} axes belong")
        return shape

    def array(self, name: str) -> NDArray[Any]:
        """Return an array, memory-mapped and read-only."""
        assert name in self._rules, f"nothing is known of what {name} must be like"
        return self._mapped(name)

    def _mapped(self, name: str) -> NDArray[Any]:
        empty = 0 in self._head(name).shape  # an empty file cannot be mapped
        array: NDArray[Any] = np.load(
            self.path / f"{name}.npy", mmap_mode=None if empty else "r", allow_pickle=False
        )
        return array

    def strings(self, name: str) -> Strings:
        """Return a list of strings, memory-mapped."""
        return Strings(self.array(name), self.array(f"{name}_ends"))

    def json(self, name: str, form: Any) -> Any:
        """Return a JSON value after validation of its form; see `frex.storage.forms`."""
        file = self._entry(f"{name}.json")
        if name not in self._json:
            if self._files[file.name]["bytes"] > LARGEST_JSON:
                raise damaged(file, f"has more than {LARGEST_JSON >> 20} MiB")
            data = file.read_bytes()
            if (
                self._verify
                and hashlib.sha256(data).hexdigest() != self._files[file.name]["sha256"]
            ):
                raise damaged(file, "was altered after it was written")
            try:
                self._json[name] = json.loads(data.decode())
            except (ValueError, RecursionError) as error:
                raise damaged(file, f"is not JSON: {error}") from error
        complaint = mismatch(self._json[name], form)
        if complaint:
            raise damaged(file, complaint)
        return self._json[name]

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return a value derived from the folder's JSON, computed once."""
        if name not in self._made:
            self._made[name] = make()
        made: T = self._made[name]
        return made

    def check_meta(self, form: Any) -> None:
        """Raise an error if the folder's `meta` does not have the given form."""
        complaint = mismatch(self.meta, form)
        if complaint:
            raise damaged(self.path / MANIFEST, f"meta {complaint}")

    def damaged(self, name: str, what: str) -> FolderError:
        """Return the error for the content of a file."""
        return damaged(self.path / name, what)


def _blocks(file: Path, n_head: int) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """Yield a file's header and then its values, block by block, each with its position.

    The next block reuses the memory.
    """
    buffer, start = np.empty(max(BLOCK, n_head), np.uint8), 0
    with file.open("rb", buffering=0) as handle:
        while n := _fill(handle, buffer[: n_head if start < n_head else BLOCK]):
            yield start, buffer[:n]
            start += n


def _fill(handle: Any, buffer: NDArray[np.uint8]) -> int:
    """Read until a buffer is full or the file ends, and return the number of bytes."""
    n = 0
    while n < len(buffer) and (got := handle.readinto(buffer[n:])):
        n += got
    return n


def damaged(path: Path, what: str) -> FolderError:
    """Return the error for a file or its content."""
    return FolderError(what, path=path, remedy="Restore the folder from a copy, or make it again.")


def _as_made(made_by: str | None) -> str:
    return "" if made_by is None else f", which {made_by} makes"


def read_manifest(path: Path, made_by: str | None = None) -> dict[str, Any]:
    """Read a folder's manifest, and verify its own checksum."""
    file = path / MANIFEST
    if not path.is_dir():
        raise FolderError(
            "is not a folder" if path.exists() else "does not exist",
            path=path,
            remedy="Check the path.",
        )
    if not file.is_file():
        raise FolderError(
            f"has no {MANIFEST}, so it is not a folder written by frex",
            path=path,
            remedy=f"Check the path{', or make one: ' + made_by if made_by else ''}.",
        )
    if file.stat().st_size > LARGEST_MANIFEST:
        raise damaged(file, f"has more than {LARGEST_MANIFEST >> 20} MiB")
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
        own_sum = manifest.pop("sha256")
        plain = all(re.fullmatch(r"[\w.-]+", name) for name in manifest["files"])
        whole = own_sum == manifest_sum(manifest) and plain
    except (ValueError, KeyError, TypeError, AttributeError, OSError, RecursionError) as error:
        raise damaged(file, "is cut short or altered") from error
    if not whole:
        raise damaged(file, "was altered after it was written")
    complaint = mismatch(manifest, _MANIFEST)
    if complaint:
        raise damaged(file, complaint)
    return dict(manifest)


def manifest_sum(manifest: dict[str, Any]) -> str:
    """Return the checksum of a manifest without its checksum."""
    canonical = json.dumps(manifest, sort_keys=True, ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
