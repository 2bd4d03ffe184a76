"""RCV1-v2 as Lewis, Yang, Rose and Li (2004) published it: stems, topics, hierarchy.

Three kinds of files, each plain or `.gz`: the token files `lyrl2004_tokens_*.dat` (already stemmed
and free of stop words), the judgements `rcv1-v2.topics.qrels`, the tree `rcv1.topics.hier.orig`.
The judgements name every ancestor of a topic too; `Corpus` takes the redundant ones away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from frex.datasets.files import OfficialFile, OfficialFiles
from frex.errors import InputError
from frex.text import Analyzer, Document, prepare_documents
from frex.tree import TopicTree, read_tree

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from frex.text import PrepareReport

TOKENS = "lyrl2004_tokens_*.dat"
JUDGEMENTS = "rcv1-v2.topics.qrels"
HIERARCHY = "rcv1.topics.hier.orig"
WANTED = (TOKENS, JUDGEMENTS, HIERARCHY)

ANALYZER = Analyzer(tokens="whitespace", stem=False)
"""The token files need no more than to be cut at blanks."""


def documents(paths: Sequence[Path], *, without: Collection[str] = ()) -> Iterator[Document]:
    """Read the stories of the token files, one in memory at a time.

    Parameters
    ----------
    paths
        The official files, or a folder that holds them.
    without
        Topics to leave out, with the same meaning as in `topic_tree`.
    """
    files = OfficialFiles(paths, WANTED)
    labels = _read_judgements(files.one(JUDGEMENTS))
    for file in files.all(TOKENS):
        for line, number, text in _stories(file):
            topics = tuple(topic for topic in labels.get(number, ()) if topic not in without)
            yield Document(number, text, topics, str(file.path), line)


def topic_tree(paths: Sequence[Path], *, without: Collection[str] = ()) -> TopicTree:
    """Read the hierarchy of 103 topics.

    Parameters
    ----------
    paths
        The official files, or a folder that holds them.
    without
        Leaf topics to leave out: ``["C1511"]`` gives the 102 of the HPC paper. Its stories stay
        under C151, which the judgements name as well.
    """
    file = OfficialFiles(paths, WANTED).one(HIERARCHY)
    tree = read_tree(file.path, "rcv1")
    for topic in without:
        if below := tree.children(topic):
            raise InputError(
                f"topic {topic} cannot be left out: {tree.names[below[0]]} is below it",
                path=file.path,
                remedy="Leave out leaf topics only.",
            )
    return tree.take([node for node in range(1, tree.n_nodes) if tree.names[node] not in without])


def prepare(
    data: Sequence[Path], out: Path, *, without: Collection[str] = (), **options: Any
) -> PrepareReport:
    """Turn the official files into a corpus.

    Parameters
    ----------
    data
        The official files, or a folder that holds them.
    out
        The corpus folder to make.
    without
        Leaf topics to leave out.
    **options
        Those of `frex.text.prepare_documents`.
    """
    options.setdefault("analyzer", ANALYZER)
    tree = topic_tree(data, without=without)
    return prepare_documents(documents(data, without=without), tree, out, **options)


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
