"""The fits that are served: read at the start, and again when they are replaced on the disk."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from frex.errors import InputError
from frex.serve.processes import DiedError, Process
from frex.storage import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_LOG = logging.getLogger("frex.serve")
_NAME = re.compile(r"[\w.-]+", re.ASCII)
_PIECE = 1 << 16


class Fit(NamedTuple):
    """A folder, and the name of its project."""

    name: str
    path: Path


def named_fits(texts: Sequence[str]) -> list[Fit]:
    """Parse FIT or NAME=FIT, as given on the command line.

    Parameters
    ----------
    texts
        The arguments.
    """
    fits: dict[str, Fit] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        path = Path(rest if equals and not Path(text).exists() else text)
        if path == Path(text):
            name = path.absolute().name
        if not _NAME.fullmatch(name):
            raise InputError(
                f"{name!r} cannot be the name of a project",
                remedy="Name it with letters, digits, '.', '_' and '-': NAME=FIT.",
            )
        if name in fits:
            raise InputError(
                f"two projects are called {name}", remedy="Name them: NAME=FIT OTHER=FIT."
            )
        fits[name] = Fit(name, path)
    return list(fits.values())


@dataclass(eq=False)
class Loaded:
    """A fit that was read.

    Attributes
    ----------
    fit
        Which.
    stamp
        State of its folder before it was read.
    about
        Its ``topics``, ``words`` and ``language``.
    model
        The file of its model, for workers.
    page
        The file of its page.
    n_page
        Size of the page in bytes; 0 until it is made, None if it cannot be made.
    """

    fit: Fit
    stamp: Stamp
    about: dict[str, Any]
    model: IO[bytes]
    page: IO[bytes]
    n_page: int | None = 0
    rest: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def project(self) -> dict[str, Any]:
        """The project, in Annif's format."""
        language = self.about["language"]
        return {
            "project_id": self.fit.name,
            "name": self.fit.name,
            "language": language,
            "backend": {"backend_id": "frex"},
            "vocab": self.vocabulary,
            "vocab_language": language,
            "is_trained": True,
            "modification_time": self.stamp.time.isoformat(),
        }

    @property
    def vocabulary(self) -> dict[str, Any]:
        """The topics, in Annif's format of a vocabulary."""
        return {
            "vocab_id": self.fit.name,
            "languages": [self.about["language"]],
            "size": self.about["topics"],
            "loaded": True,
        }

    def pieces(self) -> Iterator[bytes]:
        """Yield the page."""
        size = self.n_page or 0
        for start in range(0, size, _PIECE):
            yield os.pread(self.page.fileno(), min(_PIECE, size - start), start)


class Stamp(NamedTuple):
    """State of a folder, without reading the fit."""

    files: frozenset[tuple[str, int, int, int]]  #: name, number, size, time
    time: datetime  #: when its manifest was written


_NO_STAMP = Stamp(frozenset(), datetime.fromtimestamp(0, UTC))


def stamp(path: Path) -> Stamp | None:
    """Return the state of a folder; None if it cannot be a fit."""
    try:
        with os.scandir(path) as entries:
            stats = {entry.name: entry.stat() for entry in entries}
        time = datetime.fromtimestamp(stats[MANIFEST].st_mtime, UTC)
    except (OSError, KeyError):
        return None
    files = ((name, s.st_ino, s.st_size, s.st_mtime_ns) for name, s in stats.items())
    return Stamp(frozenset(files), time)


async def load(fit: Fit, say: Callable[[str], object]) -> Loaded:
    """Read a fit; its page is made concurrently and afterwards.

    Parameters
    ----------
    fit
        Which.
    say
        Called with messages.

    Raises
    ------
    InputError
        The fit cannot be served.
    """
    seen = await asyncio.to_thread(stamp, fit.path) or _NO_STAMP
    model, page = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115 - `Loaded`'s
    files = [model.fileno(), page.fileno()]
    process = await Process.start(
        "frex.serve.loading", [str(fit.path), fit.name, *map(str, files)], files
    )
    try:
        about = await _hear(process, fit, say)
    except BaseException:
        process.kill()
        raise
    loaded = Loaded(fit, seen, about, model, page)
    loaded.rest = asyncio.create_task(_finish(loaded, process))
    return loaded


async def _hear(process: Process, fit: Fit, say: Callable[[str], object]) -> dict[str, Any]:
    """Return the description of the model when it has been read."""
    try:
        while True:
            head = (await process.hear()).head
            if "error" in head:
                raise InputError(head["error"])
            if "model" in head:
                about: dict[str, Any] = head["model"]
                return about
            say(head["say"])
    except DiedError:
        raise InputError(
            f"reading it ended with {await process.gone()}",
            path=fit.path,
            remedy="Look at what stands above, and at the memory that is free.",
        ) from None


async def _finish(loaded: Loaded, process: Process) -> None:
    """Wait for the page; a fit is also served without one."""
    head = {}
    try:
        with suppress(DiedError):
            head = (await process.hear()).head
    finally:
        process.kill()
    loaded.n_page = head.get("page")
    if loaded.n_page is None:
        reason = head.get("error", "its process died")
        _LOG.error("%s has no explorer's page: %s", loaded.fit.path, reason)
