"""Summaries: the ranked words of a strategy for a topic, from files and fits.

A file of summaries has one word per row: `strategy`, `topic`, `rank` from 1, `word`, and if
experiments share a file, `group`, such as the number of topics. The format is CSV or a JSON list of
objects.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from frex.errors import InputError
from frex.storage.files import check_file, whole_file
from frex.storage.lines import csv_line
from frex.study.files import read_rows, read_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from os import PathLike

    from frex.posterior import Posterior

By: TypeAlias = Literal["frex", "frequency"]

COLUMNS = ("group", "strategy", "topic", "rank", "word")
"""Columns of a file of summaries; `group` is optional when reading."""

N_WORDS = 20
"""Number of words of a summary; an intruder is one of the twenty best of its topic."""


class Summary(NamedTuple):
    """What a strategy says of a topic."""

    strategy: str
    topic: str
    words: tuple[str, ...]  #: distinct words, the best first
    group: str = ""  #: a task only compares summaries of one group


def read_summaries(path: str | PathLike[str]) -> list[Summary]:
    """Read a file of summaries, in the order in which it first names them.

    Parameters
    ----------
    path
        A ``.csv`` or ``.json`` file.
    """
    file = Path(path)
    if file.suffix.lower() not in {".csv", ".json"}:
        raise InputError(
            "is not a file of summaries", path=path, remedy="Give a .csv or a .json file."
        )
    rows = _json_rows(path) if file.suffix.lower() == ".json" else read_rows(path)
    ranked: dict[tuple[str, str, str], dict[int, str]] = {}
    for line, row in rows:
        group, strategy, topic, rank, word = _cells(row, path, line)
        words = ranked.setdefault((group, strategy, topic), {})
        if rank in words or word in words.values():
            twice = f"rank {rank}" if rank in words else f"the word {word!r}"
            raise InputError(
                f"{strategy}, topic {topic} has {twice} twice",
                path=path,
                line=line,
                remedy="Keep one of them.",
            )
        words[rank] = word
    if not ranked:
        raise InputError("holds no summary", path=path, remedy=f"Columns: {', '.join(COLUMNS)}.")
    return [_in_order(*key, words, path) for key, words in ranked.items()]


def write_summaries(
    summaries: Iterable[Summary], path: str | PathLike[str], *, overwrite: bool = False
) -> None:
    """Write summaries as a CSV file that `read_summaries` reads back.

    Parameters
    ----------
    summaries
        The summaries.
    path
        A ``.csv`` file in an existing folder.
    overwrite
        Whether to replace an existing file.
    """
    place = check_file(path, endings=(".csv",), overwrite=overwrite)
    with whole_file(place) as partial, partial.open("w", encoding="utf-8", newline="") as handle:
        handle.write(csv_line(COLUMNS))
        for summary in summaries:
            about = summary.group, summary.strategy, summary.topic
            for rank, word in enumerate(summary.words, start=1):
                handle.write(csv_line([*about, rank, word]))


def summaries_from_scores(
    strategy: str,
    scores: Any,
    words: Sequence[str],
    *,
    topics: Sequence[str] | None = None,
    group: str = "",
    n: int = N_WORDS,
) -> list[Summary]:
    """Return a summary of each topic of any model: its words with the highest scores.

    Parameters
    ----------
    strategy
        Name of the strategy in the results, such as ``"LDA FREQ"``.
    scores
        Topics x words: rates, or scores from `frex.scores`.
    words
        Display forms of the words.
    topics
        Names; by default numbers from 1.
    group
        As in `Summary`.
    n
        Number of words.
    """
    matrix = np.asarray(scores, dtype=np.float64)
    names = [str(k + 1) for k in range(len(matrix))] if topics is None else topics
    if matrix.shape != (len(names), len(words)):
        raise InputError(
            f"scores has shape {matrix.shape}, with {len(names)} topics and {len(words)} words",
            remedy="Give scores as topics x words.",
        )
    best = np.argsort(-matrix, axis=1, kind="stable")
    return [
        Summary(strategy, topic, _distinct((words[w] for w in row), n), group)
        for topic, row in zip(names, best, strict=True)
    ]


def summaries_from_fit(
    posterior: Posterior,
    strategy: str,
    *,
    by: By = "frex",
    group: str = "",
    n: int = N_WORDS,
    without: Collection[str] = (),
) -> list[Summary]:
    """Return a summary of each leaf topic of a fit that has documents.

    Inner topics are left out, because their words also belong to the topics below them and are not
    intruders there.

    Parameters
    ----------
    posterior
        The fit.
    strategy, group, n
        As for `summaries_from_scores`.
    by
        ``"frex"`` or ``"frequency"``, the score that ranks words.
    without
        Uninformative words in lower case, such as a stop list, which are left out if there are
        enough others.
    """
    from frex.posterior.guards import refuse_not_finite  # noqa: PLC0415
    from frex.posterior.words import score  # noqa: PLC0415 - a file of summaries needs no SciPy

    refuse_not_finite(posterior)
    tree = posterior.tree
    leaves = [node for node in range(1, tree.n_nodes) if not tree.children(node)]
    scores = score(posterior, by=by)[[node - 1 for node in leaves]]
    shown = posterior.surface or posterior.words
    telling = [number for number, word in enumerate(shown) if fold(word) not in without]
    if len(telling) < n:  # too few words otherwise
        telling = list(range(len(shown)))
    return summaries_from_scores(
        strategy,
        scores[:, telling],
        [shown[number] for number in telling],
        topics=[tree.names[node] for node in leaves],
        group=group,
        n=n,
    )


def fold(word: str) -> str:
    """Return a form that is equal for words that look the same to an evaluator."""
    return word.strip().casefold()


def _distinct(words: Iterable[str], n: int) -> tuple[str, ...]:
    """Return the first `n` words that look different, because stems may share a display form."""
    found: dict[str, str] = {}
    for word in words:
        if len(found) == n:
            break
        found.setdefault(fold(word), word)
    return tuple(found.values())


def _json_rows(path: str | PathLike[str]) -> Iterator[tuple[int | None, dict[str, Any]]]:
    try:
        rows = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise InputError(f"is not JSON: {error.msg}", path=path, line=error.lineno) from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(
            "is not a list of objects", path=path, remedy=f"Keys: {', '.join(COLUMNS)}."
        )
    for row in rows:
        yield None, row


def _cells(
    row: dict[str, Any], path: str | PathLike[str], line: int | None
) -> tuple[str, str, str, int, str]:
    """Return the cells of a row in the order of `COLUMNS`."""
    cells = {name: str(row[name]).strip() for name in COLUMNS if row.get(name) is not None}
    for name in COLUMNS[1:]:
        if not cells.get(name):
            raise InputError(
                f"a row has no {name}",
                path=path,
                line=line,
                remedy=f"Columns: {', '.join(COLUMNS)}.",
            )
    if any("\ud800" <= letter <= "\udfff" for cell in cells.values() for letter in cell):
        raise InputError(
            f"{cells['word']!r} is not text", path=path, line=line, remedy="Leave the row out."
        )
    if not cells["rank"].isdecimal() or int(cells["rank"]) < 1:
        raise InputError(
            f"the rank is {cells['rank']!r}",
            path=path,
            line=line,
            remedy="Count the words of a topic from 1, the best.",
        )
    group, strategy, topic, rank, word = (cells.get(name, "") for name in COLUMNS)
    return group, strategy, topic, int(rank), word


def _in_order(
    group: str, strategy: str, topic: str, words: dict[int, str], path: str | PathLike[str]
) -> Summary:
    missing = set(range(1, len(words) + 1)) - set(words)
    if missing:
        raise InputError(
            f"{strategy}, topic {topic} has no word of rank {min(missing)}",
            path=path,
            remedy="Count the words of a topic from 1, without gaps.",
        )
    return Summary(strategy, topic, tuple(words[rank] for rank in sorted(words)), group)
