"""`Corpus`: what the model is fitted to."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from frex.corpus.blocks import blocks
from frex.corpus.documents import Details, as_details
from frex.corpus.labels import as_labels, remove_redundant_ancestors
from frex.corpus.matrices import as_counts, as_exposures, as_names, as_surface
from frex.corpus.parents import BranchWords, move_labels
from frex.corpus.policies import check_policies, documents_to_keep
from frex.errors import InputError
from frex.registry import answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike

    from numpy.typing import ArrayLike, NDArray

    from frex.corpus.corrections import Corrections
    from frex.text import Analyzer, VocabularyRule
    from frex.tree import TopicTree


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Counts of words in documents, and the documents' labels from a tree of topics.

    Make one with `from_texts`, `from_matrices` or `frex.read_corpus`, which check what they are
    given; the constructor itself trusts its arguments.

    Attributes
    ----------
    counts
        Documents x words, int32, sorted indices, no explicit zeros.
    labels
        Documents x topics, booleans; no columns where there is no tree.
    words
        The vocabulary; stems, where the text was stemmed.
    ids
        The documents' names.
    tree
        The topics; None for a corpus without labels.
    surface
        For each word the form in which it was met most often, to show to people.
    given_exposures
        The documents' relative lengths, where they are not those of the counts.
    report
        What was dropped or removed when the corpus was made, by reason.
    analyzer
        How text became counts, as `frex.text.record` tells it, so that new text can be read in the
        same way; None where counts were given.
    details
        What is known of the documents besides their ids: titles, links, dates, and more.

    Examples
    --------
    >>> from frex import read_corpus
    >>> corpus = read_corpus('CORPUS')
    >>> corpus
    Corpus(36 documents, 25 words, 4 topics, 168 tokens)
    >>> corpus.n_topics, len(corpus.words)
    (4, 25)
    """

    counts: sparse.csr_array
    labels: sparse.csr_array
    words: Sequence[str]
    ids: Sequence[str]
    tree: TopicTree | None
    surface: Sequence[str] | None = None
    given_exposures: NDArray[np.float64] | None = None
    report: dict[str, int] = field(default_factory=dict)
    analyzer: Mapping[str, Any] | None = None
    details: Details = field(default_factory=Details)

    @classmethod
    def from_matrices(
        cls,
        counts: Any,
        labels: Any = None,
        *,
        tree: TopicTree | None = None,
        words: Any = None,
        ids: Any = None,
        topics: Sequence[str] | None = None,
        surface: Sequence[str] | None = None,
        exposures: ArrayLike | None = None,
        details: Any = None,
        unlabelled: str = "error",
        empty: str = "drop",
        unknown: str = "error",
        ancestors: str = "remove",
        several_parents: str = "best",
    ) -> Corpus:
        """Check matrices and make a corpus of them.

        Parameters
        ----------
        counts
            Documents x words: SciPy matrix, array, data frame, or a vectorizer's output.
        labels
            Documents x topics of zeros and ones, or for each document its topic names.
        tree
            The tree of topics. With labels and no tree every topic is a top-level one.
        words
            The vocabulary, or the fitted vectorizer that has it; by default a data frame's
            columns, else made up.
        ids
            The documents' names; made up by default.
        topics
            Names of the label matrix's columns, where they are not in the order of the tree.
        surface
            For each word the form to show to people.
        exposures
            The documents' relative lengths; by default their tokens over the mean.
        details
            What else is known of the documents: a data frame, or lists by name. `title`, `url` and
            `date` have a meaning; others are kept and shown. None or NaN where nothing is known.
        unlabelled
            Documents that have words and no label: ``"error"``, ``"drop"`` or ``"keep"``.
        empty
            Documents without words: ``"drop"``, ``"keep"`` or ``"error"``.
        unknown
            Labels that are not in the tree: ``"error"`` or ``"drop"``.
        ancestors
            Labels made redundant by a more specific one: ``"remove"`` or ``"keep"``.
        several_parents
            Which parent of a topic with several the corpus' tree takes: ``"best"``, the one whose
            other branches are closest to the topic in their words (see `frex.corpus.parents`);
            ``"first"``, the one that the tree given has; or ``"error"``. The topics are in the
            order of the corpus' tree, which ``"best"`` may change.

        Returns
        -------
        Corpus
            What was given, checked; `report` says what was dropped.

        Raises
        ------
        InputError
            Shapes, names, counts or labels do not fit together, or a policy is no choice.

        Examples
        --------
        >>> from frex import Corpus
        >>> counts, labels = [[2, 0], [1, 3]], ['metal', 'grain']
        >>> corpus = Corpus.from_matrices(counts, labels, words=['gold', 'wheat'])
        >>> corpus
        Corpus(2 documents, 2 words, 2 topics, 6 tokens)
        >>> corpus.labels_of(1)
        ('grain',)
        """
        check_policies(
            unlabelled=unlabelled,
            empty=empty,
            unknown=unknown,
            ancestors=ancestors,
            several_parents=several_parents,
        )
        if tree is not None and several_parents == "error":
            tree.require_one_parent()
        matrix = as_counts(counts, words if isinstance(words, list | tuple) else None, ids)
        n_documents, n_words = matrix.values.shape
        named = as_names(matrix.columns if words is None else words, n_words, "words", "w")
        id_names = as_names(ids, n_documents, "ids", "d")
        report: dict[str, int] = {}
        indicators = sparse.csr_array((n_documents, 0), dtype=np.bool_)
        if labels is not None:
            checked = as_labels(
                labels, n_documents, tree, topics=topics, ids=id_names, unknown=unknown
            )
            indicators, tree = checked.labels, checked.tree
            report["unknown_labels"] = checked.n_unknown
        elif tree is not None:
            raise InputError("a tree is given and no labels", remedy="Give both, or neither.")
        if tree is not None and ancestors == "remove":
            before = indicators.nnz
            indicators = remove_redundant_ancestors(indicators, tree)
            report["redundant_ancestor_labels"] = before - indicators.nnz
        corpus = cls(
            matrix.values,
            indicators,
            named,
            id_names,
            tree,
            None if surface is None else as_surface(surface, n_words),
            None if exposures is None else as_exposures(exposures, n_documents),
            details=as_details(details, id_names),
        )
        keep, dropped = documents_to_keep(
            corpus.lengths,
            np.diff(indicators.indptr) if tree is not None else None,
            unlabelled=unlabelled,
            empty=empty,
            name=lambda row: f"document {id_names[row]!r}",
        )
        report |= dropped
        if not keep.all():
            corpus = corpus.take(np.flatnonzero(keep))
        if several_parents == "best":
            corpus = corpus._with_best_parents()  # noqa: SLF001 - of the same class
        return replace(corpus, report={reason: n for reason, n in report.items() if n})

    @classmethod
    def from_texts(
        cls,
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
        """Count the words of texts in memory and make a corpus of them.

        For more text than fits into memory use `frex.text.prepare`, or ``frex prepare``.

        Parameters
        ----------
        texts
            The documents.
        labels, tree, ids, details
            As for `from_matrices`.
        keep_text
            How many characters of each text are kept, from its beginning, to be shown.
        analyzer
            How a text becomes words: by default lower-cased Porter stems, no stop list.
        vocabulary
            Which words are kept.
        **policies
            `unlabelled`, `empty`, `unknown`, `ancestors` and `several_parents` of `from_matrices`.

        Returns
        -------
        Corpus
            The texts' counts; `analyzer` says how they were made.

        Examples
        --------
        >>> from frex import Corpus, TopicTree
        >>> tree = TopicTree.from_nested({'trade': ['metal', 'grain']})
        >>> texts = ['Gold and silver', 'Wheat and corn', 'Gold', 'Corn']
        >>> corpus = Corpus.from_texts(texts, ['metal', 'grain'] * 2, tree)
        >>> corpus.words
        ('and', 'corn', 'gold')
        """
        corpus: Corpus = answer("Corpus.from_texts")(
            texts, labels, tree, ids=ids, details=details, keep_text=keep_text,
            analyzer=analyzer, vocabulary=vocabulary, **policies,
        )  # fmt: skip
        return corpus

    def __len__(self) -> int:
        return self.n_documents

    def __repr__(self) -> str:
        return (
            f"Corpus({self.n_documents:,} documents, {self.n_words:,} words, "
            f"{self.n_topics:,} topics, {self.n_tokens:,} tokens)"
        )

    @property
    def n_documents(self) -> int:
        """Number of documents D."""
        return int(self.counts.shape[0])

    @property
    def n_words(self) -> int:
        """Number of words in the vocabulary V."""
        return int(self.counts.shape[1])

    @property
    def n_topics(self) -> int:
        """Number of topics K."""
        return 0 if self.tree is None else self.tree.n_topics

    @cached_property
    def n_tokens(self) -> int:
        """Number of tokens, the sum of all counts."""
        return int(self.lengths.sum())

    @cached_property
    def lengths(self) -> NDArray[np.int64]:
        """Tokens in each document, L_d."""
        lengths = np.zeros(self.n_documents, np.int64)
        for rows in blocks(self):
            lengths[rows.documents] = rows.lengths
        return lengths

    @property
    def exposures(self) -> NDArray[np.float64]:
        """Relative lengths l_d = L_d / mean(L), unless others were given."""
        if self.given_exposures is not None:
            return self.given_exposures
        return self.lengths / max(float(self.lengths.mean()), np.finfo(float).tiny)

    def take(self, rows: ArrayLike) -> Corpus:
        """Return the corpus of some documents, by number; vocabulary and tree stay as they are.

        Parameters
        ----------
        rows
            Numbers of documents, in any order.

        Returns
        -------
        Corpus
            Those documents, in that order.

        Examples
        --------
        >>> from frex import read_corpus
        >>> len(read_corpus('CORPUS').take([0, 5]))
        2
        """
        numbers = np.asarray(rows, dtype=np.int64)
        return replace(
            self,
            counts=sparse.csr_array(self.counts[numbers]),
            labels=sparse.csr_array(self.labels[numbers]),
            ids=[self.ids[i] for i in numbers.tolist()],
            details=self.details.take(numbers),
            given_exposures=None if self.given_exposures is None else self.given_exposures[numbers],
        )

    def with_corrections(
        self, corrections: Corrections | str | PathLike[str], *, unlabelled: str = "error"
    ) -> Corpus:
        """Return the corpus with labels corrected, as a review of ``frex audit`` decided.

        Parameters
        ----------
        corrections
            The file that the page of the audit exported, or `frex.corpus.Corrections`.
        unlabelled
            Documents that lose their last label: ``"error"``, ``"drop"`` or ``"keep"``.

        Returns
        -------
        Corpus
            The same documents; accepted changes are made, and others are not.

        Raises
        ------
        InputError
            A line is no decision, or names a document or topic that is not in the corpus.

        Examples
        --------
        >>> from frex import read_corpus
        >>> from frex.corpus import Correction, Corrections
        >>> corpus = read_corpus('CORPUS')
        >>> wrong = Correction(corpus.ids[0], remove=('metal',), add=('grain',))
        >>> corpus.with_corrections(Corrections((wrong,))).labels_of(0)
        ('grain',)
        """
        from frex.corpus.corrections import (  # noqa: PLC0415 - needed only here
            corrected_labels,
            read_corrections,
        )

        check_policies(unlabelled=unlabelled)
        if self.tree is None:
            raise InputError("the corpus has no labels", remedy="Prepare it with a tree.")
        if isinstance(corrections, str | os.PathLike):
            corrections = read_corrections(corrections)
        labels = corrected_labels(self, corrections)
        made = replace(self, labels=labels)
        lost = (np.diff(labels.indptr) == 0) & (np.diff(self.labels.indptr) > 0)
        if unlabelled == "keep" or not lost.any():
            return made
        if unlabelled == "error":
            raise InputError(
                f"document {self.ids[int(np.argmax(lost))]!r} has no label left",
                remedy="Drop or keep such documents: --unlabelled drop, unlabelled='drop'.",
            )
        return made.take(np.flatnonzero(~lost))

    def without_empty_topics(self) -> Corpus:
        """Return the corpus over the topics that have documents, of their own or below them.

        The log rates of any other topic meet the documents nowhere, so that a fit without them is
        the same fit (section 2.5 of the model).
        """
        if self.tree is None:
            return self
        n_labels = np.bincount(self.labels.indices, minlength=self.n_topics)
        used = np.flatnonzero(self.tree.sum_up(n_labels))
        if len(used) in (0, self.n_topics):  # without any document `fit` says what is wrong
            return self
        column = np.full(self.n_topics, -1, self.labels.indices.dtype)
        column[used] = np.arange(len(used))
        labels = sparse.csr_array(
            (self.labels.data, column[self.labels.indices], self.labels.indptr),
            shape=(self.n_documents, len(used)),
        )
        labels.has_canonical_format = True  # the order of the columns is as it was
        return replace(self, tree=self.tree.take(used + 1), labels=labels)

    def _with_best_parents(self) -> Corpus:
        if self.tree is None or not self.tree.several_parents:
            return self
        branches = BranchWords(self.tree, self.n_words)
        branches.add(self.counts, self.labels)
        tree = branches.choose()
        return replace(self, tree=tree, labels=move_labels(self.labels, self.tree, tree))

    def labels_of(self, document: int) -> tuple[str, ...]:
        """Return the topic names of a document, by number.

        Parameters
        ----------
        document
            Its number.

        Returns
        -------
        tuple of str
            Nothing where the corpus has no labels.

        Examples
        --------
        >>> from frex import read_corpus
        >>> read_corpus('CORPUS').labels_of(0)
        ('metal',)
        """
        if self.tree is None:
            return ()
        start, end = self.labels.indptr[document : document + 2]
        return tuple(self.tree.topics[k] for k in self.labels.indices[start:end])

    def write(self, path: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Save the corpus as a folder; `frex.read_corpus` reads it.

        Parameters
        ----------
        path
            The folder to make.
        overwrite
            Replace an older corpus.

        Examples
        --------
        >>> from frex import read_corpus
        >>> read_corpus('CORPUS').take(range(12)).write('PART', overwrite=True)
        """
        from frex.corpus.folder import write_corpus  # noqa: PLC0415 - it imports this module

        write_corpus(self, path, overwrite=overwrite)
