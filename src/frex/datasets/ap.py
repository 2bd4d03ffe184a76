"""Associated Press, 2,246 stories without labels, as distributed with lda-c.

`ap.tgz` holds `ap.dat` (lda-c counts), `vocab.txt` and `ap.txt` (the stories themselves).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from frex.datasets.counted import write_counted
from frex.datasets.files import OfficialFile, OfficialFiles
from frex.datasets.ldac import read_ldac
from frex.errors import InputError
from frex.text import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from frex.corpus import Corpus
    from frex.text import PrepareReport

COUNTS, VOCABULARY, STORIES = "ap.dat", "vocab.txt", "ap.txt"
WANTED = (COUNTS, VOCABULARY, STORIES)

_STORY = re.compile(r"<DOC>\s*<DOCNO>\s*(\S+)\s*</DOCNO>\s*<TEXT>(.*?)</TEXT>\s*</DOC>", re.DOTALL)


def read_ap(paths: Sequence[Path]) -> Corpus:
    """Read the published counts: 10,473 terms, stop words out, no stemming.

    Parameters
    ----------
    paths
        `ap.tgz`, or the folder or files unpacked from it. With `ap.txt` among them the documents
        are named after their ``DOCNO``, without it they are numbered.
    """
    files = OfficialFiles(paths, WANTED)
    ids = [document.id for document in _stories(files.one(STORIES))] if STORIES in files else None
    return read_ldac(files.one(COUNTS), files.one(VOCABULARY), ids)


def documents(paths: Sequence[Path]) -> Iterator[Document]:
    """Read the stories as text, cased and punctuated.

    Parameters
    ----------
    paths
        `ap.tgz`, the folder unpacked from it, or `ap.txt`.
    """
    yield from _stories(OfficialFiles(paths, WANTED).one(STORIES))


def prepare(data: Sequence[Path], out: Path, **options: Any) -> PrepareReport:
    """Turn the published counts into a corpus folder.

    Parameters
    ----------
    data
        `ap.tgz`, or the folder or files unpacked from it.
    out
        The corpus folder to make.
    **options
        Those of `frex.datasets.counted.write_counted`.
    """
    return write_counted(read_ap(data), out, **options)


def _stories(file: OfficialFile) -> Iterator[Document]:
    content = file.text("latin-1")
    line, end = 1, 0
    for story in _STORY.finditer(content):
        line += content.count("\n", end, story.start())
        yield Document(story[1], story[2].strip(), (), str(file.path), line)
        line += content.count("\n", story.start(), story.end())
        end = story.end()
    rest = content[end:].lstrip()
    if rest or not end:
        line += content.count("\n", end, len(content) - len(rest))
        raise InputError(
            "not <DOC><DOCNO>...</DOCNO><TEXT>...</TEXT></DOC> up to its end",
            path=file.path,
            line=line,
            remedy="Copy the official file again.",
        )
