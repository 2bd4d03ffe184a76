"""RCV1-v2 as Lewis, Yang, Rose and Li (2004) published it: stems, topics, hierarchy.

`split` is the training or the test part of the LYRL2004 split, by the names of the files.
Three kinds of files, each plain or `.gz`: the token files `lyrl2004_tokens_*.dat` (already stemmed
and free of stop words), the judgements `rcv1-v2.topics.qrels`, the tree `rcv1.topics.hier.orig`.
The judgements also name every ancestor of a topic; `Corpus` removes the redundant ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.datasets.files import OfficialFile, OfficialFiles
from frex.datasets.labelled import prepare_labelled
from frex.errors import InputError
from frex.text import Analyzer, Document
from frex.tree import TopicTree, read_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from frex.text import PrepareReport

TOKENS = "lyrl2004_tokens_*.dat"
JUDGEMENTS = "rcv1-v2.topics.qrels"
HIERARCHY = "rcv1.topics.hier.orig"
WANTED = (TOKENS, JUDGEMENTS, HIERARCHY)

ANALYZER = Analyzer(tokens="whitespace", stem=False)
"""The token files only have to be split at blanks."""


def documents(paths: Sequence[Path]) -> Iterator[Document]:
    """Read the stories of the token files, one in memory at a time.

    Parameters
    ----------
    paths
        The official files, or a folder that holds them.
    """
    files = OfficialFiles(paths, WANTED)
    labels = _read_judgements(files.one(JUDGEMENTS))
    for file in files.all(TOKENS):
        part = "train" if "train" in file.path.name else "test"
        for line, number, text in _stories(file):
            named = (number, text, labels.get(number, ()), str(file.path), line)
            yield Document(*named, {"split": part})


def topic_tree(paths: Sequence[Path]) -> TopicTree:
    """Read the hierarchy of 103 topics.

    Parameters
    ----------
    paths
        The official files, or a folder that holds them.
    """
    return read_tree(OfficialFiles(paths, [HIERARCHY]).one(HIERARCHY).path, "rcv1")


def prepare(data: Sequence[Path], out: Path, **options: Any) -> PrepareReport:
    """Turn the official files into a corpus.

    Parameters
    ----------
    data
        The official files, or a folder that holds them.
    out
        The corpus folder to make.
    **options
        Those of `frex.datasets.labelled.prepare_labelled`: ``without=["C1511"]`` gives the 102
        topics of the HPC paper.
    """
    options.setdefault("analyzer", ANALYZER)
    return prepare_labelled(documents(data), topic_tree(data), out, **options)


def _read_judgements(file: OfficialFile) -> dict[str, tuple[str, ...]]:
    """Return the topics of every story.

    800,000 stories share some 15,000 sets of topics: each set is kept once, so that the whole
    table takes 90 MB.
    """
    labels: dict[str, tuple[str, ...]] = {}
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    for number, line in file.lines("latin-1"):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 3 or fields[2] != "1":
            raise InputError(f"not 'topic story 1': {line!r}", path=file.path, line=number)
        topics = (*labels.get(fields[1], ()), fields[0])
        labels[fields[1]] = known.setdefault(topics, topics)
    return labels


def _stories(file: OfficialFile) -> Iterator[tuple[int, str, str]]:
    """Yield ``line, story number, stems``."""
    start, story = 0, ""
    stems: list[str] | None = None
    for number, line in file.lines("latin-1"):
        if line.startswith(".I"):
            if story:
                yield start, story, _joined(stems, story, file, start)
            start, story, stems = number, line[2:].strip(), None
            if not story:
                raise InputError("a story without a number", path=file.path, line=number)
        elif line.strip() == ".W" and story and stems is None:
            stems = []
        elif stems is not None:
            stems.append(line)
        elif line.strip():
            raise InputError(
                f"{line[:60]!r} outside a story",
                path=file.path,
                line=number,
                remedy="A story is '.I number', '.W', then lines of stems.",
            )
    if story:
        yield start, story, _joined(stems, story, file, start)


def _joined(stems: list[str] | None, story: str, file: OfficialFile, line: int) -> str:
    if stems is None:
        raise InputError(f"story {story} has no '.W' and no stems", path=file.path, line=line)
    return " ".join(stems).strip()
