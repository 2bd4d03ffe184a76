"""`Digester`: the work of a worker on a batch of documents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from frex.corpus.documents import SNIPPET, TITLE, snippet
from frex.errors import InputError
from frex.text.counting import Counter
from frex.text.documents import Broken, Document

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from frex.text.batches import Batch
    from frex.text.counting import BatchCounts
    from frex.text.labelling import Labelling
    from frex.text.tokens import Analyzer


class Digest(NamedTuple):
    """The result of a batch, without the text."""

    documents: list[Document]  # without text and labels
    label_lengths: NDArray[np.int32]
    labels: NDArray[np.int32]  # columns, document by document
    counts: BatchCounts
    broken: list[Broken]
    dropped: dict[str, int]  # numbers by reason
    error: InputError | None  # the first error in the batch that stops the run


@dataclass(frozen=True)
class Digester:
    """Parses, checks and counts batches.

    Parameters
    ----------
    analyzer
        Splits text into words.
    labelling
        The policies for labels.
    skip
        Whether to skip broken places instead of stopping at the first.
    keep_text
        Number of characters of each text to store as a detail of the document.
    """

    analyzer: Analyzer
    labelling: Labelling
    skip: bool = False
    keep_text: int = 0

    @cached_property
    def _counter(self) -> Counter:
        return Counter(self.analyzer)

    def __getstate__(self) -> dict[str, object]:
        """Leave the counter out when sent to another process."""
        names = ("analyzer", "labelling", "skip", "keep_text")
        return {name: self.__dict__[name] for name in names}

    def __call__(self, batch: Batch, without: frozenset[int] = frozenset()) -> Digest:
        """Digest a batch.

        Parameters
        ----------
        batch
            The documents.
        without
            Positions in `documents` of an earlier digest of the same batch, of documents to leave
            out completely.
        """
        documents: list[Document] = []
        labels: list[list[int]] = []
        broken: list[Broken] = []
        dropped = {"unlabelled_documents": 0, "unknown_labels": 0, "corrected_documents": 0}
        error = None
        try:
            for item in batch.documents():
                if isinstance(item, Broken):
                    if not self.skip:
                        raise item.error()
                    broken.append(item)
                    continue
                columns, n_unknown = self.labelling.columns(item)
                dropped["unknown_labels"] += n_unknown
                dropped["corrected_documents"] += item.id in self.labelling.corrections
                if not columns and self.labelling.required and self.analyzer.has_words(item.text):
                    self.labelling.refuse_unlabelled(item)
                    dropped["unlabelled_documents"] += 1
                    continue
                documents.append(item)
                labels.append(columns)
        except InputError as problem:
            error = problem
        rows = [row for row in range(len(documents)) if row not in without]
        columns_of_rows = [labels[row] for row in rows]
        return Digest(
            [self._without_text(documents[row]) for row in rows],
            np.fromiter(map(len, columns_of_rows), np.int32, len(rows)),
            np.fromiter(chain.from_iterable(columns_of_rows), np.int32),
            self._counter.count([documents[row].text for row in rows]),
            broken,
            dropped,
            error,
        )

    def _without_text(self, document: Document) -> Document:
        if not self.keep_text:
            return document._replace(text="", labels=())
        start = snippet(document.text, self.keep_text, document.details.get(TITLE, ""))
        details = {**document.details, SNIPPET: start} if start else document.details
        return document._replace(text="", labels=(), details=details)
