"""Topics in files: a table, topics x words, or files of Mallet.

- CSV: a line for each topic, with its name in a first column called ``topic`` (or without a name,
  as R writes row names), then a weight for each word in the header.
- Mallet's ``--topic-word-weights-file``: lines of topic, word and weight.
- Mallet's ``--word-topic-counts-file``: lines of a number, a word, and ``topic:count`` of topics.

Any of them may be compressed. Weights are rates, probabilities or counts, not their logarithms.
"""

from __future__ import annotations

import csv
import math
import re
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from frex.errors import InputError
from frex.scores.topics import TopicWords
from frex.storage.packed import PACKED, DamagedError, unpack

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

NAMES_OF_FIRST_COLUMN = ("", "topic")

_WEIGHTS = re.compile(r"(\d+)\t([^\t]+)\t(\S+)")
_COUNTS = re.compile(r"\d+ (\S+)((?: \d+:\d+)*)")


def read_topics(path: str | PathLike[str]) -> TopicWords:
    """Read topics from a file, whose format is recognised by its first line.

    Parameters
    ----------
    path
        The file.
    """
    file = Path(path)
    lines = _lines(file)
    if not lines:
        raise InputError("the file is empty", path=file, remedy="Name a file of topics.")
    if _WEIGHTS.fullmatch(lines[0]):
        return _of_triples(_mallet_weights(lines, file))
    if _COUNTS.fullmatch(lines[0].rstrip()):
        return _of_triples(_mallet_counts(lines, file), counted=True)
    return _table(lines, file)


def _lines(file: Path) -> list[str]:
    packing = file.suffix.lower()
    try:
        with file.open("rb") as raw:
            data = b"".join(unpack(raw, packing if packing in PACKED else ""))
        return data.decode("utf-8-sig").splitlines()
    except OSError as error:
        raise InputError(
            f"cannot read the topics: {error.strerror}", path=file, remedy="Check the path."
        ) from error
    except (DamagedError, UnicodeDecodeError) as error:
        raise InputError(
            f"damaged, or not UTF-8 text: {error}", path=file, remedy="Write it anew."
        ) from error


def _mallet_weights(lines: Iterable[str], file: Path) -> Iterator[tuple[int, str, float]]:
    for number, line in enumerate(lines, start=1):
        match = _WEIGHTS.fullmatch(line)
        if match is None:
            raise InputError(
                f"not a topic, a word and a weight with tabs between them: {line[:60]!r}",
                path=file,
                line=number,
            )
        yield int(match[1]), match[2], _weight(match[3], file, number)


def _mallet_counts(lines: Iterable[str], file: Path) -> Iterator[tuple[int, str, float]]:
    for number, line in enumerate(lines, start=1):
        match = _COUNTS.fullmatch(line.rstrip())
        if match is None:
            raise InputError(
                f"not a number, a word and topic:count ...: {line[:60]!r}", path=file, line=number
            )
        for pair in match[2].split():
            topic, count = pair.split(":")
            yield int(topic), match[1], float(count)


def _of_triples(triples: Iterable[tuple[int, str, float]], *, counted: bool = False) -> TopicWords:
    """Make a matrix from triples of topic, word and weight; words are in order of occurrence."""
    columns: dict[str, int] = {}
    cells = [(topic, columns.setdefault(word, len(columns)), w) for topic, word, w in triples]
    if not cells:
        raise InputError("no topic has a word", remedy="Check the file.")
    topics, words, weights = map(np.array, zip(*cells, strict=True))
    shape = (int(topics.max()) + 1, len(columns))
    rates = sparse.coo_array((weights, (topics, words)), shape=shape).toarray()
    return TopicWords(rates, [*columns], counts=rates.sum(axis=0) if counted else None)


def _table(lines: list[str], file: Path) -> TopicWords:
    delimiter = max(",;\t", key=lines[0].count)
    rows = csv.reader(lines, delimiter=delimiter)
    first, *words = next(rows)
    if first.strip().lower() not in NAMES_OF_FIRST_COLUMN or not words:
        raise InputError(
            f"the first column is called {first[:40]!r}, and {len(words)} words follow",
            path=file,
            line=1,
            remedy="Begin with the line: topic,word,word,... and write a topic on each other line.",
        )
    _refuse_repeated("word", words, file)
    topics, rates = [], []
    for topic, *weights in rows:
        if len(weights) != len(words):
            raise InputError(
                f"{len(weights)} weights for {len(words)} words", path=file, line=rows.line_num
            )
        topics.append(topic.strip())
        rates.append([_weight(weight, file, rows.line_num) for weight in weights])
    if not rates:
        raise InputError("no topics follow the first line", path=file, remedy="Give one a line.")
    _refuse_repeated("topic", topics, file)
    return TopicWords(np.array(rates), words, topics)


def _refuse_repeated(what: str, names: list[str], file: Path) -> None:
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the {what} {repeated!r} is there twice", path=file, remedy="Remove one.")


def _weight(text: str, file: Path, line: int) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise InputError(
            f"{text!r} is not a weight of 0 or more",
            path=file,
            line=line,
            remedy="Give rates, probabilities or counts; exponentiate logarithms.",
        )
    return weight
