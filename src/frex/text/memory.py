"""Counting of texts in memory."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from frex.corpus import Corpus
from frex.corpus.documents import SNIPPET, Details, as_details, snippet
from frex.corpus.labels import as_labels
from frex.corpus.matrices import as_names
from frex.errors import InputError
from frex.text.batches import batches_of
from frex.text.counting import Counter
from frex.text.documents import Broken, Document
from frex.text.phrased import choose_phrased
from frex.text.phrases import Chunk, Store
from frex.text.record import analyzer_record
from frex.text.tally import Tally
from frex.text.tokens import Analyzer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scipy import sparse

    from frex.text.vocabulary import VocabularyRule
    from frex.tree import TopicTree


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
        Splits text into words; `Analyzer()` by default.
    vocabulary
        Selects the stems of the vocabulary; `default_rule` by default.

    Returns
    -------
    counts
        Documents in rows, words in columns.
    words
        The words, in alphabetical order.
    surface
        The most frequent form of each word.

    Raises
    ------
    InputError
        There is no text, or one of them is not a text.

    Examples
    --------
    >>> from frex.text import VocabularyRule, count_texts
    >>> counts, words, surface = count_texts(
    ...     ['Gold and gold', 'wheat'], vocabulary=VocabularyRule(min_documents=1)
    ... )
    >>> counts.toarray().tolist(), words
    ([[1, 2, 0], [0, 0, 1]], ['and', 'gold', 'wheat'])
    """
    if isinstance(texts, str):
        raise InputError("the texts are a single text", remedy="Give a list of texts.")
    counter = Counter(analyzer or Analyzer())
    tally = Tally()
    parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    chunks: list[Chunk] = []
    n_documents = 0
    numbered = (Document(str(number), text) for number, text in enumerate(texts))
    for batch in batches_of(numbered):
        begun = n_documents
        counts = counter.count([_text(item, n) for n, item in enumerate(batch.documents(), begun)])
        tally.learn(0, counts.new)
        parts.append((counts.lengths, tally.add(0, counts), counts.counts))
        order = tally.order(0, counts)
        if order is not None:
            chunks.append(Chunk(n_documents, order))
        n_documents += len(counts.lengths)
    if not parts:
        raise InputError("there are no texts", remedy="Give at least one.")
    lengths, stems, numbers = map(np.concatenate, zip(*parts, strict=True))
    rule = vocabulary or tally.default_rule(len(lengths))
    if not chunks:
        chosen = tally.choose(rule)
        return chosen.matrix(lengths, stems, numbers), chosen.words, chosen.surface
    phrased = choose_phrased(tally, rule, lambda: chunks, Store(None))
    chosen = phrased.vocabulary
    matrix = phrased.counts().add_to(chosen.matrix(lengths, stems, numbers), 0)
    return matrix, chosen.words, chosen.surface


def corpus_from_texts(
    texts: Iterable[str],
    labels: Any = None,
    tree: TopicTree | None = None,
    *,
    ids: Any = None,
    details: Any = None,
    keep_text: int = 0,
    analyzer: Analyzer | None = None,
    vocabulary: VocabularyRule | None = None,
    **policies: str,
) -> Corpus:
    """Count the words of texts and make a corpus of them: `Corpus.from_texts`."""
    analyzer = analyzer or Analyzer()
    report: dict[str, int] = {}
    about = Details()
    if keep_text or details is not None:
        texts = texts if isinstance(texts, str) else list(texts)
        ids = as_names(ids, len(texts), "ids", "d")
        about = as_details(details, ids)
    if keep_text:
        starts = [
            snippet(text, keep_text, about.title(row)) if isinstance(text, str) else ""
            for row, text in enumerate(texts)
        ]
        about = Details({**about.columns, SNIPPET: starts})
    if not (isinstance(texts, str) or labels is None) and policies.get("unlabelled") == "drop":
        # before words are counted, because dropped documents do not affect the vocabulary
        texts, unknown = list(texts), policies.get("unknown", "error")
        ids = as_names(ids, len(texts), "ids", "d")
        checked = as_labels(labels, len(texts), tree, ids=ids, unknown=unknown)
        n_labels = np.diff(checked.labels.indptr)
        keep = [
            row
            for row, text in enumerate(texts)
            if n_labels[row] or not isinstance(text, str) or not analyzer.has_words(text)
        ]
        report["unknown_labels"] = checked.n_unknown
        report["unlabelled_documents"] = len(texts) - len(keep)
        texts, ids = [texts[row] for row in keep], [ids[row] for row in keep]
        labels, tree = checked.labels[keep], checked.tree
        about = about.take(keep)
    counts, words, surface = count_texts(texts, analyzer=analyzer, vocabulary=vocabulary)
    corpus = Corpus.from_matrices(
        counts, labels, tree=tree, words=words, surface=surface, ids=ids, details=about, **policies
    )
    report = {reason: n for reason, n in report.items() if n} | corpus.report
    return replace(corpus, analyzer=analyzer_record(analyzer), report=report)


def _text(item: Document | Broken, number: int) -> str:
    if isinstance(item, Broken):
        raise item._replace(reason=f"document number {number}: {item.reason}").error()
    return item.text
