"""Counting texts that are in memory already."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from frex.errors import InputError
from frex.text.batches import batches_of
from frex.text.counting import Counter
from frex.text.documents import Broken, Document
from frex.text.tally import Tally
from frex.text.tokens import Analyzer
from frex.text.vocabulary import default_rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scipy import sparse

    from frex.text.vocabulary import VocabularyRule


def count_texts(
    texts: Iterable[str],
    analyzer: Analyzer | None = None,
    vocabulary: VocabularyRule | None = None,
) -> tuple[sparse.csr_array, list[str], list[str]]:
    """Count the words of texts.

    Parameters
    ----------
    texts
        The documents.
    analyzer
        What is a word; `Analyzer()` by default.
    vocabulary
        Which stems are kept; by default what `default_rule` says.

    Returns
    -------
    counts
        Documents in rows, words in columns.
    words
        The words, in alphabetical order.
    surface
        For each word the form in which it was met most often.
    """
    if isinstance(texts, str):
        raise InputError("the texts are a single text", remedy="Give a list of texts.")
    counter = Counter(analyzer or Analyzer())
    tally = Tally()
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    numbered = (Document(str(number), text) for number, text in enumerate(texts))
    for batch in batches_of(numbered):
        counts = counter.count([_text(item) for item in batch.documents()])
        tally.learn(0, counts.new)
        parts.append((counts.lengths, tally.add(0, counts), counts.counts))
    if not parts:
        raise InputError("there are no texts", remedy="Give at least one.")
    lengths, stems, numbers = map(np.concatenate, zip(*parts, strict=True))
    chosen = tally.choose(vocabulary or default_rule(len(lengths)))
    return chosen.matrix(lengths, stems, numbers), chosen.words, chosen.surface


def _text(item: Document | Broken) -> str:
    if isinstance(item, Broken):
        raise item.error()
    return item.text
