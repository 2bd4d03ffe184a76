"""Known corpora: a module for each that reads its official files, and one that comes along.

Every module offers ``prepare(data, out, **options)``; those of raw text also ``documents``, which
reads their files one document at a time, and ``topic_tree``.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

from frex.datasets.debtags import load_debtags
from frex.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["DATASETS", "Dataset", "load_debtags"]


class Dataset(NamedTuple):
    """An entry of the list behind ``frex datasets``.

    Parameters
    ----------
    description
        One line: what it is.
    source
        Which files it is made from, and where their owner offers them.
    module
        The module that reads it, imported when it is asked for.
    bundled
        It comes with the package and needs no files.
    """

    description: str
    source: str
    module: str
    bundled: bool = False

    def prepare(self, data: Sequence[Path], out: Path, **options: Any) -> Any:
        """Make a corpus folder of the official files; see `prepare` of the module."""
        if not data and not self.bundled:
            raise InputError("the corpus's files are not named", remedy=f"Name {self.source}.")
        return importlib.import_module(self.module).prepare(data, out, **options)


DATASETS = {
    "ap": Dataset(
        "Associated Press, 2,246 stories without labels",
        "ap.tgz from http://www.cs.columbia.edu/~blei/lda-c/",
        "frex.datasets.ap",
    ),
    "ap-text": Dataset(
        "the same from its text, without SMART stop words and proper nouns",
        "ap.tgz from http://www.cs.columbia.edu/~blei/lda-c/",
        "frex.datasets.ap_text",
    ),
    "arxiv": Dataset(
        "arXiv, titles and abstracts of all papers",
        "arxiv-metadata-oai-snapshot.json from https://www.kaggle.com/datasets/Cornell-University/"
        "arxiv (it takes a login, so frex cannot fetch it)",
        "frex.datasets.arxiv",
    ),
    "debtags": Dataset(
        "Debian, 10,540 package descriptions with tags",
        "nothing: it comes with frex",
        "frex.datasets.debtags",
        bundled=True,
    ),
    "rcv1": Dataset(
        "RCV1-v2, 804,414 news stories",
        "lyrl2004_tokens_*.dat.gz, rcv1-v2.topics.qrels.gz and rcv1.topics.hier.orig from "
        "http://www.ai.mit.edu/projects/jmlr/papers/volume5/lewis04a/",
        "frex.datasets.rcv1",
    ),
    "reuters21578": Dataset(
        "Reuters-21578, 11,367 news stories with topics",
        "reuters21578.tar.gz from http://kdd.ics.uci.edu/databases/reuters21578/",
        "frex.datasets.reuters21578",
    ),
}
"""The corpora that ``frex datasets NAME`` knows."""
