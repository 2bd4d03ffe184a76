"""The answers, in one SQLite file: an answer that was acknowledged is on the disk.

The file is in WAL mode with full synchronisation, so `Answers.save` returns when the system has put
the answers of a task on the disk. An evaluator has one answer to a question: the last one given,
with the time at which that choice was made.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
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
_PATIENCE_S = 30.0  # while another process writes


class Answer(NamedTuple):
    """One choice of an evaluator."""

    evaluator: str
    task: int
    question: int  #: from 1
    choice: int
    answered: str  #: time in UTC, ISO 8601


class Answers:
    """The answers of a study; threads may share it.

    Parameters
    ----------
    path
        The file, which is made where there is none.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(path, timeout=_PATIENCE_S, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.execute(_SCHEMA)
        except sqlite3.Error as error:
            raise InputError(
                f"the answers cannot be opened: {error}",
                path=path,
                remedy="Restore the file from a copy, or see whether its folder may be written.",
            ) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        with self._lock:
            self._connection.close()

    def save(self, evaluator: str, task: int, choices: Sequence[int]) -> None:
        """Commit an evaluator's choices in a task, one for each question; all of them or none."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        rows = [(evaluator, task, question, c, now) for question, c in enumerate(choices, start=1)]
        with self._lock, self._connection:
            self._connection.executemany(_SAVE, rows)

    def of(self, evaluator: str) -> dict[int, list[int]]:
        """Return an evaluator's choices by task, in the order of its questions."""
        query = "SELECT task, choice FROM answers WHERE evaluator = ? ORDER BY task, question"
        found: dict[int, list[int]] = {}
        with self._lock, closing(self._connection.execute(query, (evaluator,))) as rows:
            for task, choice in rows:
                found.setdefault(task, []).append(choice)
        return found

    def all(self) -> list[Answer]:
        """Return every answer, by evaluator, task and question."""
        query = "SELECT * FROM answers ORDER BY evaluator, task, question"
        with self._lock, closing(self._connection.execute(query)) as rows:
            return [Answer(*row) for row in rows]
