"""Find a corpus's official files by name, in a folder, in a tar archive, or named one by one."""

from __future__ import annotations

import gzip
import io
import lzma
import tarfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".txz")
DAMAGE = (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, tarfile.TarError)


@dataclass(frozen=True)
class OfficialFile:
    """One file of a corpus, on disk or inside an archive.

    Parameters
    ----------
    name
        Its base name without ``.gz`` or ``.xz``: the name that the corpus's owner uses.
    path
        Where it is, for messages; ``archive.tgz/member`` for one inside an archive.
    content
        The bytes of an archive's member; None for a file on disk, which is streamed.
    """

    name: str
    path: Path
    content: bytes | None = None

    def lines(self, encoding: str = "utf-8") -> Iterator[tuple[int, str]]:
        """Yield ``(number from 1, line without its newline)``, one line in memory at a time."""
        try:
            with self._open() as stream:
                for number, line in enumerate(stream, start=1):
                    yield number, self._decoded(line, encoding, number).rstrip("\r\n")
        except DAMAGE as error:
            raise _damaged(self.path, error) from error
        except OSError as error:
            raise InputError(f"cannot read it: {error.strerror}", path=self.path) from error

    def text(self, encoding: str = "utf-8") -> str:
        """Return the whole file, for those known to be small."""
        return "\n".join(line for _, line in self.lines(encoding))

    def _decoded(self, line: bytes, encoding: str, number: int) -> str:
        try:
            return line.decode(encoding)
        except UnicodeDecodeError as error:
            raise InputError(
                f"bytes that are not {encoding}: {error.object[error.start : error.end]!r}",
                path=self.path,
                line=number,
                remedy="Use the file as its owner published it.",
            ) from error

    @contextmanager
    def _open(self) -> Iterator[IO[bytes]]:
        with self.path.open("rb") if self.content is None else io.BytesIO(self.content) as raw:
            if self.path.suffix == ".gz":
                with gzip.open(raw) as stream:
                    yield cast("IO[bytes]", stream)
            elif self.path.suffix == ".xz":
                with lzma.open(raw) as stream:
                    yield stream
            else:
                yield raw


class OfficialFiles:
    """The files of a corpus, gathered from what the user named.

    Parameters
    ----------
    paths
        Files, folders (searched all the way down) and tar archives, in any mixture.
    wanted
        Patterns of the names to read; everything else, such as a README beside them, is not.
    """

    def __init__(self, paths: Sequence[Path], wanted: Sequence[str]) -> None:
        if not paths:
            raise InputError("no data files were named", remedy=f"Name {_listing(wanted)}.")
        found = [file for path in paths for file in _expand(Path(path), wanted)]
        self.files = tuple(sorted(found, key=lambda file: (file.name, str(file.path))))
        self.paths = ", ".join(map(str, paths))
        if not found:
            raise InputError(
                "none of the corpus's files is here",
                path=self.paths,
                remedy=f"Name {_listing(wanted)}, or the folder or archive that holds them.",
            )

    def all(self, pattern: str) -> tuple[OfficialFile, ...]:
        """Return the files whose name matches, ordered by name; at least one, or an error."""
        found = tuple(file for file in self.files if fnmatchcase(file.name, pattern))
        if not found:
            raise InputError(
                f"no file {pattern} (or {pattern}.gz, .xz) among the data",
                path=self.paths,
                remedy="Name it, or the folder or archive that holds it.",
            )
        return found

    def one(self, pattern: str) -> OfficialFile:
        """Return the one file whose name matches."""
        found = self.all(pattern)
        if len(found) > 1:
            places = _listing([str(file.path) for file in found])
            raise InputError(
                f"{len(found)} files are called {pattern}: {places}",
                remedy="Name only one of them.",
            )
        return found[0]

    def __contains__(self, pattern: str) -> bool:
        """Return whether a file matches."""
        return any(fnmatchcase(file.name, pattern) for file in self.files)


def _expand(path: Path, wanted: Sequence[str]) -> Iterator[OfficialFile]:
    if path.is_dir():
        for inner in sorted(path.rglob("*")):
            if inner.is_file() and _is_wanted(inner.name, wanted):
                yield OfficialFile(_plain(inner.name), inner)
    elif not path.is_file():
        raise InputError("no such file or folder", path=path)
    elif path.name.endswith(ARCHIVES):
        yield from _members(path, wanted)
    elif _is_wanted(path.name, wanted):
        yield OfficialFile(_plain(path.name), path)


def _members(path: Path, wanted: Sequence[str]) -> Iterator[OfficialFile]:
    """Read an archive's wanted members in one pass: seeking back in a .xz would inflate it anew."""
    try:
        with path.open("rb") as raw, tarfile.open(fileobj=raw) as archive:
            for member in archive:
                if member.isfile() and _is_wanted(Path(member.name).name, wanted):
                    stream = archive.extractfile(member)
                    assert stream is not None
                    name = Path(member.name).name
                    yield OfficialFile(_plain(name), path / member.name, stream.read())
    except DAMAGE as error:
        raise _damaged(path, error) from error


def _is_wanted(name: str, wanted: Sequence[str]) -> bool:
    return any(fnmatchcase(_plain(name), pattern) for pattern in wanted)


def _plain(name: str) -> str:
    return name.removesuffix(".gz").removesuffix(".xz")


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(
        f"damaged or cut short: {error}", path=path, remedy="Download or copy the file again."
    )


def _listing(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]
