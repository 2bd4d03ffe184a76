"""Known corpora: a module for each that reads its official files, and a bundled one.

Every module offers ``prepare(data, out, **options)``; those of raw text also ``documents``, which
reads their files one document at a time, and ``topic_tree``. A module with an ``ANALYZER`` uses it
to read its text, unless another is given.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from frex.datasets.debtags import load_debtags
from frex.errors import InputError
from frex.text import Analyzer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from frex.text import PrepareReport

__all__ = ["DATASETS", "Dataset", "load_debtags"]


class Dataset(NamedTuple):
    """An entry of the list behind ``frex datasets``.

    Parameters
    ----------
    description
        One line: what it is.
    source
        The files from which it is made, and where their owner provides them.
    module
        The module that reads it, imported at first use.
    bundled
        It comes with the package and needs no files.
    labels
        The kinds of labels, if there are several.
    """

    description: str
    source: str
    module: str
    bundled: bool = False
    labels: tuple[str, ...] = ()

    def prepare(
        self,
        data: Sequence[Path],
        out: Path,
        *,
        stop_words: str | tuple[str, ...] | None = None,
        drop_proper_nouns: bool = False,
        labels: str | None = None,
        **options: Any,
    ) -> PrepareReport:
        """Make a corpus folder of the official files.

        Parameters
        ----------
        data, out
            The files, and the folder to make.
        stop_words, drop_proper_nouns
            What to leave out in addition to what the module leaves out; see `frex.text.Analyzer`.
        labels
            The kind of labels.
        **options
            Those of the module's `prepare`: ``vocabulary`` and ``without`` of all.
        """
        if not data and not self.bundled:
            raise InputError("the corpus's files are not named", remedy=f"Name {self.source}.")
        module = importlib.import_module(self.module)
        given = {"stop_words": stop_words, "drop_proper_nouns": drop_proper_nouns}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value}
        if changes:
            options["analyzer"] = replace(getattr(module, "ANALYZER", Analyzer()), **changes)
        if labels is not None:
            if labels not in self.labels:
                raise InputError(
                    f"the corpus has no labels called {labels!r}",
                    remedy=f"Use {' or '.join(self.labels)}."
                    if self.labels
                    else "It has one kind of labels: leave the choice out.",
                )
            options["labels"] = labels
        report: PrepareReport = module.prepare(data, out, **options)
        return report


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
    "nyt": Dataset(
        "The New York Times Annotated Corpus, 1.8 million articles",
        "the .tgz of each month, or their folder, of LDC2008T19, which the Linguistic Data "
        "Consortium licenses (frex cannot fetch it)",
        "frex.datasets.nyt",
        labels=("taxonomic", "descriptors"),
    ),
    "rcv1": Dataset(
        "RCV1-v2, 804,414 news stories",
        "lyrl2004_tokens_*.dat.gz, rcv1-v2.topics.qrels.gz and rcv1.topics.hier.orig from "
        "http://www.ai.mit.edu/projects/jmlr/papers/volume5/lewis04a/",
        "frex.datasets.rcv1",
    ),
    "rcv1-xml": Dataset(
        "RCV1 as text, 806,791 news stories",
        "the .zip of each day, or their folder, which NIST licenses (frex cannot fetch them: see "
        "https://trec.nist.gov/data/reuters/reuters.html), and rcv1.topics.hier.orig from "
        "http://www.ai.mit.edu/projects/jmlr/papers/volume5/lewis04a/",
        "frex.datasets.rcv1_xml",
    ),
    "reuters21578": Dataset(
        "Reuters-21578, 11,367 news stories with topics",
        "reuters21578.tar.gz from http://kdd.ics.uci.edu/databases/reuters21578/",
        "frex.datasets.reuters21578",
    ),
}
"""The corpora that ``frex datasets NAME`` knows."""
