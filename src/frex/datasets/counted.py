"""Write a corpus that its owner has counted already."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from frex.corpus import Corpus
from frex.datasets.labelled import leave_out
from frex.errors import InputError
from frex.text import PrepareReport

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from frex.text import VocabularyRule


def write_counted(
    corpus: Corpus,
    out: Path,
    *,
    vocabulary: VocabularyRule | None = None,
    without: Collection[str] = (),
    progress: Callable[[int], None] | None = None,
    jobs: int = 0,  # noqa: ARG001 - every `prepare` takes it; here is nothing to share out
    overwrite: bool = False,
    **text_options: Any,
) -> PrepareReport:
    """Write a corpus folder; options about text are refused, because there is none.

    Parameters
    ----------
    corpus
        What to write.
    out
        The corpus folder to make.
    vocabulary
        Which of its words are kept; None keeps all.
    without
        Topics to leave out; see `frex.datasets.labelled`.
    progress
        Called with the number of documents.
    jobs
        Processes, for those corpora that are counted here.
    overwrite
        Replace an existing corpus.
    **text_options
        Other options of `frex.text.prepare_documents`: each must be None.
    """
    if any(value is not None for value in text_options.values()):
        raise InputError(
            "this corpus comes as counts, so nothing can be done to its text, such as leaving out "
            "stop words or proper nouns",
            remedy="Leave such options out.",
        )
    n_read, n_stems = corpus.n_documents + corpus.report.get("empty_documents", 0), corpus.n_words
    corpus = _without_topics(_with_vocabulary(corpus, vocabulary), without)
    corpus.write(out, overwrite=overwrite)
    if progress is not None:
        progress(corpus.n_documents)
    return PrepareReport(
        out,
        read=n_read,
        documents=corpus.n_documents,
        words=corpus.n_words,
        tokens=corpus.n_tokens,
        stems=n_stems,
        dropped=dict(corpus.report),
    )


def _with_vocabulary(corpus: Corpus, rule: VocabularyRule | None) -> Corpus:
    if rule is None:
        return corpus
    totals = np.asarray(corpus.counts.sum(axis=0, dtype=np.int64))
    documents = np.bincount(corpus.counts.indices, minlength=corpus.n_words)
    kept = rule.choose(corpus.words, totals, documents)
    surface = corpus.surface
    return _remade(
        corpus,
        counts=corpus.counts[:, kept],
        words=[corpus.words[word] for word in kept],
        surface=None if surface is None else [surface[word] for word in kept],
    )


def _without_topics(corpus: Corpus, without: Collection[str]) -> Corpus:
    if not without:
        return corpus
    tree, instead = leave_out(corpus.tree, without)
    topics = () if corpus.tree is None else corpus.tree.topics
    heirs = [instead.get(topic, topic) for topic in topics]
    moves = [(old, tree.node(heir) - 1) for old, heir in enumerate(heirs) if heir is not None]
    old, new = np.array(moves).T
    column = sparse.csr_array(
        (np.ones(len(moves), np.int32), (old, new)), shape=(corpus.n_topics, tree.n_topics)
    )
    labels = (corpus.labels.astype(np.int32) @ column).astype(np.bool_)
    return _remade(corpus, labels=labels, tree=tree)


def _remade(corpus: Corpus, **changes: Any) -> Corpus:
    """Return a corpus with other words or topics, and without documents that then have none."""
    parts = {
        "counts": corpus.counts,
        "labels": None if corpus.tree is None else corpus.labels,
        "tree": corpus.tree,
        "words": corpus.words,
        "surface": corpus.surface,
    } | changes
    made = Corpus.from_matrices(**parts, ids=corpus.ids, unlabelled="drop", several_parents="first")
    report = Counter(corpus.report) + Counter(made.report)
    return replace(made, analyzer=corpus.analyzer, report=dict(report))
