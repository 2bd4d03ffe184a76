"""The answers in an SQLite file: an acknowledged answer is on the disk.

The file is in WAL mode with full synchronisation, so `Answers.save` returns when the system has
written the answers of a task to disk. An evaluator has one answer to a question: the last one, with
the time of that choice.

Readers have their own connection, which does not wait for writers.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from frex.errors import FrexError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType
    from typing import Self

_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    evaluator TEXT NOT NULL,
    task INTEGER NOT NULL,
    question INTEGER NOT NULL,
    choice INTEGER NOT NULL,
    answered TEXT NOT NULL,
    PRIMARY KEY (evaluator, task, question)
) WITHOUT ROWID
"""
_SAVE = """
INSERT INTO answers VALUES (?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET choice = excluded.choice, answered = excluded.answered
WHERE choice != excluded.choice
"""
PATIENCE_S = 5.0
"""Seconds to wait while another process writes."""


class Answer(NamedTuple):
    """One choice of an evaluator."""

    evaluator: str
    task: int
    question: int  #: from 1
    choice: int
    answered: str  #: time in UTC, ISO 8601


class Work(NamedTuple):
    """An evaluator's choices in a task, one for each question."""

    evaluator: str
    task: int
    choices: Sequence[int]


class NotSavedError(FrexError):
    """Answers could not be saved, or the file was removed or replaced."""


class Answers:
    """The answers of a study; threads may share it.

    Parameters
    ----------
    path
        The file.
    read_only
        Whether nothing will be saved, so that the file and its folder need not be writable.
        Otherwise the file is made if it does not exist.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._writing, self._reading = threading.Lock(), threading.Lock()
        with ExitStack() as stack:
            try:
                self._writer = None if read_only else _writer(path, stack)
                self._reader = _reader(path, stack)
                self._identity = self._files()
            except (sqlite3.Error, OSError) as error:
                raise InputError(
                    f"the answers cannot be opened: {error}",
                    path=path,
                    remedy="Restore the file from a copy, or see whether its folder may be "
                    "written.",
                ) from error
            self._stack = stack.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._writing, self._reading:
            self._stack.close()

    def save(self, evaluator: str, task: int, choices: Sequence[int]) -> None:
        """Commit an evaluator's choices in a task, one for each question, atomically."""
        self.save_all([Work(evaluator, task, choices)])

    def save_all(self, done: Iterable[Work]) -> None:
        """Commit choices in several tasks, atomically."""
        assert self._writer is not None
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        rows = [
            (evaluator, task, question, choice, now)
            for evaluator, task, choices in done
            for question, choice in enumerate(choices, start=1)
        ]
        try:
            with self._writing, self._writer:
                self._writer.executemany(_SAVE, rows)
        except sqlite3.Error as error:
            raise NotSavedError(f"{self.path}: the answers cannot be saved: {error}") from error
        self._check_place()

    def of(self, evaluator: str) -> dict[int, list[int]]:
        """Return an evaluator's choices by task, in the order of its questions."""
        query = "SELECT task, choice FROM answers WHERE evaluator = ? ORDER BY task, question"
        found: dict[int, list[int]] = {}
        with self._reading, closing(self._reader.execute(query, (evaluator,))) as rows:
            for task, choice in rows:
                found.setdefault(task, []).append(choice)
        return found

    def all(self) -> list[Answer]:
        """Return every answer, by evaluator, task and question."""
        query = "SELECT * FROM answers ORDER BY evaluator, task, question"
        with self._reading, closing(self._reader.execute(query)) as rows:
            return [Answer(*row) for row in rows]

    def _check_place(self) -> None:
        """Raise an error if the file was removed or replaced."""
        try:
            here = self._files() == self._identity
        except OSError:
            here = False
        if not here:
            raise NotSavedError(f"{self.path}: was removed or replaced while answers were taken in")

    def _files(self) -> list[tuple[int, int]]:
        """Return the identities of the database file and, if it is written, of its log."""
        paths = [self.path] if self._writer is None else [self.path, _log(self.path)]
        return [(found.st_dev, found.st_ino) for found in map(Path.stat, paths)]


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _writer(path: Path, stack: ExitStack) -> sqlite3.Connection:
    connection = _connect(path, stack, "rwc")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(_SCHEMA)
    if not os.access(path, os.W_OK):  # SQLite reports this only when something is saved
        raise sqlite3.OperationalError("attempt to write a readonly database")
    return connection


def _reader(path: Path, stack: ExitStack) -> sqlite3.Connection:
    """Connect for reading; to a copy if SQLite cannot create the files that it needs."""
    try:
        return _try_to_read(_connect(path, stack, "rw"))
    except sqlite3.OperationalError:
        copy = Path(stack.enter_context(TemporaryDirectory(prefix="frex-"))) / path.name
        shutil.copyfile(path, copy)
        if _log(path).exists():  # answers that a killed server had not moved into the file
            shutil.copyfile(_log(path), _log(copy))
        return _try_to_read(_connect(copy, stack, "rw"))


def _try_to_read(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA query_only = ON")
    connection.execute("SELECT 1 FROM answers LIMIT 1").fetchall()
    return connection


def _connect(path: Path, stack: ExitStack, mode: str) -> sqlite3.Connection:
    name = f"{path.absolute().as_uri()}?mode={mode}"
    connection = sqlite3.connect(name, timeout=PATIENCE_S, check_same_thread=False, uri=True)
    return stack.enter_context(closing(connection))
