"""The study on disk: a folder with `tasks.json`, `links.csv` and `answers.sqlite`.

The tasks are determined by the summaries and the seed. The tokens in `links.csv` are random: they
authenticate evaluators, and are the only secret. Both are immutable; only answers change.
"""

from __future__ import annotations

import csv
import hashlib
import secrets
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frex.errors import FolderError, InputError
from frex.storage import MANIFEST, FolderReader, FolderWriter
from frex.storage.lines import csv_line, unguarded
from frex.storage.locks import LockedError, lock
from frex.study.answers import Answers
from frex.study.design import Task, make_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from os import PathLike

    from frex.study.summaries import Summary

KIND, VERSION = "frex-study", 1
TITLE = "Which words belong together?"
_TASKS, _LINKS, _ANSWERS = "tasks", "links.csv", "answers.sqlite"
_META: dict[str, Any] = {
    "title": str,
    "welcome": str,
    "seed": int,
    "strategies": [str],
    "groups": [str],
    "salt": str,
}
_QUESTION: dict[str, Any] = {"strategy": str, "topic": str, "words": [str], "intruder": int}
_TASK: dict[str, Any] = {
    "number": int,
    "evaluator": int,
    "kind": str,
    "group": str,
    "questions": [_QUESTION],
}


@dataclass(frozen=True)
class Study:
    """Tasks and the tokens of evaluators.

    Attributes
    ----------
    path
        The folder.
    title, welcome
        The first text for evaluators: a line, and paragraphs separated by blank lines.
    tasks
        All tasks, by number from 1.
    tokens
        The token of each evaluator.
    strategies, groups
        Their names, in the order of the summaries.
    salt
        Makes pseudonyms of crowd workers specific to the study.
    """

    path: Path
    title: str
    welcome: str
    tasks: tuple[Task, ...]
    tokens: tuple[str, ...]
    strategies: tuple[str, ...]
    groups: tuple[str, ...]
    salt: str

    def tasks_of(self, evaluator: int) -> list[Task]:
        """Return the tasks of an evaluator, in order."""
        return [task for task in self.tasks if task.evaluator == evaluator]

    @contextmanager
    def answers(self, *, read_only: bool = False) -> Iterator[Answers]:
        """Open the answers; while they are writable, `make_study` does not replace the study."""
        if read_only:
            with Answers(self.path / _ANSWERS, read_only=True) as answers:
                yield answers
            return
        with lock(self.path / MANIFEST, shared=True):
            if read_study(self.path) != self:
                raise InputError("was made anew", path=self.path, remedy="Read it again.")
            with Answers(self.path / _ANSWERS) as answers:
                yield answers

    def link(self, evaluator: int, url: str) -> str:
        """Return an evaluator's link below the address at which the study is served."""
        return f"{url.rstrip('/')}/e/{self.tokens[evaluator - 1]}"

    def pseudonym(self, worker: str) -> str:
        """Return a crowd worker's pseudonym, because ids are personal data."""
        digest = hashlib.blake2b(worker.encode(), key=self.salt.encode(), digest_size=6)
        return f"worker-{digest.hexdigest()}"


def make_study(
    path: str | PathLike[str],
    summaries: Sequence[Summary],
    *,
    evaluators: int = 20,
    intrusion: int = 5,
    coherence: int = 5,
    words: int = 10,
    matched: bool = False,
    seed: int = 0,
    title: str = TITLE,
    welcome: str = "",
    overwrite: bool = False,
) -> Study:
    """Make a study and its folder, with new tokens.

    Parameters
    ----------
    path
        The folder to make.
    summaries, evaluators, intrusion, coherence, words, matched, seed
        As for `frex.study.make_tasks`.
    title, welcome
        As in `Study`.
    overwrite
        Whether to replace a study without answers.
    """
    tasks = make_tasks(
        summaries,
        evaluators=evaluators,
        intrusion=intrusion,
        coherence=coherence,
        words=words,
        matched=matched,
        seed=seed,
    )
    tokens = [secrets.token_urlsafe(16) for _ in range(evaluators)]
    with ExitStack() as stack:
        if overwrite:
            stack.enter_context(_unanswered(Path(path)))
        folder = stack.enter_context(
            FolderWriter(path, kind=KIND, version=VERSION, overwrite=overwrite, private=True)
        )
        folder.meta |= {
            "title": title,
            "welcome": welcome,
            "seed": seed,
            "strategies": list(dict.fromkeys(summary.strategy for summary in summaries)),
            "groups": list(dict.fromkeys(summary.group for summary in summaries)),
            "salt": secrets.token_hex(16),
        }
        folder.write_json(_TASKS, [task.to_dict() for task in tasks])
        links = folder.file(_LINKS)
        links.touch(mode=0o600)
        with links.open("w", encoding="utf-8", newline="") as handle:
            rows = [("evaluator", "token"), *enumerate(tokens, start=1)]
            handle.writelines(map(csv_line, rows))
    study = read_study(path)
    with study.answers():
        return study


def read_study(path: str | PathLike[str]) -> Study:
    """Read a study's folder."""
    folder = FolderReader(path, kind=KIND, version=VERSION)
    folder.check_meta(_META)
    meta: Mapping[str, Any] = folder.meta
    with (folder.path / _LINKS).open(encoding="utf-8", newline="") as handle:
        tokens = [unguarded(row["token"]) for row in csv.DictReader(handle)]
    return Study(
        path=folder.path,
        title=meta["title"],
        welcome=meta["welcome"],
        tasks=tuple(Task.from_dict(saved) for saved in folder.json(_TASKS, [_TASK])),
        tokens=tuple(tokens),
        strategies=tuple(meta["strategies"]),
        groups=tuple(meta["groups"]),
        salt=meta["salt"],
    )


@contextmanager
def _unanswered(path: Path) -> Iterator[None]:
    """Lock a study without answers during the block; raise an error if it has answers."""
    try:
        study = read_study(path)
    except FolderError:
        yield  # not a study: the writer reports it
        return
    try:
        with lock(path / MANIFEST):
            n = 0
            if (path / _ANSWERS).exists():
                with study.answers(read_only=True) as answers:
                    n = len(answers.all())
            if n:
                raise InputError(
                    f"holds {n:,} answers, so it is not overwritten",
                    path=path,
                    remedy="Choose another name, or remove it yourself.",
                )
            yield
    except LockedError:
        raise InputError(
            "is being served, or takes answers in, so it is not overwritten",
            path=path,
            remedy="End that first, or choose another name.",
        ) from None
